import { z } from 'zod'
import { columnsView, defaultColumnsView, fieldName } from '../fields/columns-view.ts'

const plotView = z.object({
  /** The chosen field of performance; `null` for the usual one. */
  field: fieldName.nullable(),
  /** Whether it is shown in a window that is wide enough to have it beside the table, and in one that is not. */
  shownWide: z.boolean(),
  shownNarrow: z.boolean(),
})
const defaultPlotView: z.infer<typeof plotView> = { field: null, shownWide: true, shownNarrow: false }

/** How the offers are looked at. */
export const offerView = columnsView.extend({
  /** Pause between two searches by the clock, in seconds; 0 for none. */
  refreshSeconds: z.number().int().min(0).max(86_400),
  plot: plotView.default(defaultPlotView),
})
export type OfferView = z.infer<typeof offerView>

export const defaultOfferView: OfferView = {
  ...defaultColumnsView,
  refreshSeconds: 0,
  plot: defaultPlotView,
}
