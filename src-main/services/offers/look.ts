import { knownRate } from '../../domain/fields/field-format.ts'
import type { Offer, OfferQuery } from '../../domain/offers/offer.ts'
import type { PricePoint } from '../../domain/offers/offer-watch.ts'

/** How many offers a look asks for: one request, whatever the search's own limit is. */
export const mostPerLook = 500

/** What a look asks for: the cheapest offers first, so that what is left out is more expensive than what comes. */
export function lookQuery(query: OfferQuery): OfferQuery {
  return { ...query, order: [['dph_total', 'asc']], limit: mostPerLook }
}

/** What an offer costs, in $/h, as the table shows it; `null` when the service names no price. */
export function priceOf(offer: Offer): number | null {
  return knownRate(offer, 'dph_total')
}

/** @param at when the service answered, ms since the epoch */
export function pointOf(offers: readonly Offer[], at: number): PricePoint {
  const prices = offers.map(priceOf).filter((usd) => usd !== null)
  return {
    at,
    offers: offers.length,
    lowestUsd: prices.length === 0 ? null : Math.min(...prices),
    medianUsd: medianOf(prices),
  }
}

/** Whether a look may have more offers than came. @param unreadable how many came that could not be read */
export function isCutOff(all: readonly Offer[], unreadable: number): boolean {
  return all.length + unreadable >= mostPerLook
}

/** See `Look` (tell-offers.ts): what is left out of a look is as expensive as the last offer in it, or more. */
export function wholeUpToUsd(all: readonly Offer[], unreadable: number): number | null {
  if (unreadable > 0) return null
  if (!isCutOff(all, unreadable)) return Number.POSITIVE_INFINITY
  const last = all.at(-1)
  return last === undefined ? null : priceOf(last)
}

/** The middle one, or the mean of the two in the middle; `null` of none. */
export function medianOf(values: readonly number[]): number | null {
  const sorted = values.toSorted((one, other) => one - other)
  const [below, above] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]]
  return below === undefined || above === undefined ? null : (below + above) / 2
}
