import { z } from 'zod'
import type { Offer } from '../../domain/offers/offer.ts'
import { priceOf } from './look.ts'

/** An offer that was told. */
export const toldOffer = z.object({
  offerId: z.number().int(),
  /** At which price it was told last, $/h. */
  usd: z.number(),
  /** The first look since then that did not have it, ms since the epoch; `null` while it's there. */
  goneAt: z.number().nullable(),
})
export type ToldOffer = z.infer<typeof toldOffer>

/** How many are remembered for each watch. */
export const mostTold = 300
/** An offer that is back sooner, in ms, isn't told again: it may have been out of one look. */
export const awayWorthTellingMs = 5 * 60_000
/** A price that fell by less than this share since it was told is no news. */
export const fallWorthTelling = 0.05

export interface Look {
  /** ms since the epoch. */
  readonly at: number
  /** Without those that the user never wants. */
  readonly offers: readonly Offer[]
  /** Ids of all that came, and of none that could not be read. */
  readonly present: ReadonlySet<number>
  /** Below this price, in $/h, an offer that the look doesn't have isn't offered; `null`: nothing can be told from that. */
  readonly wholeUpToUsd: number | null
}

/**
 * What is worth telling of a look, and what has been told from then on. An offer is told when it's at or below the price
 * for the first time, when it was away for some minutes and is back, or when its price has fallen clearly since it was told.
 *
 * @param told what was told so far, the oldest first
 * @param tellUsd the price, in $/h
 */
export function tellOffers(
  told: readonly ToldOffer[],
  { at, offers, present, wholeUpToUsd }: Look,
  tellUsd: number,
): {
  readonly news: readonly { readonly offerId: number; readonly usd: number }[]
  readonly told: readonly ToldOffer[]
} {
  const before = new Map(told.map((one) => [one.offerId, one]))
  const news = offers.flatMap((offer) => {
    const usd = priceOf(offer)
    if (usd === null || usd > tellUsd) return []
    const known = before.get(offer.id)
    const isNews = known === undefined || wasAway(known, at) || usd <= known.usd * (1 - fallWorthTelling)
    return isNews ? [{ offerId: offer.id, usd }] : []
  })
  const isNews = new Set(news.map(({ offerId }) => offerId))
  const kept = told
    .filter(({ offerId }) => !isNews.has(offerId))
    .map((one) => {
      // Back above the price after a long while, it's told once it's below.
      if (present.has(one.offerId)) return wasAway(one, at) ? one : { ...one, goneAt: null }
      return wholeUpToUsd === null || one.usd >= wholeUpToUsd ? one : { ...one, goneAt: one.goneAt ?? at }
    })
  const all = [...kept, ...news.map((one) => ({ ...one, goneAt: null }))]
  return { news, told: withoutOldest(all, mostTold) }
}

const wasAway = ({ goneAt }: ToldOffer, now: number): boolean =>
  goneAt !== null && now - goneAt >= awayWorthTellingMs

/** The oldest of those that are away go first: those that are there would be told again. */
function withoutOldest(told: readonly ToldOffer[], most: number): readonly ToldOffer[] {
  let excess = told.length - most
  if (excess <= 0) return told
  const there = told.filter(({ goneAt }) => goneAt === null || excess-- <= 0)
  return there.slice(-most)
}
