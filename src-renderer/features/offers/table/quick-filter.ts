import { fieldOf, formatField, knownNumber, type Field } from '#domain/field-format.ts'
import type { Offer } from '#domain/offer.ts'

/** Found by these as well, whether they are columns or not: they are what one has at hand. */
const alwaysFound = ['id', 'machine_id', 'host_id']

/**
 * Makes the test of a quick filter: every word has to stand somewhere in the row, as it is shown. The rows'
 * texts are made once and kept for the next letter.
 */
export function quickFilter(fields: readonly Field[]): (typed: string) => (offer: Offer) => boolean {
  const texts = new WeakMap<Offer, string>()
  const textOf = (offer: Offer): string => {
    const known = texts.get(offer)
    if (known !== undefined) return known
    const shown = fields.map((field) => formatField(field, fieldOf(offer, field.name)))
    const ids = alwaysFound.map((name) => knownNumber(fieldOf(offer, name)) ?? '')
    const text = [...shown, ...ids].join('\n').toLowerCase()
    texts.set(offer, text)
    return text
  }
  return (typed) => {
    const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
    return (offer) => words.every((word) => textOf(offer).includes(word))
  }
}
