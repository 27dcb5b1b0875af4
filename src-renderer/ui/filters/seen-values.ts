import { isSecretName } from '#domain/fields/secret-field.ts'
import type { FieldRecord } from '#domain/fields/field-format.ts'

/** Texts of each field that records had so far, for choosing among them. */
export type SeenValues = ReadonlyMap<string, ReadonlySet<string>>

const mostPerField = 500
const longestText = 100

/** With the texts of further records. What has been seen stays: the next search may leave it out. */
export function withSeen(before: SeenValues, records: readonly FieldRecord[]): SeenValues {
  const seen = new Map([...before].map(([field, texts]) => [field, new Set(texts)]))
  // Ten thousand offers have half a million fields, of few names.
  const isSecret = new Map<string, boolean>()
  for (const record of records)
    for (const field in record) {
      const value = record[field]
      if (typeof value !== 'string' || value.length > longestText) continue
      const texts = seen.get(field)
      if (texts && (texts.size >= mostPerField || texts.has(value))) continue
      if (value.trim() === '') continue
      if (!isSecret.has(field)) isSecret.set(field, isSecretName(field))
      if (isSecret.get(field)) continue
      if (texts) texts.add(value)
      else seen.set(field, new Set([value]))
    }
  return seen
}

const collator = new Intl.Collator('en', { numeric: true })

export function sortedTexts(texts: ReadonlySet<string> | undefined): readonly string[] {
  return [...(texts ?? [])].toSorted(collator.compare)
}
