import { blockFinder } from '../../domain/offers/offer-lists.ts'
import type { Offer, OfferQuery } from '../../domain/offers/offer.ts'
import type { UnreadableRecord } from '../../domain/rental-api/unreadable-record.ts'
import type { Http } from '../rental-api/http.ts'
import { searchOffers } from '../rental-api/offers.ts'
import type { Folder } from '../storage/folder.ts'
import { openOfferLists } from './offer-lists.ts'

export interface OffersDependencies {
  readonly http: Http
  readonly file: Folder['file']
  readonly now: () => number
  readonly randomId: () => string
  /** Told of each answer to a search of the user's. */
  readonly onFound: (query: OfferQuery, found: FoundOffers) => void
}

export interface FoundOffers {
  readonly offers: readonly Offer[]
  readonly unreadable: readonly UnreadableRecord[]
  /** When the service answered, ms since the epoch. */
  readonly at: number
}

export type OffersService = Awaited<ReturnType<typeof openOffers>>

/**
 * Offers, and what the account keeps of them: favorites, blocks, and saved searches.
 *
 * @throws ProblemError storage-failed, as `openJsonFile` does
 */
export async function openOffers({ http, file, now, randomId, onFound }: OffersDependencies) {
  const lists = await openOfferLists({ ...file('offer-lists.json'), randomId })

  async function find(query: OfferQuery, signal?: AbortSignal): Promise<FoundOffers> {
    const { records, unreadable } = await searchOffers(http, query, signal)
    return { offers: records, unreadable, at: now() }
  }

  return {
    lists,
    search: async (query: OfferQuery, signal?: AbortSignal) => {
      const found = await find(query, signal)
      onFound(query, found)
      return found
    },
    /** For what searches on its own: the user's last search stays the one that is known. */
    offersFor: async (query: OfferQuery) => (await find(query)).offers,
    /** Whether the user never wants it. */
    isBlocked: (offer: Offer) => blockFinder(lists.latest.value)(offer) !== null,
  }
}
