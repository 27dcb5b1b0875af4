import { eventIterator } from '@orpc/contract'
import { z } from 'zod'
import { savedSearch } from '../domain/offers/offer-lists.ts'
import { offer, offerQuery } from '../domain/offers/offer.ts'
import { autoRentPlan, autoRentView } from '../domain/renting/auto-rent.ts'
import { retryPlan, retryView } from '../domain/renting/retry.ts'
import {
  knownRequest,
  rentDraft,
  rentOptions,
  rentPreview,
  rentRequest,
  rentResult,
} from '../domain/renting/rent-request.ts'
import { accountProcedure, nothing, procedure } from './base.ts'

const one = z.object({ id: z.string() })
const instanceId = z.number().int()

export const renting = {
  /** What a rental would send, exactly, as far as it is filled in. Nothing is sent. */
  preview: procedure.input(rentDraft).output(rentPreview),
  /** Sent once. A lost reply is not a failure: the result then says what the list of instances told. */
  rent: accountProcedure.input(rentRequest).output(rentResult),
  /** Takes a rental whose reply was lost out of sight. */
  dismissNotice: procedure.input(one).output(nothing),
  /** Auto-retry. */
  retries: {
    /** Those of the account that were not dismissed, the newest last. */
    watch: procedure.output(eventIterator(z.array(retryView).readonly())),
    /** Rents the offer, and when its machine does not run, destroys it and takes the next of the search. */
    begin: accountProcedure
      .input(z.object({ offer, options: rentOptions, query: offerQuery, plan: retryPlan }))
      .output(nothing),
    /** What an instance was rented with, as far as this computer has kept it; `null` when it hasn't. */
    requestOf: procedure.input(z.object({ instanceId })).output(knownRequest.nullable()),
    /** Destroys an instance that never runs, whoever rented it, and once it is gone rents the next offer of the search. */
    replace: accountProcedure
      .input(
        z.object({
          instanceId,
          /** `null`: what the instance was rented with. */
          options: rentOptions.nullable(),
          query: offerQuery,
          plan: retryPlan,
        }),
      )
      .output(nothing),
    /** Rents nothing more. A machine that is there is kept, or destroyed. */
    stop: procedure.input(one.extend({ machine: z.enum(['keep', 'destroy']) })).output(nothing),
    dismiss: procedure.input(one).output(nothing),
  },
  /** Renting what watched searches find. */
  autoRent: {
    /** Those of the account that were not dismissed, the newest last. */
    watch: procedure.output(eventIterator(z.array(autoRentView).readonly())),
    /** Rents as many instances of a watched search as the plan says, each as soon as an offer is within its price. */
    begin: accountProcedure
      .input(
        z.object({
          searchId: savedSearch.shape.id,
          /** What the user has seen of the search: if it's another one by now, nothing is begun. */
          query: offerQuery,
          options: rentOptions,
          plan: autoRentPlan,
        }),
      )
      .output(nothing),
    /** Rents nothing more. What was rented is kept. */
    stop: procedure.input(one).output(nothing),
    dismiss: procedure.input(one).output(nothing),
  },
}
