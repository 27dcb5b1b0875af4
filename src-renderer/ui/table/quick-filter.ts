import {
  fieldOf,
  formatField,
  knownNumber,
  type Field,
  type FieldRecord,
} from '#domain/fields/field-format.ts'

/**
 * Makes the test of a quick filter: every word has to stand somewhere in the row, as it is shown. The rows'
 * texts are made once and kept for the next letter.
 *
 * @param ids fields that are looked into as well, columns or not: numbers that one has at hand
 */
export function quickFilter(
  fields: readonly Field[],
  ids: readonly string[],
): (typed: string) => (record: FieldRecord) => boolean {
  const texts = new WeakMap<FieldRecord, string>()
  const textOf = (record: FieldRecord): string => {
    const known = texts.get(record)
    if (known !== undefined) return known
    const shown = fields.map((field) => formatField(field, fieldOf(record, field.name)))
    const numbers = ids.map((name) => knownNumber(fieldOf(record, name)) ?? '')
    const text = [...shown, ...numbers].join('\n').toLowerCase()
    texts.set(record, text)
    return text
  }
  return (typed) => {
    const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
    return (record) => words.every((word) => textOf(record).includes(word))
  }
}
