import { eventIterator } from '@orpc/contract'
import { z } from 'zod'
import { offerLists, savedSearch } from '../domain/offers/offer-lists.ts'
import { markTarget, offerMark } from '../domain/offers/offer-mark.ts'
import { courseSpan, offerWatchSettings, offerWatchView, pricePoint } from '../domain/offers/offer-watch.ts'
import { offerQuery, type Offer } from '../domain/offers/offer.ts'
import { accountProcedure, nothing, procedure } from './base.ts'
import { listPart } from './parts.ts'

const watchedSearch = offerWatchSettings.pick({ searchId: true })
const titled = markTarget.extend({ title: offerMark.shape.title })

export const offers = {
  /** In the order of the query; `at` is when the service answered, ms since the epoch. */
  search: procedure.input(offerQuery).output(eventIterator(listPart<Offer>().extend({ at: z.number() }))),
  /** The account's favorites, blocks and saved searches; all of them last. */
  watchLists: procedure.output(eventIterator(offerLists)),
  addFavorite: accountProcedure.input(titled).output(nothing),
  removeFavorite: accountProcedure.input(markTarget).output(nothing),
  /** A blocked machine or host is no favorite any more. */
  block: accountProcedure.input(titled).output(nothing),
  unblock: accountProcedure.input(markTarget).output(nothing),
  /** Saves a new search, or another state of the one with that id. */
  saveSearch: accountProcedure
    .input(savedSearch.extend({ id: savedSearch.shape.id.nullable() }))
    .output(z.object({ id: savedSearch.shape.id })),
  removeSearch: accountProcedure.input(savedSearch.pick({ id: true })).output(nothing),
  /** Saved searches that Slipway looks at again and again. */
  watches: {
    watch: procedure.output(eventIterator(z.array(offerWatchView).readonly())),
    /** Watches a saved search from now on, or changes what of it is told. */
    set: accountProcedure.input(offerWatchSettings).output(nothing),
    /** Its price course is deleted with it. */
    remove: accountProcedure.input(watchedSearch).output(nothing),
    /** Somebody has seen what was told. */
    dismissNews: procedure.input(watchedSearch).output(nothing),
    /** The course of its prices, the oldest first, and again after each look; a point for each step of the span. */
    watchCourse: procedure
      .input(watchedSearch.extend({ span: courseSpan }))
      .output(eventIterator(z.array(pricePoint).readonly())),
  },
}
