import type { z } from 'zod'
import type { FieldCatalog } from './field-catalog.ts'
import {
  filterInputOf,
  isFilterField,
  isFilterOperator,
  operatorsFor,
  takesList,
  type FilterOperator,
  type Filters,
  filters as filtersShape,
} from './filter.ts'
import { filterTextOf, parseFilterText } from './filter-value.ts'
import type { JsonValue } from '../base/json-value.ts'

/** A condition as it is being edited: what is typed stays typed, also while it makes no sense. */
export interface FilterRow {
  readonly field: string
  readonly operator: FilterOperator
  /** One text, or any number of them where the operator takes a list. All empty: no condition. */
  readonly values: readonly string[]
}

/** Conditions as they are being edited. */
export interface FilterDraft {
  readonly rows: readonly FilterRow[]
  /** Conditions that rows cannot hold, as JSON in the service's shape; empty for none. */
  readonly json: string
}

export interface FilterErrors {
  /** By the row's place. */
  readonly rows: ReadonlyMap<number, string>
  readonly json: string | null
}

/** A new row on a field, with its likeliest operator; a switch begins as yes. */
export function newFilterRow(catalog: FieldCatalog, field: string): FilterRow {
  const input = filterInputOf(catalog.field(field))
  const operator = operatorsFor(input)[0] ?? 'eq'
  return { field, operator, values: [input.kind === 'yes-no' ? 'true' : ''] }
}

/** The same row on another field: what was typed stays where it can still be meant. */
export function onField(catalog: FieldCatalog, row: FilterRow, field: string): FilterRow {
  const fresh = newFilterRow(catalog, field)
  const input = filterInputOf(catalog.field(field))
  if (input.kind === 'yes-no' || input.kind !== filterInputOf(catalog.field(row.field)).kind) return fresh
  return { ...row, field }
}

/** The same row with another operator: one value of a list stays, and the other way round. */
export function withOperator(row: FilterRow, operator: FilterOperator): FilterRow {
  const typed = row.values.filter((text) => text.trim() !== '')
  return { ...row, operator, values: takesList(operator) ? typed : [typed[0] ?? ''] }
}

/** The conditions that a draft asks for, or what is wrong with it. Nothing is dropped: what meets twice is said. */
export function filtersOfDraft(
  { rows, json }: FilterDraft,
  catalog: FieldCatalog,
): { readonly ok: true; readonly filters: Filters } | { readonly ok: false; readonly errors: FilterErrors } {
  const wrong = new Map<number, string>()
  const conditions = new Map<string, Map<string, JsonValue>>()
  const add = (field: string, operator: string, value: JsonValue): boolean => {
    const ofField = conditions.get(field) ?? new Map<string, JsonValue>()
    if (ofField.has(operator)) return false
    conditions.set(field, ofField.set(operator, value))
    return true
  }
  for (const [at, row] of rows.entries()) {
    const parsed = parseRow(row, catalog)
    if (parsed === null) continue
    if (!parsed.ok) wrong.set(at, parsed.why)
    else if (!add(row.field, row.operator, parsed.value))
      wrong.set(at, 'Another row already has this field and comparison.')
  }
  const free = filtersFromJson(json)
  let jsonError = free.ok ? null : free.why
  for (const [field, operators] of Object.entries(free.ok ? free.filters : {}))
    for (const [operator, value] of Object.entries(operators))
      if (!add(field, operator, value))
        jsonError ??= `“${field}” with “${operator}” is already in a row. Remove the duplicate.`
  if (wrong.size > 0 || jsonError !== null) return { ok: false, errors: { rows: wrong, json: jsonError } }
  return {
    ok: true,
    filters: Object.fromEntries(
      [...conditions].map(([field, operators]) => [field, Object.fromEntries(operators)]),
    ),
  }
}

/** Rows for every condition that a row can hold exactly; the others as JSON. */
export function draftOfFilters(filters: Filters, catalog: FieldCatalog): FilterDraft {
  const rows: FilterRow[] = []
  const rest: Record<string, Record<string, JsonValue>> = {}
  for (const [field, operators] of Object.entries(filters))
    for (const [operator, value] of Object.entries(operators)) {
      const row = rowOf(field, operator, value, catalog)
      if (row) rows.push(row)
      else rest[field] = { ...rest[field], [operator]: value }
    }
  return { rows, json: Object.keys(rest).length === 0 ? '' : JSON.stringify(rest, null, 2) }
}

type ParsedRow = ReturnType<typeof parseFilterText>

/** `null` for a row without a value: it is no condition. */
function parseRow({ field, operator, values }: FilterRow, catalog: FieldCatalog): ParsedRow | null {
  const typed = values.filter((text) => text.trim() !== '')
  if (typed.length === 0) return null
  if (!isFilterField(field)) return { ok: false, why: 'A field can’t have this name.' }
  const input = filterInputOf(catalog.field(field))
  const parsed = typed.map((text) => parseFilterText(text, input))
  const found: JsonValue[] = []
  for (const result of parsed) {
    if (!result.ok) return result
    found.push(result.value)
  }
  return { ok: true, value: takesList(operator) ? found : (found[0] ?? null) }
}

function rowOf(field: string, operator: string, value: JsonValue, catalog: FieldCatalog): FilterRow | null {
  if (!isFilterOperator(operator) || takesList(operator) !== Array.isArray(value)) return null
  if (!isFilterField(field)) return null
  const input = filterInputOf(catalog.field(field))
  const texts = (Array.isArray(value) ? value : [value]).map((one) => filterTextOf(one, input))
  const values = texts.filter((text) => text !== null)
  return values.length === 0 || values.length < texts.length ? null : { field, operator, values }
}

/** Conditions typed as JSON, or why they cannot be used. An empty text is none. */
export function filtersFromJson(
  text: string,
): { readonly ok: true; readonly filters: Filters } | { readonly ok: false; readonly why: string } {
  if (text.trim() === '') return { ok: true, filters: {} }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return {
      ok: false,
      why: `Invalid JSON: ${error instanceof Error ? error.message : 'unexpected end'}.`,
    }
  }
  const parsed = filtersShape.safeParse(value)
  if (!parsed.success) return { ok: false, why: shapeProblem(parsed.error) }
  // zod leaves such a name out, and nothing is left out in silence.
  if (/"__proto__"\s*:/.test(text)) return { ok: false, why: '“__proto__” can’t be a field name.' }
  const empty = Object.entries(parsed.data).find(([, operators]) => Object.keys(operators).length === 0)
  if (empty) return { ok: false, why: `“${empty[0]}” needs an operator and a value, such as {"eq": 1}.` }
  return { ok: true, filters: parsed.data }
}

function shapeProblem({ issues }: z.ZodError): string {
  const path = issues[0]?.path.map(String) ?? []
  const where = path.length === 0 ? 'It' : `“${path.join('.')}”`
  return path.length <= 1
    ? `${where} must be an object, such as {${path.length === 0 ? '"field": {"gte": 1}' : '"gte": 1'}}.`
    : `${where} isn’t valid.`
}
