import { z } from 'zod'

const fieldName = z.string().min(1).max(200)

/** How the table of offers is looked at. */
export const offerView = z.object({
  /** The columns in their order; `null` for those of the catalogue. */
  columns: z.array(fieldName).max(300).readonly().nullable(),
  /** Of the columns that were made wider or narrower, in pixels. */
  widthsPx: z.record(fieldName, z.number().int().min(20).max(2000)).readonly(),
  /** Pause between two searches by the clock, in seconds; 0 for none. */
  refreshSeconds: z.number().int().min(0).max(86_400),
})
export type OfferView = z.infer<typeof offerView>

export const defaultOfferView: OfferView = { columns: null, widthsPx: {}, refreshSeconds: 0 }

/** A list with one of its names moved to another place, counted without it. */
export function moved(names: readonly string[], name: string, to: number): readonly string[] {
  const others = names.filter((other) => other !== name)
  return others.length === names.length ? names : others.toSpliced(Math.max(0, to), 0, name)
}
