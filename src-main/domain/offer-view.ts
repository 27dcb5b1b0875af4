import { z } from 'zod'

const fieldName = z.string().min(1).max(200)

const plotView = z.object({
  /** The chosen field of performance; `null` for the usual one. */
  field: fieldName.nullable(),
  /** Whether it is shown in a window that is wide enough to have it beside the table, and in one that is not. */
  shownWide: z.boolean(),
  shownNarrow: z.boolean(),
})
const defaultPlotView: z.infer<typeof plotView> = { field: null, shownWide: true, shownNarrow: false }

/** How the offers are looked at. */
export const offerView = z.object({
  /** The columns in their order; `null` for those of the catalogue. */
  columns: z.array(fieldName).max(300).readonly().nullable(),
  /** Of the columns that were made wider or narrower, in pixels. */
  widthsPx: z.record(fieldName, z.number().int().min(20).max(2000)).readonly(),
  /** Pause between two searches by the clock, in seconds; 0 for none. */
  refreshSeconds: z.number().int().min(0).max(86_400),
  plot: plotView.default(defaultPlotView),
})
export type OfferView = z.infer<typeof offerView>

export const defaultOfferView: OfferView = {
  columns: null,
  widthsPx: {},
  refreshSeconds: 0,
  plot: defaultPlotView,
}

/** Whether a field can be a column: the service may send names that nobody could keep. */
export function canBeColumn(name: string): boolean {
  return fieldName.safeParse(name).success
}

/** A list with one of its names moved to another place, counted without it. */
export function moved(names: readonly string[], name: string, to: number): readonly string[] {
  const others = names.filter((other) => other !== name)
  return others.length === names.length ? names : others.toSpliced(Math.max(0, to), 0, name)
}

/** The same among those of them that are seen; the others stay where they are. */
export function movedAmong(
  names: readonly string[],
  isSeen: (name: string) => boolean,
  name: string,
  to: number,
): readonly string[] {
  const order = moved(names.filter(isSeen), name, to).values()
  return names.map((other) => (isSeen(other) ? (order.next().value ?? other) : other))
}
