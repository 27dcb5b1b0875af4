import { fieldOf, formatField, type Field } from '#domain/field-format.ts'
import type { Offer } from '#domain/offer.ts'

const characterPx = 7.2
const paddingPx = 20
const narrowestPx = 56
const widestPx = 220
/** Rows that are looked at; the table must not change its columns while it scrolls. */
const sampledRows = 300

/** How wide each column has to be for its head and most of its values. */
export function columnWidthsPx(
  fields: readonly Field[],
  offers: readonly Offer[],
): ReadonlyMap<string, number> {
  const sample = offers.slice(0, sampledRows)
  return new Map(
    fields.map((field) => {
      const head = field.label.length + (field.unit === null ? 0 : field.unit.length + 1)
      const cells = sample.map((offer) => formatField(field, fieldOf(offer, field.name)).length)
      const longest = Math.max(head, ...cells)
      const px = Math.ceil(longest * characterPx + paddingPx)
      return [field.name, Math.min(widestPx, Math.max(narrowestPx, px))]
    }),
  )
}
