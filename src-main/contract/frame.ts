import { eventIterator } from '@orpc/contract'
import { z } from 'zod'
import { errand } from '../domain/workbench/errand.ts'
import { frameDesk, keptPage, recentEntry } from '../domain/workbench/frame-desk.ts'
import { nothing, procedure } from './base.ts'

/** What stands around the pages of one account. */
export const frame = {
  /** What the menu, the tray or a link asks of this page; each once. */
  errands: procedure.output(eventIterator(errand)),
  /** Whether this page is seen: its account is in front, and the window is neither minimized nor hidden. */
  visibility: procedure.output(eventIterator(z.boolean())),
  /** Slipway is about to end; it waits a moment for those who listen, until they stop. */
  farewell: procedure.output(eventIterator(z.literal('ending'))),
  /** Goes to an instance in one of the accounts that a link may have meant. */
  openInstance: procedure.input(z.object({ account: z.string(), id: z.number().int() })).output(nothing),
  recents: procedure.output(frameDesk.shape.recents),
  /** An entry of the palette was chosen. */
  noteRecent: procedure.input(z.object({ id: recentEntry })).output(nothing),
  /** The page that is shown now, for the next start. */
  keepPage: procedure.input(z.object({ page: keptPage })).output(nothing),
}
