import {
  countSteps,
  replacedIn,
  type RetryPlan,
  type TimedStep,
  type TriedOffer,
} from '../../domain/renting/retry.ts'
import { fieldOf, knownNumber, knownRate, knownText } from '../../domain/fields/field-format.ts'
import { machineIdOf } from '../../domain/instances/instance-identity.ts'
import type { Offer } from '../../domain/offers/offer.ts'
import { perHourCost } from '../../domain/money/total-cost.ts'

/** What of an offer is written down when it is tried with a disk of `diskGb`. */
export function triedOfferOf(offer: Offer, diskGb: number | null): TriedOffer {
  const model = knownText(fieldOf(offer, 'gpu_name'))
  const many = knownNumber(fieldOf(offer, 'num_gpus'))
  return {
    offerId: offer.id,
    machineId: machineIdOf(offer),
    title: model === null ? `offer ${offer.id}` : many === null ? model : `${many} × ${model}`,
    perHourUsd: highestPerHourUsd(offer, diskGb),
  }
}

/** Whether an offer costs no more than the cap, disk included. A price that is not known may be any. */
export function isWithinCap(
  offer: Offer,
  { capPerHourUsd }: Pick<RetryPlan, 'capPerHourUsd'>,
  diskGb: number | null,
): boolean {
  if (capPerHourUsd === null) return true
  const perHourUsd = highestPerHourUsd(offer, diskGb)
  return perHourUsd !== null && perHourUsd <= capPerHourUsd
}

/**
 * The first offer, in the order of the search, on a machine that was neither tried nor is replaced, that is not blocked, and that
 * costs no more than the cap.
 */
export function nextOffer(offers: readonly Offer[], choice: OfferChoice): Offer | null {
  const fits = fitting(choice)
  return offers.find(fits) ?? null
}

/** The same, but the one that costs least with the disk; one without a known price only where no other fits. */
export function cheapestOffer(offers: readonly Offer[], choice: OfferChoice): Offer | null {
  const priceOf = (offer: Offer): number =>
    highestPerHourUsd(offer, choice.diskGb) ?? Number.POSITIVE_INFINITY
  const fits = offers.filter(fitting(choice))
  return fits.toSorted((one, other) => priceOf(one) - priceOf(other) || 0)[0] ?? null
}

interface OfferChoice {
  readonly plan: Pick<RetryPlan, 'capPerHourUsd'>
  readonly diskGb: number | null
  readonly steps: readonly TimedStep[]
  readonly isBlocked: (offer: Offer) => boolean
}

function fitting({ plan, diskGb, steps, isBlocked }: OfferChoice): (offer: Offer) => boolean {
  const { tried } = countSteps(steps)
  const offerIds = new Set(tried.map(({ offerId }) => offerId))
  const machineIds = new Set([
    ...tried.map(({ machineId }) => machineId),
    replacedIn(steps)?.identity.machineId,
  ])
  const isTried = (offer: Offer): boolean => {
    const machineId = machineIdOf(offer)
    return offerIds.has(offer.id) || (machineId !== null && machineIds.has(machineId))
  }
  return (offer) => !isTried(offer) && !isBlocked(offer) && isWithinCap(offer, plan, diskGb)
}

/**
 * What an hour costs at most with a disk of `diskGb`, in $; `null` when it may be more than what is known. Where the prices of
 * an offer contradict each other, the higher one counts.
 */
function highestPerHourUsd(offer: Offer, diskGb: number | null): number | null {
  const cost = perHourCost(offer, diskGb)
  if (cost === null || (cost.bound !== 'exact' && cost.bound !== 'at-most')) return null
  const total = knownRate(offer, 'dph_total') ?? 0
  // Where a disk costs nothing, none of the total is for a disk.
  const disk = knownRate(offer, 'storage_cost') === 0 ? 0 : (knownRate(offer, 'storage_total_cost') ?? 0)
  return Math.max(cost.usd, total - disk)
}
