import { z } from 'zod'
import { savedSearch } from '../../domain/offers/offer-lists.ts'
import { offerQuery, type OfferQuery } from '../../domain/offers/offer.ts'
import { isPassing } from '../../domain/rental-api/service-errors.ts'
import {
  autoRentOutcome,
  autoRentPlan,
  type AutoRentOutcome,
  type AutoRentPlan,
} from '../../domain/renting/auto-rent.ts'
import { rentalSteps, type TimedStep } from '../../domain/renting/retry.ts'

/**
 * The journal of automatic rentals. `trying` is on the disk before its request leaves, with the rental's id, by which the
 * renting journal tells what became of it. What is rented may hold secrets, so it is there sealed.
 */
export const autoRentEntry = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('begun'),
    id: z.string(),
    at: z.number(),
    searchId: savedSearch.shape.id,
    /** The search's name. */
    name: z.string(),
    /** What the user agreed to: another search under that id is rented nothing of. */
    query: offerQuery,
    plan: autoRentPlan,
    /** Part of what an offer costs. */
    diskGb: z.number().nullable(),
    sealedBody: z.string(),
  }),
  z.object({
    kind: z.literal('step'),
    id: z.string(),
    at: z.number(),
    step: z.discriminatedUnion('kind', [...rentalSteps]),
  }),
  z.object({ kind: z.literal('stopping'), id: z.string(), at: z.number() }),
  z.object({
    kind: z.literal('ended'),
    id: z.string(),
    at: z.number(),
    // For whatever reason of another version: it has ended.
    outcome: autoRentOutcome.catch({ kind: 'stopped' }),
  }),
  z.object({ kind: z.literal('dismissed'), id: z.string(), at: z.number() }),
  z.object({ kind: z.literal('damaged'), id: z.literal(''), at: z.literal(0) }),
])
export type AutoRentEntry = z.infer<typeof autoRentEntry>

/** Stands for a line that can't be read: it may have ended any auto-rent that was on. */
export const damaged = { kind: 'damaged', id: '', at: 0 } as const satisfies AutoRentEntry

export interface AutoRental {
  readonly id: string
  readonly searchId: string
  readonly name: string
  readonly begunAt: number
  readonly query: OfferQuery
  readonly plan: AutoRentPlan
  readonly diskGb: number | null
  readonly sealedBody: string
  /** Without attempts that failed for a reason that has nothing to do with their offers. */
  readonly steps: readonly TimedStep[]
  readonly isStopping: boolean
  readonly outcome: AutoRentOutcome | null
}

/** Those that were not dismissed, in the order in which they were begun. */
export function autoRentalsOf(entries: readonly AutoRentEntry[]): Map<string, AutoRental> {
  const all = new Map<string, AutoRental>()
  for (const entry of entries) {
    if (entry.kind === 'damaged') {
      for (const [id, one] of all)
        if (one.outcome === null) all.set(id, { ...one, outcome: { kind: 'record-damaged' } })
      continue
    }
    const next = withEntry(all.get(entry.id), entry)
    if (next === undefined) all.delete(entry.id)
    else all.set(entry.id, next)
  }
  return all
}

export function withEntry(one: AutoRental | undefined, entry: AutoRentEntry): AutoRental | undefined {
  if (entry.kind === 'begun') {
    const { kind: _, at: begunAt, ...order } = entry
    return { ...order, begunAt, steps: [], isStopping: false, outcome: null }
  }
  if (one === undefined) return undefined
  switch (entry.kind) {
    case 'step': {
      const { at, step } = entry
      const isPast =
        step.kind === 'not-rented' &&
        step.problem !== null &&
        (isPassing(step.problem) || step.problem.kind === 'rental-refused') &&
        openRentalOf(one) !== null
      return { ...one, steps: isPast ? one.steps.slice(0, -1) : [...one.steps, { at, step }] }
    }
    case 'stopping':
      return { ...one, isStopping: true }
    case 'ended':
      return { ...one, outcome: entry.outcome }
    case 'dismissed':
      return undefined
    case 'damaged':
      return one
  }
}

/** The rental whose outcome isn't written down yet. */
export function openRentalOf({ steps }: Pick<AutoRental, 'steps'>): string | null {
  const last = steps.at(-1)?.step
  return last?.kind === 'trying' ? last.rentalId : null
}
