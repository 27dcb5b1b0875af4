import { formatLocale } from '#domain/base/format-locale.ts'
import { fieldOf, fieldText, knownNumber, type Field, type FieldRecord } from '#domain/fields/field-format.ts'

/**
 * Makes the test of a quick filter: every word has to stand somewhere in the row, as it is shown. The rows'
 * texts are made once and kept for the next letter.
 *
 * @param textsOf all texts of a row
 */
export function quickFilter<T extends object>(
  textsOf: (row: T) => readonly string[],
): (typed: string) => (row: T) => boolean {
  const texts = new WeakMap<T, { readonly locale: string; readonly text: string }>()
  const textOf = (row: T): string => {
    const locale = formatLocale()
    const known = texts.get(row)
    if (known?.locale === locale) return known.text
    const text = textsOf(row).join('\n').toLowerCase()
    texts.set(row, { locale, text })
    return text
  }
  return (typed) => {
    const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
    return (row) => words.every((word) => textOf(row).includes(word))
  }
}

/**
 * The texts of a record.
 *
 * @param ids fields that are looked into as well, columns or not: numbers that one has at hand
 */
export function recordTexts(
  fields: readonly Field[],
  ids: readonly string[],
): (record: FieldRecord) => readonly string[] {
  return (record) => [
    ...fields.map((field) => fieldText(field, record)),
    ...ids.map((name) => String(knownNumber(fieldOf(record, name)) ?? '')),
  ]
}
