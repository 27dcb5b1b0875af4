import { z } from 'zod'
import { problem } from '../base/problem.ts'
import { savedSearch } from './offer-lists.ts'
import type { Offer, OfferQuery } from './offer.ts'

/** How many saved searches are watched at once: together they send a request every six seconds at most. */
export const mostWatches = 10

/** What a price limit may be, in $/h. */
export const priceLimit = z.number().positive().max(100_000)

const usd = z.number().nonnegative()

/** What a look at a watched search tells, and what a part of its price course tells about several looks. */
export const pricePoint = z.object({
  /** When the service answered, or when the part begins; ms since the epoch. */
  at: z.number(),
  /** Offers that the search found, at most as many as a look asks for. */
  offers: z.number().int().nonnegative(),
  /** $/h; `null` when no offer had a price. */
  lowestUsd: usd.nullable(),
  medianUsd: usd.nullable(),
})
export type PricePoint = z.infer<typeof pricePoint>

/** How far back a price course is shown. */
export const courseSpan = z.enum(['day', 'month', 'year'])
export type CourseSpan = z.infer<typeof courseSpan>

/** What the points of a span stand for: single looks, at most one a minute, an hour, or a day (UTC). */
export const courseSteps: Readonly<
  Record<CourseSpan, { readonly spanMs: number; readonly stepMs: number | null }>
> = {
  day: { spanMs: 24 * 3_600_000, stepMs: null },
  month: { spanMs: 30 * 24 * 3_600_000, stepMs: 3_600_000 },
  year: { spanMs: 365 * 24 * 3_600_000, stepMs: 24 * 3_600_000 },
}

/** What the user has chosen about a watched search. */
export const offerWatchSettings = z.object({
  searchId: savedSearch.shape.id,
  /** Tells about offers at or below this price, in $/h; `null`: about none. */
  tellUsd: priceLimit.nullable(),
})
export type OfferWatchSettings = z.infer<typeof offerWatchSettings>

/** Offers that were told and that nobody has looked at yet. */
const offerNews = z.object({ offers: z.number().int(), lowestUsd: usd, tellUsd: priceLimit })
export type OfferNews = z.infer<typeof offerNews>

export const offerWatchView = offerWatchSettings.extend({
  /** The last look that was answered; `null` before there is one. */
  last: pricePoint.nullable(),
  /** The last look had as many offers as it asks for: more expensive ones were left out. */
  isCut: z.boolean(),
  /** When the next look is due, ms since the epoch; `null` while none is sent because the service can't be asked. */
  nextAt: z.number().nullable(),
  /** Why the last look failed. */
  problem: problem.nullable(),
  news: offerNews.nullable(),
})
export type OfferWatchView = z.infer<typeof offerWatchView>

/** What a look brought: all that came, the cheapest first. */
export interface WatchedOffers {
  readonly query: OfferQuery
  /** When the service answered, ms since the epoch. */
  readonly at: number
  readonly offers: readonly Offer[]
}
