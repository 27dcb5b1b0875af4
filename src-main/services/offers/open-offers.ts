import type { Clock } from '../../domain/base/clock.ts'
import type { Latest } from '../../domain/base/latest.ts'
import type { Lifetime } from '../../domain/base/lifetime.ts'
import type { Log } from '../../domain/base/log.ts'
import type { InstancesSnapshot } from '../../domain/instances/instance.ts'
import type { Notification } from '../../domain/notifications/notification.ts'
import { blockFinder } from '../../domain/offers/offer-lists.ts'
import type { Offer, OfferQuery } from '../../domain/offers/offer.ts'
import type { RecordList } from '../../domain/rental-api/unreadable-record.ts'
import type { Http } from '../rental-api/http.ts'
import { searchOffers } from '../rental-api/offers.ts'
import { deleteOthers } from '../storage/disk.ts'
import type { Folder } from '../storage/folder.ts'
import { openJournal } from '../storage/journal.ts'
import { openJsonFile } from '../storage/json-file.ts'
import { openOfferLists } from './offer-lists.ts'
import { offerWatchesFile, OfferWatches } from './offer-watches.ts'
import { courseLine, PriceCourse } from './price-course.ts'
import { PriceCourses } from './price-courses.ts'

export interface OffersDependencies {
  readonly http: Http
  readonly file: Folder['file']
  /** Of the account's instances: whether the service answers. */
  readonly snapshot: Pick<Latest<InstancesSnapshot>, 'value'>
  readonly notify: (notification: Notification) => void
  readonly clock: Clock
  readonly random: () => number
  readonly randomId: () => string
  readonly log: Log
  /** Told of each answer to a search of the user's. */
  readonly onFound: (query: OfferQuery, found: FoundOffers) => void
}

export interface FoundOffers extends RecordList<Offer> {
  /** When the service answered, ms since the epoch. */
  readonly at: number
}

export type OffersService = Awaited<ReturnType<typeof openOffers>>

function openPriceCourses(file: Folder['file'], log: Log): PriceCourses {
  const folder = 'offer-prices'
  const nameOf = (id: string): string => `${id}.jsonl`
  return new PriceCourses({
    open: (id) =>
      new PriceCourse({
        journal: openJournal({ ...file(`${folder}/${nameOf(id)}`), schema: courseLine }),
        log,
      }),
    deleteOthers: (ids) => deleteOthers(file(folder).path, new Set(ids.map(nameOf))),
    log,
  })
}

/**
 * Offers, and what the account keeps of them: favorites, blocks, saved searches, and which of those are watched.
 *
 * @throws ProblemError storage-failed, as `openJsonFile` does
 */
export async function openOffers(from: OffersDependencies, lifetime: Lifetime) {
  const { http, file, snapshot, clock, randomId, log, onFound } = from
  const lists = await openOfferLists({ ...file('offer-lists.json'), randomId })
  async function find(query: OfferQuery, signal?: AbortSignal): Promise<FoundOffers> {
    return { ...(await searchOffers(http, query, { signal })), at: clock.now() }
  }

  const watches = new OfferWatches({
    ...from,
    file: await openJsonFile({ ...file('offer-watches.json'), ...offerWatchesFile }),
    lists,
    find: (query, signal) => searchOffers(http, query, { signal, repeatable: false }),
    // The list of instances is asked for all the time: while it isn't answered, nothing else is asked for in vain. A key may do less than list.
    mayLook: () => {
      const { instances, problem } = snapshot.value
      return problem === null ? instances !== null : problem.kind === 'not-allowed'
    },
    courses: openPriceCourses(file, log),
  })
  lifetime.follow((signal) => watches.follow(signal))
  lifetime.onWake(() => watches.woke())

  return {
    lists,
    watches,
    search: async (query: OfferQuery, signal?: AbortSignal) => {
      const found = await find(query, signal)
      onFound(query, found)
      return found
    },
    /** For what searches on its own: the user's last search stays the one that is known. */
    offersFor: async (query: OfferQuery) => (await find(query)).records,
    /** Whether the user never wants it. */
    isBlocked: (offer: Offer) => blockFinder(lists.latest.value)(offer) !== null,
  }
}
