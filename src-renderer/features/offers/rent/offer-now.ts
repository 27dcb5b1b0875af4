import type { Offer } from '#domain/offers/offer.ts'
import { perHourCost } from '#domain/money/total-cost.ts'
import { formatUsdPerHour } from '#ui/format.ts'
import type { FollowedOffers } from '../offer-changes.ts'

/** What an offer is now, seen from what was shown of it. */
export type OfferNow =
  | { readonly kind: 'as-shown' }
  | { readonly kind: 'dearer'; readonly offer: Offer }
  /** Not among what the search finds now: it is gone, or no longer what is searched for. */
  | { readonly kind: 'unseen' }

/**
 * Compares an offer with what the last search found: a rental names no price, so that it would be made at any.
 *
 * @param diskGb what the machine is to have, as its price counts
 */
export function offerNow(
  shown: Offer,
  { offers, changes }: Pick<FollowedOffers, 'offers' | 'changes'>,
  diskGb: number,
): OfferNow {
  const offer = offers.find(({ id }) => id === shown.id)
  if (offer === undefined || changes.get(shown.id)?.kind === 'gone') return { kind: 'unseen' }
  const before = perHourCost(shown, diskGb)?.usd ?? null
  const now = perHourCost(offer, diskGb)?.usd ?? null
  const looksTheSame = formatUsdPerHour(before) === formatUsdPerHour(now)
  // A price that nobody knows any more may be any.
  const isDearer = !looksTheSame && (before === null || now === null || now > before)
  return isDearer ? { kind: 'dearer', offer } : { kind: 'as-shown' }
}
