import { z } from 'zod'
import {
  chainPlan,
  chainStep,
  triedOffer,
  type ChainPlan,
  type TimedStep,
  type TriedOffer,
} from '../../domain/renting/chain.ts'
import { offerQuery, type OfferQuery } from '../../domain/offers/offer.ts'

/**
 * The journal of chains. A step that spends money is written before it is taken. What is rented may hold
 * secrets (start script, environment), so it is there sealed with a key from the keychain.
 */
export const chainEntry = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('begun'),
    id: z.string(),
    at: z.number(),
    plan: chainPlan,
    query: offerQuery,
    first: triedOffer,
    sealedBody: z.string(),
  }),
  z.object({ kind: z.literal('step'), id: z.string(), at: z.number(), step: chainStep }),
  z.object({ kind: z.literal('dismissed'), id: z.string(), at: z.number() }),
])
export type ChainEntry = z.infer<typeof chainEntry>

export interface Chain {
  readonly id: string
  readonly begunAt: number
  readonly plan: ChainPlan
  readonly query: OfferQuery
  readonly first: TriedOffer
  readonly sealedBody: string
  readonly steps: readonly TimedStep[]
}

/** The chains that were not dismissed, in the order in which they were begun. */
export function chainsOf(entries: readonly ChainEntry[]): Map<string, Chain> {
  const chains = new Map<string, Chain>()
  for (const entry of entries) {
    switch (entry.kind) {
      case 'begun': {
        const { id, at, plan, query, first, sealedBody } = entry
        chains.set(id, { id, begunAt: at, plan, query, first, sealedBody, steps: [] })
        break
      }
      case 'step': {
        const chain = chains.get(entry.id)
        if (chain) chains.set(entry.id, withStep(chain, { at: entry.at, step: entry.step }))
        break
      }
      case 'dismissed':
        chains.delete(entry.id)
        break
    }
  }
  return chains
}

export function withStep(chain: Chain, step: TimedStep): Chain {
  return { ...chain, steps: [...chain.steps, step] }
}
