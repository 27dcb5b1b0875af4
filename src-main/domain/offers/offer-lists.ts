import { z } from 'zod'
import type { FieldRecord } from '../fields/field-format.ts'
import { isSameTarget, markFinder, offerMark, type MarkTarget, type OfferMark } from './offer-mark.ts'
import { offerQuery } from './offer.ts'

/** A search under a name. */
export const savedSearch = z.object({
  id: z.string().min(1).max(64),
  name: z.string().trim().min(1).max(100),
  query: offerQuery,
})
export type SavedSearch = z.infer<typeof savedSearch>

/** The page of offers, which searches for it. */
export const searchPath = (id: string): string => `/offers?saved=${encodeURIComponent(id)}`

const mostMarks = 5000
const mostSearches = 500

/** What a user keeps about the offers of one service. Newest first. */
export const offerLists = z.object({
  favorites: z.array(offerMark).max(mostMarks).readonly(),
  /** Left out of the table, and never rented by Slipway on its own. */
  blocked: z.array(offerMark).max(mostMarks).readonly(),
  searches: z.array(savedSearch).max(mostSearches).readonly(),
})
export type OfferLists = z.infer<typeof offerLists>

export const emptyOfferLists: OfferLists = { favorites: [], blocked: [], searches: [] }

/** Of files that had the British name. */
export const formerOfferLists = z
  .looseObject({ favourites: z.array(z.unknown()) })
  .transform(({ favourites, ...others }) => ({ ...others, favorites: favourites }))

export type MarkList = 'favorites' | 'blocked'

/** With a mark. Nobody wants what is blocked as a favorite: the newer word counts. */
export function withMark(lists: OfferLists, list: MarkList, mark: OfferMark): OfferLists {
  const other = list === 'favorites' ? 'blocked' : 'favorites'
  const cleared = withoutMark(withoutMark(lists, list, mark), other, mark)
  return { ...cleared, [list]: [mark, ...cleared[list]].slice(0, mostMarks) }
}

export function withoutMark(lists: OfferLists, list: MarkList, target: MarkTarget): OfferLists {
  return { ...lists, [list]: lists[list].filter((mark) => !isSameTarget(mark, target)) }
}

/** With a search, in the place of the one that had its id. */
export function withSearch(lists: OfferLists, search: SavedSearch): OfferLists {
  const isThere = lists.searches.some(({ id }) => id === search.id)
  return {
    ...lists,
    searches: isThere
      ? lists.searches.map((saved) => (saved.id === search.id ? search : saved))
      : [search, ...lists.searches].slice(0, mostSearches),
  }
}

export function withoutSearch(lists: OfferLists, id: string): OfferLists {
  return { ...lists, searches: lists.searches.filter((search) => search.id !== id) }
}

/** Whether an offer is of a machine or host that the user never wants. */
export function blockFinder(
  lists: OfferLists,
): (offer: FieldRecord & { readonly id: number }) => OfferMark | null {
  return markFinder(lists.blocked)
}
