import type { Field } from '#domain/fields/field-format.ts'
import { visibleText } from '#domain/fields/field-format.ts'
import { filterInputOf, isFilterOperator, type FilterOperator } from '#domain/fields/filter.ts'
import { filterTextOf } from '#domain/fields/filter-value.ts'
import type { JsonValue } from '#domain/base/json-value.ts'

/** An operator as it stands between a field and a value. */
export const operatorWords: Readonly<Record<FilterOperator, string>> = {
  eq: 'is',
  neq: 'isn’t',
  lt: 'less than',
  lte: 'at most',
  gt: 'more than',
  gte: 'at least',
  in: 'one of',
  notin: 'none of',
}

/** What one condition means: `verified`, `VRAM at least 24 GB`, `price at most $0.5/h`, `where none of Oslo, NO`. */
export function filterPhrase(field: Field, operator: string, value: JsonValue): string {
  const label = labelInSentence(field)
  const text = filterValueText(field, value)
  if (field.format.kind === 'yes-no' && typeof value === 'boolean') {
    if (operator === 'eq') return value ? label : `not ${label}`
    if (operator === 'neq') return value ? `not ${label}` : label
  }
  return `${label} ${isFilterOperator(operator) ? operatorWords[operator] : operator} ${text}`
}

/** A value of a condition exactly, in the unit that is shown: never rounded, so that the sentence is what is sent. */
export function filterValueText(field: Field, value: JsonValue): string {
  if (Array.isArray(value)) return value.length === 0 ? 'nothing' : listText(field, value)
  const text = filterTextOf(value, filterInputOf(field))
  if (text === null) return visibleText(JSON.stringify(value))
  if (typeof value !== 'number' || field.unit === null) return visibleText(text)
  if (field.format.kind === 'usd') return `$${text}${field.unit.replace(/^\$/, '')}`
  return /^[%°]/.test(field.unit) ? text + field.unit : `${text} ${field.unit}`
}

/** Texts with commas of their own are kept apart from their neighbors. */
function listText(field: Field, values: readonly JsonValue[]): string {
  const texts = values.map((value) => filterValueText(field, value))
  return texts.map((text) => (texts.length > 1 && text.includes(',') ? `“${text}”` : text)).join(', ')
}

/** A label within a sentence: `price`, but `VRAM` and `DLP/$`. */
export function labelInSentence({ label }: Field): string {
  return /^\p{Lu}[\p{Ll} ]/u.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label
}
