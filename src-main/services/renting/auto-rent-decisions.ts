import { isSameJson } from '../../domain/base/json-value.ts'
import { wholeListAt, type InstancesSnapshot } from '../../domain/instances/instance.ts'
import type { Problem } from '../../domain/base/problem.ts'
import type { OfferQuery } from '../../domain/offers/offer.ts'
import { isPassing } from '../../domain/rental-api/service-errors.ts'
import type { AutoRentOutcome, MoneyObstacle } from '../../domain/renting/auto-rent.ts'
import { countSteps, type TimedStep } from '../../domain/renting/retry.ts'
import type { AutoRental } from './auto-rent-journal.ts'
import type { RentalOutcome } from './rental-outcome.ts'
import { lateRental, lateRentalMs } from './retry-decisions.ts'

/** Offers that the service refuses cost nothing; still, there is an end to trying. */
const sparesForRefusals = 10

/** Why nothing more is rented, when no rental is under way; `null`: it goes on. @param query what is watched by now; `null`: nothing */
export function endingOf(
  { plan, steps, isStopping, ...agreed }: Pick<AutoRental, 'plan' | 'steps' | 'isStopping' | 'query'>,
  { query, obstacle }: { readonly query: OfferQuery | null; readonly obstacle: MoneyObstacle | null },
): AutoRentOutcome | null {
  if (spentOf(steps) >= plan.instances) return { kind: 'complete' }
  if (isStopping) return { kind: 'stopped' }
  if (!isSameJson(query, agreed.query)) return { kind: 'search-changed' }
  if (obstacle === 'low-credit' || obstacle === 'limit-reached') return { kind: obstacle }
  const last = steps.at(-1)?.step
  const problem = last?.kind === 'not-rented' ? last.problem : null
  return problem !== null && countSteps(steps).attempts >= plan.instances + sparesForRefusals
    ? { kind: 'refused', problem }
    : null
}

/**
 * How many instances may have been rented. An attempt counts unless it's certain that it rented nothing: rather one less
 * than one too many.
 */
function spentOf(steps: readonly TimedStep[]): number {
  const attempts = steps.filter(({ step }, index) => {
    const end = steps[index + 1]?.step
    return step.kind === 'trying' && !(end?.kind === 'not-rented' && end.mayAppear !== true)
  })
  return Math.max(attempts.length, new Set(countSteps(steps).instanceIds).size)
}

/** A list that doesn't show what was rented longer ago shows it no more: it has ended, or never was. */
const unlistedMs = 10 * 60_000

/** What was rented, or may have been, and isn't listed yet, in $/h. @param listed ids in the list */
export function unlistedUsd(steps: readonly TimedStep[], listed: ReadonlySet<number>, now: number): number {
  return steps.reduce((sum, { step, at }, index) => {
    const end = steps[index + 1]?.step
    const isListed = end?.kind === 'rented' && listed.has(end.instanceId)
    const isNone = end?.kind === 'not-rented' && end.mayAppear !== true
    if (step.kind !== 'trying' || isListed || isNone || now - at > unlistedMs) return sum
    return sum + (step.offer.perHourUsd ?? 0)
  }, 0)
}

/** The steps without attempts that the service refused, besides those for these offers. */
export function withoutRefused(
  steps: readonly TimedStep[],
  besides: ReadonlySet<number>,
): readonly TimedStep[] {
  return steps.filter(({ step }, index) => {
    const end = steps[index + 1]?.step
    const isRefused = end?.kind === 'not-rented' && end.problem?.kind === 'refused'
    return step.kind !== 'trying' || !isRefused || besides.has(step.offer.offerId)
  })
}

/** Instances of which one may be a rental that no list had shown; `wait` while it may still turn up. */
export function lateOf(
  steps: readonly TimedStep[],
  snapshot: InstancesSnapshot,
  now: number,
): readonly number[] | 'wait' | null {
  const lost = steps.findLast(({ step }) => step.kind === 'not-rented' && step.mayAppear === true)
  // It counts as rented: what comes now is somebody else's.
  if (lost !== undefined && (wholeListAt(snapshot) ?? 0) - lost.at >= lateRentalMs) return null
  const isCertain = ({ step }: TimedStep): boolean => step.kind === 'not-rented' && step.mayAppear !== true
  return lateRental(
    steps.filter((one) => !isCertain(one)),
    snapshot,
    now,
  )
}

/** What a rental has come to. */
type EndOfRental =
  | { readonly kind: 'wait' }
  | { readonly kind: 'rented'; readonly instanceId: number }
  | { readonly kind: 'not-rented'; readonly problem: null; readonly mayAppear?: true }
  | { readonly kind: 'ambiguous'; readonly instanceIds: readonly number[] }

/** By its journal. */
export function endOfRental(fate: RentalOutcome): EndOfRental {
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
      return { kind: 'not-rented', problem: null }
    case 'nothing-created':
      return { kind: 'not-rented', problem: null, mayAppear: true }
  }
}

/** Whether it may be over later: Slipway waits, and looks again. */
export function mayPass(problem: Problem): boolean {
  return isPassing(problem) || problem.kind === 'keychain-locked' || problem.kind === 'keychain-unavailable'
}
