import { eventIterator } from '@orpc/contract'
import { z } from 'zod'
import { chainPlan, chainView } from '../domain/renting/chain.ts'
import { offer, offerQuery } from '../domain/offers/offer.ts'
import { rentOptions } from '../domain/renting/rent-request.ts'
import { accountProcedure, nothing, procedure } from './base.ts'

const one = z.object({ id: z.string() })

/** "Try until it runs". */
export const chains = {
  /** The account's chains that were not dismissed, the newest last. */
  watch: procedure.output(eventIterator(z.array(chainView).readonly())),
  /** Rents the offer, and when its machine does not run, destroys it and takes the next of the search. */
  begin: accountProcedure
    .input(z.object({ offer, options: rentOptions, query: offerQuery, plan: chainPlan }))
    .output(nothing),
  /** Rents nothing more. A machine that is there is kept, or destroyed. */
  stop: procedure.input(one.extend({ machine: z.enum(['keep', 'destroy']) })).output(nothing),
  dismiss: procedure.input(one).output(nothing),
}
