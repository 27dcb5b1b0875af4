import { z } from 'zod'
import {
  replacedInstance,
  retryPlan,
  retryStep,
  triedOffer,
  type RetryPlan,
  type TimedStep,
  type TriedOffer,
} from '../../domain/renting/retry.ts'
import { offerQuery, type OfferQuery } from '../../domain/offers/offer.ts'

/**
 * The journal of auto-retries. A step that spends money is written before it is taken. What is rented may hold
 * secrets (start script, environment), so it is there sealed with a key from the keychain.
 */
export const retryEntry = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('begun'),
    id: z.string(),
    at: z.number(),
    plan: retryPlan,
    query: offerQuery,
    /** What the user has chosen; `null` when the search chooses from the beginning. */
    first: triedOffer.nullable(),
    /** Destroyed first. With what is to be rented in one line: no crash comes between the two. */
    replaced: replacedInstance.optional(),
    sealedBody: z.string(),
  }),
  z.object({ kind: z.literal('step'), id: z.string(), at: z.number(), step: retryStep }),
  z.object({ kind: z.literal('dismissed'), id: z.string(), at: z.number() }),
])
export type RetryEntry = z.infer<typeof retryEntry>

export interface Retry {
  readonly id: string
  readonly begunAt: number
  readonly plan: RetryPlan
  readonly query: OfferQuery
  readonly first: TriedOffer | null
  readonly sealedBody: string
  readonly steps: readonly TimedStep[]
}

/** The auto-retries that were not dismissed, in the order in which they were begun. */
export function retriesOf(entries: readonly RetryEntry[]): Map<string, Retry> {
  const retries = new Map<string, Retry>()
  for (const entry of entries) {
    switch (entry.kind) {
      case 'begun': {
        const { id, at, plan, query, first, replaced, sealedBody } = entry
        const steps: TimedStep[] = replaced ? [{ at, step: { kind: 'replacing', ...replaced } }] : []
        retries.set(id, { id, begunAt: at, plan, query, first, sealedBody, steps })
        break
      }
      case 'step': {
        const retry = retries.get(entry.id)
        if (retry) retries.set(entry.id, withStep(retry, { at: entry.at, step: entry.step }))
        break
      }
      case 'dismissed':
        retries.delete(entry.id)
        break
    }
  }
  return retries
}

export function withStep(retry: Retry, step: TimedStep): Retry {
  return { ...retry, steps: [...retry.steps, step] }
}
