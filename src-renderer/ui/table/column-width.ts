import type { Field } from '#domain/fields/field-format.ts'

const characterPx = 7.3
/** Times are digits only, which are wider. */
const digitPx = 8
/** The head is set smaller, and has more capitals. */
const headCharacterPx = 6
const headCapitalPx = 8.5
const paddingPx = 22
const narrowestPx = 52
const widestPx = 220
/** Rows that are looked at; the table must not change its columns while it scrolls. */
const sampledRows = 300

/** Share of the values that are to be seen whole; a few very long ones must not make a column wide. */
const seenWhole = 0.95

/** How wide each column has to be for its head and nearly all of its texts. */
export function columnWidthsPx<T>(
  fields: readonly Field[],
  rows: readonly T[],
  textOf: (field: Field, row: T) => string,
): ReadonlyMap<string, number> {
  const sample = rows.slice(0, sampledRows)
  return new Map(
    fields.map((field) => {
      const cells = sample.map((row) => textOf(field, row).length).toSorted((a, b) => a - b)
      const longest = cells[Math.ceil((cells.length - 1) * seenWhole)] ?? 0
      const px = Math.ceil(
        Math.max(headPx(field), longest * (field.format.kind === 'time' ? digitPx : characterPx)) + paddingPx,
      )
      return [field.name, Math.min(widestPx, Math.max(narrowestPx, px))]
    }),
  )
}

function headPx({ label, unit }: Field): number {
  const text = unit === null ? label : `${label} ${unit}`
  const capitals = text.match(/\p{Lu}/gu)?.length ?? 0
  return capitals * headCapitalPx + (text.length - capitals) * headCharacterPx
}
