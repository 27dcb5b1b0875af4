import { fieldOf, formatField, type Field } from '#domain/field-format.ts'
import type { Offer } from '#domain/offer.ts'

const characterPx = 7.3
/** The head is set smaller. */
const headCharacterPx = 7.1
const paddingPx = 22
const narrowestPx = 52
const widestPx = 220
/** Rows that are looked at; the table must not change its columns while it scrolls. */
const sampledRows = 300

/** Share of the values that are to be seen whole; a few very long ones must not make a column wide. */
const seenWhole = 0.95

/** How wide each column has to be for its head and nearly all of its values. */
export function columnWidthsPx(
  fields: readonly Field[],
  offers: readonly Offer[],
): ReadonlyMap<string, number> {
  const sample = offers.slice(0, sampledRows)
  return new Map(
    fields.map((field) => {
      const head = field.label.length + (field.unit === null ? 0 : field.unit.length + 1)
      const cells = sample
        .map((offer) => formatField(field, fieldOf(offer, field.name)).length)
        .toSorted((a, b) => a - b)
      const longest = cells[Math.floor((cells.length - 1) * seenWhole)] ?? 0
      const px = Math.ceil(Math.max(head * headCharacterPx, longest * characterPx) + paddingPx)
      return [field.name, Math.min(widestPx, Math.max(narrowestPx, px))]
    }),
  )
}
