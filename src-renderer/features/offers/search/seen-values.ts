import { isSecretName } from '#domain/secret-field.ts'
import type { Offer } from '#domain/offer.ts'

/** Texts of each field that offers had so far, for choosing among them. */
export type SeenValues = ReadonlyMap<string, ReadonlySet<string>>

const mostPerField = 500
const longestText = 100

/** With the texts of further offers. What has been seen stays: the next search may leave it out. */
export function withSeen(before: SeenValues, offers: readonly Offer[]): SeenValues {
  const seen = new Map([...before].map(([field, texts]) => [field, new Set(texts)]))
  for (const offer of offers)
    for (const [field, value] of Object.entries(offer)) {
      if (typeof value !== 'string' || value.trim() === '' || value.length > longestText) continue
      const texts = seen.get(field) ?? new Set<string>()
      if (texts.size < mostPerField && !isSecretName(field)) seen.set(field, texts.add(value))
    }
  return seen
}

const collator = new Intl.Collator('en', { numeric: true })

export function sortedTexts(texts: ReadonlySet<string> | undefined): readonly string[] {
  return [...(texts ?? [])].toSorted(collator.compare)
}
