import { eventIterator } from '@orpc/contract'
import { z } from 'zod'
import { forward, forwardName, forwardPlan } from '../domain/forwards/forward.ts'
import { openPort, tcpPort, webEntry } from '../domain/forwards/open-port.ts'
import { accountProcedure, nothing, procedure } from './base.ts'

const one = z.object({ id: z.string() })
const instance = z.object({ instanceId: z.number().int() })

/** Ways for TCP connections through the SSH connections to instances. */
export const forwards = {
  /** All of the account, in the order in which they were added. */
  watch: procedure.output(eventIterator(z.array(forward).readonly())),
  /** Adds one and turns it on; `takeFree` replaces a port that is in use on this computer by the next free one. */
  add: accountProcedure
    .input(instance.extend({ plan: forwardPlan, name: forwardName.optional(), takeFree: z.boolean() }))
    .output(one),
  /** Replaces what one is, and turns it on. */
  change: accountProcedure.input(one.extend({ plan: forwardPlan, name: forwardName })).output(nothing),
  /** Forwards a port of the instance itself by one that is there, or adds it, on the same port if that is free. */
  forwardPort: accountProcedure.input(instance.extend({ port: tcpPort })).output(one),
  /** Turns one on; with `port`, on another one than before. */
  start: accountProcedure.input(one.extend({ port: tcpPort.optional() })).output(nothing),
  stop: procedure.input(one).output(nothing),
  remove: procedure.input(one).output(nothing),
  /**
   * Waits until a local forward is open, then shows what it leads to in the system's browser, from `entry` on. A link that
   * is lost isn't waited for.
   */
  openInBrowser: procedure
    .input(one.extend({ scheme: z.enum(['http', 'https']), entry: webEntry.optional() }))
    .output(z.enum(['opened', 'gone', 'reconnecting', 'no-program'])),
  /** Ports that an instance listens on, the newest last; looked at while this is watched and a terminal is open on it. */
  watchPorts: procedure.input(instance).output(eventIterator(z.array(openPort).readonly())),
  /** A new port isn't new anymore, until Slipway quits. */
  dismissPort: procedure.input(instance.extend({ port: tcpPort })).output(nothing),
}
