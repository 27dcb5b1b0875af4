import { eventIterator } from '@orpc/contract'
import { z } from 'zod'
import { alarms } from '../domain/guards/alarms.ts'
import { costLimitView, limitUsd } from '../domain/guards/cost-limit.ts'
import { guardOrder, guardsSnapshot } from '../domain/guards/guard.ts'
import { accountProcedure, nothing, procedure } from './base.ts'

const one = z.object({ id: z.string() })

/** What stops or destroys instances in time, and what warns. Guards act on their instance, or only while Slipway runs. */
export const guards = {
  watch: procedure.output(eventIterator(guardsSnapshot)),
  set: accountProcedure.input(guardOrder).output(nothing),
  /** Also of one that is acting: it asks no more. */
  remove: procedure.input(one).output(nothing),
  /** “Add 1 hour”, counted from when it would act. */
  postpone: procedure.input(one).output(nothing),
  /** Takes what a guard has done out of sight. */
  dismiss: procedure.input(one).output(nothing),
  /** Asks an instance anew how its guards stand, and gives it those it lacks. Resolves when it has answered, or didn't. */
  lookAtInstance: accountProcedure.input(z.object({ instanceId: z.number().int() })).output(nothing),
  /** Takes the guards of all computers from an instance, then gives it those of this one. Resolves as `lookAtInstance`. */
  removeForeign: accountProcedure.input(z.object({ instanceId: z.number().int() })).output(nothing),
  watchLimit: procedure.output(eventIterator(costLimitView.nullable())),
  /** A limit on what all instances cost together, from now on; in the place of the former one. */
  setLimit: accountProcedure.input(z.object({ usd: limitUsd })).output(nothing),
  removeLimit: procedure.output(nothing),
  watchAlarms: procedure.output(eventIterator(alarms)),
}
