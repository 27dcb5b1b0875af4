import { z } from 'zod'
import { badRequest } from '../api-error.ts'

/** The shape of the conditions on one field, `{<operator>: <value>}`; `parseFilters` knows what may be in it. */
export const conditionsShape = z.record(z.string(), z.unknown())
/** The shape of filters, `{<field>: {<operator>: <value>}}`. */
export const filtersShape = z.record(z.string(), conditionsShape)

/** The operators of filters (service API 4.5), which the offer search takes as well. */
const OPERATORS = ['eq', 'neq', 'lt', 'lte', 'gt', 'gte', 'in', 'notin'] as const
type Operator = (typeof OPERATORS)[number]
const ORDERING: ReadonlySet<string> = new Set(['lt', 'lte', 'gt', 'gte'])

export type FieldType = 'number' | 'integer' | 'string' | 'boolean'
type Value = number | string | boolean
type Row = Readonly<Record<string, unknown>>

/** Tests whether a record is wanted. */
export type Predicate = (record: Row) => boolean

export interface FilterOptions {
  /** Whether false comes before true, or a comparison of booleans is refused. */
  readonly ordersBooleans: boolean
}

/**
 * Makes the predicate of `{<field>: {<operator>: <value>}}`; all of them have to hold.
 *
 * A record that lacks a field, or has null there, fits no filter on it. Unknown fields and operators, and values of
 * another type than the field's, are refused with a 400 that names them.
 */
export function parseFilters(
  part: string,
  filters: Readonly<z.output<typeof filtersShape>>,
  fields: ReadonlyMap<string, FieldType>,
  { ordersBooleans }: FilterOptions = { ordersBooleans: false },
): Predicate {
  const tests = Object.entries(filters).flatMap(([field, conditions]) => {
    const type = fields.get(field)
    if (type === undefined) throw badRequest(`${part}.${field}: there is no such field to filter by`)
    const entries = Object.entries(conditions)
    if (entries.length === 0) throw badRequest(`${part}.${field}: expected an operator and its value`)
    return entries.map(([operator, operand]) => {
      if (type === 'boolean' && !ordersBooleans && ORDERING.has(operator)) {
        throw badRequest(`${part}.${field}.${operator}: a boolean has no order`)
      }
      return parseCondition(`${part}.${field}`, field, type, operator, operand)
    })
  })
  return (record) => tests.every((test) => test(record))
}

/** The types of the fields that the records have; a field that holds no plain value in any of them is left out. */
export function fieldTypesOf(records: readonly Row[]): ReadonlyMap<string, FieldType> {
  const types = new Map<string, FieldType>()
  for (const record of records) {
    for (const [field, value] of Object.entries(record)) {
      if (!types.has(field) && isValue(value)) types.set(field, typeOf(value))
    }
  }
  return types
}

/** Sorts by one field, for use in a chain: null and missing values come last in both directions. */
export function compareBy(field: string, direction: 'asc' | 'desc'): (left: Row, right: Row) => number {
  const sign = direction === 'asc' ? 1 : -1
  return (left, right) => {
    const a = left[field]
    const b = right[field]
    if (!isValue(a) || !isValue(b)) return Number(isValue(b)) - Number(isValue(a))
    return a === b ? 0 : a < b ? -sign : sign
  }
}

function parseCondition(
  where: string,
  field: string,
  type: FieldType,
  name: string,
  operand: unknown,
): Predicate {
  const operator = OPERATORS.find((each) => each === name)
  if (operator === undefined) {
    throw badRequest(`${where}.${name}: unknown operator, expected one of ${OPERATORS.join(', ')}`)
  }
  const isList = operator === 'in' || operator === 'notin'
  if (isList !== Array.isArray(operand)) {
    throw badRequest(`${where}.${operator}: expected ${isList ? 'an array' : `one ${type}`}`)
  }
  const values = (Array.isArray(operand) ? operand : [operand]).map((value: unknown) => {
    if (isValue(value) && fits(value, type)) return value
    throw badRequest(`${where}.${operator}: expected ${type}, received ${JSON.stringify(value)}`)
  })
  return (record) => {
    const actual = record[field]
    return isValue(actual) && holds(actual, operator, values)
  }
}

function holds(actual: Value, operator: Operator, values: readonly Value[]): boolean {
  switch (operator) {
    case 'eq':
    case 'in':
      return values.includes(actual)
    case 'neq':
    case 'notin':
      return !values.includes(actual)
    case 'lt':
      return values.every((value) => actual < value)
    case 'lte':
      return values.every((value) => actual <= value)
    case 'gt':
      return values.every((value) => actual > value)
    case 'gte':
      return values.every((value) => actual >= value)
  }
}

/** Whether a field of this type may hold the value. */
export const fits = (value: unknown, type: FieldType): boolean =>
  type === 'integer' ? Number.isInteger(value) : isValue(value) && typeOf(value) === type

function isValue(value: unknown): value is Value {
  return typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean'
}

function typeOf(value: Value): FieldType {
  return typeof value === 'number' ? 'number' : typeof value === 'string' ? 'string' : 'boolean'
}
