import { eventIterator } from '@orpc/contract'
import { z } from 'zod'
import { instancesSnapshot, rentRequest, rentResult } from '../domain/instance.ts'
import { nothing, procedure } from './base.ts'

const one = z.object({ id: z.number().int() })

export const instances = {
  /** The latest snapshot, at once and after every change. */
  watch: procedure.output(eventIterator(instancesSnapshot)),
  /** Asks the service now. */
  refresh: procedure.output(nothing),
  /** Sent once. A lost reply is not a failure: the result then says what the list of instances told. */
  rent: procedure.input(rentRequest).output(rentResult),
  /** Compute billing halts, the disk is still charged. */
  stop: procedure.input(one).output(nothing),
  /** The machine and its disk are gone, and all billing stops. */
  destroy: procedure.input(one).output(nothing),
  dismissNotice: procedure.input(z.object({ id: z.string() })).output(nothing),
}
