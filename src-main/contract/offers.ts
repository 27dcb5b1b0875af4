import { eventIterator } from '@orpc/contract'
import { z } from 'zod'
import { offerLists, savedSearch } from '../domain/offers/offer-lists.ts'
import { markTarget, offerMark } from '../domain/offers/offer-mark.ts'
import { offerQuery, type Offer } from '../domain/offers/offer.ts'
import { nothing, procedure } from './base.ts'
import { bulk } from './bulk.ts'

const titled = markTarget.extend({ title: offerMark.shape.title })

export const offers = {
  search: procedure.input(offerQuery).output(
    z.object({
      offers: bulk<Offer>(),
      /** When the service answered, ms since the epoch. */
      at: z.number(),
    }),
  ),
  /** Favourites, blocks and saved searches of the account in use; all of them last. */
  watchLists: procedure.output(eventIterator(offerLists)),
  addFavourite: procedure.input(titled).output(nothing),
  removeFavourite: procedure.input(markTarget).output(nothing),
  /** A blocked machine or host is no favourite any more. */
  block: procedure.input(titled).output(nothing),
  unblock: procedure.input(markTarget).output(nothing),
  /** Saves a new search, or another state of the one with that id. */
  saveSearch: procedure
    .input(savedSearch.extend({ id: savedSearch.shape.id.nullable() }))
    .output(z.object({ id: savedSearch.shape.id })),
  removeSearch: procedure.input(savedSearch.pick({ id: true })).output(nothing),
}
