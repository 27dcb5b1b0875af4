import { computePerHourUsd } from '#domain/money/money.ts'
import type { Offer } from '#domain/offers/offer.ts'

/** What became of an offer since the user last asked. */
export type OfferChange =
  | { readonly kind: 'new' }
  /** Rented by somebody, taken off the market, or no longer what the search asks for. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'price'; readonly beforeUsd: number; readonly afterUsd: number }

/** The answers to one search over time: the latest offers, and those that have gone where they stood. */
export interface FollowedOffers {
  readonly offers: readonly Offer[]
  readonly changes: ReadonlyMap<number, OfferChange>
  /** Prices ($/h) when the user last asked; an offer that is not in here is new. */
  readonly pricesBefore: ReadonlyMap<number, number | null>
}

/** Those that have gone stay in sight, but not without end. */
const mostGone = 500

/** The first answer to a search: nothing has changed yet. */
export function firstAnswer(answer: readonly Offer[]): FollowedOffers {
  const offers = distinct(answer)
  return { offers, changes: new Map(), pricesBefore: pricesOf(offers) }
}

/** A later answer to the same search, with what changed since the marks were cleared last. */
export function laterAnswer(before: FollowedOffers, answer: readonly Offer[]): FollowedOffers {
  const fresh = distinct(answer)
  const changes = new Map<number, OfferChange>()
  for (const offer of fresh) {
    const change = changeOf(offer, before.pricesBefore)
    if (change) changes.set(offer.id, change)
  }
  const isFresh = new Set(fresh.map(({ id }) => id))
  const gone = before.offers.filter(({ id }) => !isFresh.has(id)).slice(0, mostGone)
  for (const { id } of gone) changes.set(id, { kind: 'gone' })
  return { ...before, offers: withGone(before.offers, fresh, new Set(gone)), changes }
}

/** Forgets the marks, and what has gone with them. */
export function withoutChanges({ offers, changes }: FollowedOffers): FollowedOffers {
  return firstAnswer(offers.filter(({ id }) => changes.get(id)?.kind !== 'gone'))
}

function changeOf(offer: Offer, pricesBefore: FollowedOffers['pricesBefore']): OfferChange | null {
  const beforeUsd = pricesBefore.get(offer.id)
  if (beforeUsd === undefined) return { kind: 'new' }
  const afterUsd = computePerHourUsd(offer)
  return beforeUsd === null || afterUsd === null || beforeUsd === afterUsd
    ? null
    : { kind: 'price', beforeUsd, afterUsd }
}

/** The fresh offers in their own order; each that has gone stays behind the one it followed. */
function withGone(
  before: readonly Offer[],
  fresh: readonly Offer[],
  gone: ReadonlySet<Offer>,
): readonly Offer[] {
  if (gone.size === 0) return fresh
  const followers = new Map<number | null, Offer[]>()
  let anchor: number | null = null
  for (const offer of before)
    if (gone.has(offer)) followers.set(anchor, [...(followers.get(anchor) ?? []), offer])
    else anchor = offer.id
  return [
    ...(followers.get(null) ?? []),
    ...fresh.flatMap((offer) => [offer, ...(followers.get(offer.id) ?? [])]),
  ]
}

function pricesOf(offers: readonly Offer[]): ReadonlyMap<number, number | null> {
  return new Map(offers.map((offer) => [offer.id, computePerHourUsd(offer)]))
}

/** An id stands for one offer, whatever the service sends. */
function distinct(offers: readonly Offer[]): readonly Offer[] {
  return [...new Map(offers.map((offer) => [offer.id, offer])).values()]
}
