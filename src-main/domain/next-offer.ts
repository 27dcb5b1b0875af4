import type { ChainPlan, TriedOffer } from './chain.ts'
import { fieldOf, knownNumber, knownText } from './field-format.ts'
import { machineIdOf } from './instance-identity.ts'
import { computePerHourUsd } from './money.ts'
import type { Offer } from './offer.ts'

/** What of an offer is written down when it is tried. */
export function triedOfferOf(offer: Offer): TriedOffer {
  const model = knownText(fieldOf(offer, 'gpu_name'))
  const many = knownNumber(fieldOf(offer, 'num_gpus'))
  return {
    offerId: offer.id,
    machineId: machineIdOf(offer),
    title: model === null ? `offer ${offer.id}` : many === null ? model : `${many} × ${model}`,
    perHourUsd: computePerHourUsd(offer),
  }
}

/** Whether an offer costs no more than the cap. A price that is not known may be any. */
export function isWithinCap(offer: Offer, { capPerHourUsd }: Pick<ChainPlan, 'capPerHourUsd'>): boolean {
  if (capPerHourUsd === null) return true
  const perHourUsd = computePerHourUsd(offer)
  return perHourUsd !== null && perHourUsd <= capPerHourUsd
}

/**
 * The first offer, in the order of the search, on a machine that was not tried, that is not blocked, and that
 * costs no more than the cap.
 */
export function nextOffer(
  offers: readonly Offer[],
  {
    plan,
    tried,
    isBlocked,
  }: {
    readonly plan: Pick<ChainPlan, 'capPerHourUsd'>
    readonly tried: readonly TriedOffer[]
    readonly isBlocked: (offer: Offer) => boolean
  },
): Offer | null {
  const offerIds = new Set(tried.map(({ offerId }) => offerId))
  const machineIds = new Set(tried.flatMap(({ machineId }) => (machineId === null ? [] : [machineId])))
  const isTried = (offer: Offer): boolean => {
    const machineId = machineIdOf(offer)
    return offerIds.has(offer.id) || (machineId !== null && machineIds.has(machineId))
  }
  return offers.find((offer) => !isTried(offer) && !isBlocked(offer) && isWithinCap(offer, plan)) ?? null
}
