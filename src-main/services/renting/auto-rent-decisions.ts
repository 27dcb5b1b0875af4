import { isSameJson } from '../../domain/base/json-value.ts'
import type { InstancesSnapshot } from '../../domain/instances/instance.ts'
import type { Problem } from '../../domain/base/problem.ts'
import type { OfferQuery } from '../../domain/offers/offer.ts'
import { isPassing } from '../../domain/rental-api/service-errors.ts'
import type { AutoRentOutcome } from '../../domain/renting/auto-rent.ts'
import { countSteps, type TimedStep } from '../../domain/renting/retry.ts'
import type { AutoRental } from './auto-rent-journal.ts'
import type { RentalOutcome } from './rental-outcome.ts'
import { lateRental } from './retry-decisions.ts'

/** Offers that the service refuses cost nothing; still, there is an end to trying. */
const sparesForRefusals = 10

/** Why nothing more is rented, when no rental is under way; `null`: it goes on. @param query what is watched by now; `null`: nothing */
export function endingOf(
  { plan, steps, isStopping, ...agreed }: Pick<AutoRental, 'plan' | 'steps' | 'isStopping' | 'query'>,
  { query, isCreditLow }: { readonly query: OfferQuery | null; readonly isCreditLow: boolean },
): AutoRentOutcome | null {
  if (spentOf(steps) >= plan.instances) return { kind: 'complete' }
  if (isStopping) return { kind: 'stopped' }
  if (!isSameJson(query, agreed.query)) return { kind: 'search-changed' }
  if (isCreditLow) return { kind: 'low-credit' }
  const last = steps.at(-1)?.step
  const problem = last?.kind === 'not-rented' ? last.problem : null
  return problem !== null && countSteps(steps).attempts >= plan.instances + sparesForRefusals
    ? { kind: 'refused', problem }
    : null
}

/**
 * How many instances may have been rented. An attempt whose end is missing, as its writing failed, counts: rather one less
 * than one too many.
 */
function spentOf(steps: readonly TimedStep[]): number {
  const many = (kind: TimedStep['step']['kind']): number =>
    steps.filter(({ step }) => step.kind === kind).length
  return Math.max(many('trying') - many('not-rented'), many('rented'))
}

/** What a rental has come to. */
type EndOfRental =
  | { readonly kind: 'wait' }
  | { readonly kind: 'rented'; readonly instanceId: number }
  | { readonly kind: 'not-rented'; readonly problem: null }
  | { readonly kind: 'ambiguous'; readonly instanceIds: readonly number[] }

/** By its journal and the list: a rental that no list shows may still turn up. */
export function endOfRental(
  steps: readonly TimedStep[],
  fate: RentalOutcome,
  snapshot: InstancesSnapshot,
  now: number,
): EndOfRental {
  const notRented = { kind: 'not-rented', problem: null } as const
  switch (fate.kind) {
    case 'checking':
      return { kind: 'wait' }
    case 'rented':
    case 'adopted':
      return { kind: 'rented', instanceId: fate.instanceId }
    case 'ambiguous':
      return fate
    case 'never-sent':
    case 'not-rented':
      return notRented
    case 'nothing-created': {
      if (snapshot.instances === null) return { kind: 'wait' }
      const late = lateRental([...steps, { at: now, step: notRented }], snapshot, now)
      if (late === 'wait') return { kind: 'wait' }
      return late === null ? notRented : { kind: 'ambiguous', instanceIds: late }
    }
  }
}

/** Whether it may be over later: Slipway waits, and looks again. */
export function mayPass(problem: Problem): boolean {
  return isPassing(problem) || problem.kind === 'keychain-locked' || problem.kind === 'keychain-unavailable'
}
