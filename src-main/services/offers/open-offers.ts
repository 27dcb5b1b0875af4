import { blockFinder } from '../../domain/offers/offer-lists.ts'
import type { Offer, OfferQuery } from '../../domain/offers/offer.ts'
import type { Http } from '../rental-api/http.ts'
import { searchOffers } from '../rental-api/offers.ts'
import type { Folder } from '../storage/folder.ts'
import { openOfferLists } from './offer-lists.ts'

export interface OffersDependencies {
  readonly http: Http
  readonly file: Folder['file']
  readonly now: () => number
  readonly randomId: () => string
}

export type OffersService = Awaited<ReturnType<typeof openOffers>>

/**
 * Offers, and what the account keeps of them: favorites, blocks, and saved searches.
 *
 * @throws ProblemError storage-failed, as `openJsonFile` does
 */
export async function openOffers({ http, file, now, randomId }: OffersDependencies) {
  const lists = await openOfferLists({ ...file('offer-lists.json'), randomId })
  return {
    lists,
    /** With the time of the answer, ms since the epoch. */
    search: async (query: OfferQuery, signal?: AbortSignal) => {
      const { records, unreadable } = await searchOffers(http, query, signal)
      return { offers: records, unreadable, at: now() }
    },
    /** Whether the user never wants it. */
    isBlocked: (offer: Offer) => blockFinder(lists.latest.value)(offer) !== null,
  }
}
