import { z } from 'zod'
import { otherGroup } from './field-catalog.ts'
import type { Field } from './field-format.ts'
import { jsonValue } from '../base/json-value.ts'

/** The operators of the service's filters (service API 4.5); `in` and `notin` take lists. */
export const filterOperators = ['eq', 'neq', 'lt', 'lte', 'gt', 'gte', 'in', 'notin'] as const
export type FilterOperator = (typeof filterOperators)[number]

const filterField = z.string().min(1).max(200)

/** Whether a name can be that of a filter's field; `__proto__` would be lost, as it is no ordinary name in JavaScript. */
export function isFilterField(name: string): boolean {
  return name.trim() !== '' && name !== '__proto__' && filterField.safeParse(name).success
}

/**
 * Conditions in the service's own shape, all of which have to hold: a field, an operator, a value. Operators
 * that Slipway does not know are sent as they are.
 */
export const filters = z.record(filterField, z.record(z.string().min(1).max(50), jsonValue))
export type Filters = z.infer<typeof filters>

/** What is typed into a condition on a field. */
export type FilterInput =
  /** A number in the unit that is shown: the value for the service is `number / scale`. */
  | {
      readonly kind: 'number'
      readonly scale: number
      readonly unit: string | null
      readonly isWhole: boolean
      /** Values stand rounded in the table, so that an exact comparison rarely finds what is seen there. */
      readonly isShownRounded: boolean
    }
  | { readonly kind: 'yes-no' }
  | { readonly kind: 'text' }
  /** A time in UTC, `2026-11-30 18:00`; the value is in seconds since the epoch. */
  | { readonly kind: 'time' }
  /** A field that no catalog names: JSON's own literals stand for themselves, all else is a text. */
  | { readonly kind: 'any' }

export function filterInputOf({ format, unit, group }: Field): FilterInput {
  switch (format.kind) {
    case 'text':
      return { kind: group === otherGroup ? 'any' : 'text' }
    case 'yes-no':
    case 'time':
      return { kind: format.kind }
    case 'count':
    case 'integer':
      return { kind: 'number', scale: 1, unit, isWhole: true, isShownRounded: false }
    case 'number':
      return { kind: 'number', scale: format.scale ?? 1, unit, isWhole: false, isShownRounded: true }
    case 'measure':
    case 'usd':
      return { kind: 'number', scale: 1, unit, isWhole: false, isShownRounded: true }
  }
}

/** The operators that make sense for what is typed, the likeliest first. */
export function operatorsFor({ kind }: FilterInput): readonly FilterOperator[] {
  switch (kind) {
    case 'number':
    case 'time':
      return ['gte', 'lte', 'gt', 'lt', 'eq', 'neq', 'in', 'notin']
    case 'yes-no':
      return ['eq', 'neq']
    case 'text':
      return ['eq', 'neq', 'in', 'notin']
    case 'any':
      return filterOperators
  }
}

export function isFilterOperator(name: string): name is FilterOperator {
  return filterOperators.some((operator) => operator === name)
}

/** Whether the operator takes a list of values. */
export function takesList(operator: FilterOperator): boolean {
  return operator === 'in' || operator === 'notin'
}
