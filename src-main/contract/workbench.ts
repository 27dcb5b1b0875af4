import { eventIterator } from '@orpc/contract'
import { z } from 'zod'
import { pageRequest } from '../domain/workbench/page-request.ts'
import { workbenchState, keptPage, recentEntry } from '../domain/workbench/workbench-state.ts'
import { proxyLogin, proxyQuestion } from '../domain/workbench/proxy-login.ts'
import { nothing, procedure } from './base.ts'

/** What stands around the pages of one account. */
export const workbench = {
  /** What the menu, the tray or a link asks of this page; each once. */
  watchPageRequests: procedure.output(eventIterator(pageRequest)),
  /** Whether this page is seen: its account is in front, and the window is neither minimized nor hidden. */
  visibility: procedure.output(eventIterator(z.boolean())),
  /** Slipway is about to end; it waits a moment for those who listen, until they stop. */
  watchShutdown: procedure.output(eventIterator(z.literal('ending'))),
  recents: procedure.output(workbenchState.shape.recents),
  /** An entry of the palette was chosen. */
  noteRecent: procedure.input(z.object({ id: recentEntry })).output(nothing),
  /** The page that is shown now, for the next start. */
  keepPage: procedure.input(z.object({ page: keptPage })).output(nothing),
  /** A proxy on the way to the service that asks who is there. */
  proxy: {
    /** The proxy that asks; `null` while none does. */
    watch: procedure.output(eventIterator(proxyQuestion.nullable())),
    /** Kept in memory until Slipway ends. Whatever failed for want of it is tried again. */
    logIn: procedure.input(z.object({ questionId: z.int(), login: proxyLogin })).output(nothing),
  },
}
