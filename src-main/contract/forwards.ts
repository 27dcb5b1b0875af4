import { eventIterator } from '@orpc/contract'
import { z } from 'zod'
import { forward, forwardPlan } from '../domain/forwards/forward.ts'
import { accountProcedure, nothing, procedure } from './base.ts'

const one = z.object({ id: z.string() })

/** Ways for TCP connections through the SSH connections to instances. */
export const forwards = {
  /** All of the account, in the order in which they were added. */
  watch: procedure.output(eventIterator(z.array(forward).readonly())),
  /** Adds one and turns it on; `takeFree` replaces a port that is in use on this computer by the next free one. */
  add: accountProcedure
    .input(z.object({ instanceId: z.number().int(), plan: forwardPlan, takeFree: z.boolean() }))
    .output(one),
  /** Replaces what one is, and turns it on. */
  change: accountProcedure.input(one.extend({ plan: forwardPlan })).output(nothing),
  /** Turns one on; with `port`, on another one than before. */
  start: accountProcedure
    .input(one.extend({ port: z.number().int().min(1).max(65_535).optional() }))
    .output(nothing),
  stop: procedure.input(one).output(nothing),
  remove: procedure.input(one).output(nothing),
  /** Waits until a local forward is open, then shows what it leads to in the system's browser. */
  openInBrowser: procedure
    .input(one.extend({ scheme: z.enum(['http', 'https']) }))
    .output(z.enum(['opened', 'gone', 'no-program'])),
}
