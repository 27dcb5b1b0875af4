import { z } from 'zod'
import type { Clock } from '../../domain/base/clock.ts'
import { isSameJson } from '../../domain/base/json-value.ts'
import { Latest } from '../../domain/base/latest.ts'
import type { Log } from '../../domain/base/log.ts'
import { invalidInput, ProblemError, type Problem } from '../../domain/base/problem.ts'
import { SerialQueue } from '../../domain/base/serial-queue.ts'
import type { Notification } from '../../domain/notifications/notification.ts'
import { offersFoundNotification } from '../../domain/notifications/offer-notifications.ts'
import { blockFinder, type OfferLists, type SavedSearch } from '../../domain/offers/offer-lists.ts'
import {
  mostWatches,
  offerWatchSettings,
  type CourseSpan,
  type OfferNews,
  type OfferWatchSettings,
  type OfferWatchView,
  type PricePoint,
  type WatchedOffers,
} from '../../domain/offers/offer-watch.ts'
import { offerQuery, type Offer, type OfferQuery } from '../../domain/offers/offer.ts'
import type { UnreadableRecord } from '../../domain/rental-api/unreadable-record.ts'
import type { JsonFile, JsonFileShape } from '../storage/json-file.ts'
import { isCutOff, lookQuery, mostPerLook, pointOf, wholeUpToUsd } from './look.ts'
import { LookSchedule } from './look-schedule.ts'
import type { PriceCourses } from './price-courses.ts'
import { mostTold, tellOffers, toldOffer } from './tell-offers.ts'

const keptWatch = offerWatchSettings.extend({
  /** What was looked for: a search that was saved anew under its id begins anew. */
  query: offerQuery,
  /** Names its course's file. */
  courseId: z.string().regex(/^[\w-]{1,64}$/),
  told: z.array(toldOffer).max(mostTold).readonly(),
})
type KeptWatch = z.infer<typeof keptWatch>

export const offerWatchesFile: JsonFileShape<readonly KeptWatch[]> = {
  schema: z.array(keptWatch).max(mostWatches).readonly(),
  fallback: [],
}

export interface OfferWatchesOptions {
  readonly file: JsonFile<readonly KeptWatch[]>
  readonly lists: { readonly latest: Latest<OfferLists> }
  /** One request. */
  readonly find: (
    query: OfferQuery,
    signal: AbortSignal,
  ) => Promise<{ readonly records: readonly Offer[]; readonly unreadable: readonly UnreadableRecord[] }>
  /** Whether the service can be asked, as far as is known. */
  readonly mayLook: () => boolean
  readonly courses: PriceCourses
  readonly notify: (notification: Notification) => void
  readonly clock: Clock
  readonly random: () => number
  readonly randomId: () => string
  readonly log: Log
}

/** What is known of a watch in this run. */
interface Progress {
  readonly last: PricePoint | null
  readonly isCut: boolean
  readonly problem: Problem | null
  readonly news: OfferNews | null
}

const nothingYet: Progress = { last: null, isCut: false, problem: null, news: null }
/** Timers stand still while the computer sleeps, and whether the service can be asked may change. */
const longestSleepMs = 5_000
/** While nothing is watched. */
const longestIdleMs = 60_000

/**
 * Looks at saved searches again and again: tells of offers at or below a price, and writes down the course of prices.
 * A look is one request, each search has at most one a minute, and no two come together.
 */
export class OfferWatches {
  readonly state = new Latest<readonly OfferWatchView[]>([])
  /** The last look of each search in this run. */
  readonly looks = new Latest<ReadonlyMap<string, WatchedOffers>>(new Map())
  readonly #options: OfferWatchesOptions
  readonly #queue = new SerialQueue()
  readonly #schedule: LookSchedule
  readonly #progress = new Map<string, Progress>()
  /** The kept ones with what was told since, also where that could not be written. */
  #watches: readonly KeptWatch[]
  #wake = new AbortController()

  constructor(options: OfferWatchesOptions) {
    this.#options = options
    this.#watches = options.file.value
    this.#schedule = new LookSchedule(options.clock.now)
    this.#publish()
  }

  async follow(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options
    await this.#begin()
    void this.#followLists(signal)
    while (!signal.aborted) {
      this.#wake = new AbortController()
      const now = clock.now()
      const ids = this.#watched().map((one) => one.searchId)
      const next = this.#options.mayLook() ? this.#schedule.next(ids) : null
      if (next !== null && next.at <= now) {
        await this.#look(next.id, signal)
        continue
      }
      this.#publish()
      const longestMs = ids.length === 0 ? longestIdleMs : longestSleepMs
      const pauseMs = Math.min(next === null ? longestMs : next.at - now, longestMs)
      await clock.sleep(pauseMs, AbortSignal.any([signal, this.#wake.signal])).catch(() => undefined) // woken
    }
  }

  /** The computer slept: all searches may be due, and the network may not be back. */
  woke(): void {
    this.#schedule.woke()
  }

  /** Watches a search from now on, or changes what of it is told. @throws ProblemError storage-failed, invalid-input */
  set({ searchId, tellUsd }: OfferWatchSettings): Promise<void> {
    return this.#queue.take(async () => {
      const search = this.#searchOf(searchId)
      const others = this.#watched().filter((one) => one.searchId !== searchId)
      if (search === undefined || others.length >= mostWatches)
        throw invalidInput('searchId', { code: search === undefined ? 'not-listed' : 'watches-full' })
      const kept = this.#watches.find((one) => one.searchId === searchId)
      // Another price has not been told of.
      const told = kept?.tellUsd === tellUsd ? kept.told : []
      const next = { ...(kept ?? this.#newWatch(search)), tellUsd, told }
      await this.#write([...others, next])
      if (kept === undefined) this.#schedule.add(searchId, null)
      else if (kept.tellUsd !== tellUsd) this.#note(searchId, { news: null })
      this.#publish()
      this.#wake.abort()
    })
  }

  /** What is looked for by a search's id; `null` when it isn't watched. */
  readonly searchFor = (searchId: string): SavedSearch | null =>
    this.#watches.some((one) => one.searchId === searchId) ? (this.#searchOf(searchId) ?? null) : null

  /** Its course goes with it. @throws ProblemError storage-failed */
  remove(searchId: string): Promise<void> {
    return this.#queue.take(async () => {
      await this.#write(this.#watches.filter((one) => one.searchId !== searchId))
      this.#schedule.remove(searchId)
      this.#progress.delete(searchId)
      this.looks.set(new Map([...this.looks.value].filter(([id]) => id !== searchId)))
      this.#publish()
      await this.#forgetCourses()
    })
  }

  /** Somebody has seen them. */
  dismissNews(searchId: string): void {
    this.#note(searchId, { news: null })
    this.#publish()
  }

  /** The course of its prices now, and again after each look; nothing of a search that isn't watched. */
  async *watchCourse(
    searchId: string,
    span: CourseSpan,
    signal?: AbortSignal,
  ): AsyncGenerator<readonly PricePoint[], void, void> {
    const { courses, clock } = this.#options
    let shownAt: number | null | undefined
    for await (const _ of this.state.watch(signal)) {
      const watch = this.#watches.find((one) => one.searchId === searchId)
      const at = this.#progress.get(searchId)?.last?.at ?? null
      if (watch === undefined || at === shownAt) continue
      shownAt = at
      yield await courses.of(watch.courseId).points(span, clock.now())
    }
  }

  async #begin(): Promise<void> {
    await this.#queue.take(async () => {
      // A search that was deleted comes back only in the run in which it was.
      const there = this.#watched()
      // A file that couldn't be read, or is a newer Slipway's, names none.
      const isKnown = this.#watches.length > 0
      if (there.length < this.#watches.length) await this.#tryWrite(there)
      if (isKnown) await this.#forgetCourses()
      for (const watch of there) {
        const last = await this.#options.courses.of(watch.courseId).last()
        this.#note(watch.searchId, { last })
        this.#schedule.add(watch.searchId, last?.at ?? null)
      }
      this.#publish()
    })
  }

  /** A search that was deleted isn't shown, nor is one looked at as it was before. */
  async #followLists(signal: AbortSignal): Promise<void> {
    for await (const _ of this.#options.lists.latest.watch(signal)) {
      this.#publish()
      this.#wake.abort()
    }
  }

  async #look(searchId: string, signal: AbortSignal): Promise<void> {
    const { find, random, log } = this.#options
    const search = this.#searchOf(searchId)
    if (search === undefined) return
    const { query } = search
    this.#schedule.begun(searchId)
    try {
      const { records, unreadable } = await find(lookQuery(query), signal)
      if (signal.aborted) return
      this.#schedule.answered()
      // A service that sends more than it was asked for isn't followed.
      const offers = records.slice(0, mostPerLook)
      await this.#queue.take(() => this.#take(searchId, query, offers, unreadable.length))
    } catch (error) {
      if (signal.aborted) return
      const problem: Problem =
        error instanceof ProblemError
          ? error.problem
          : { kind: 'unexpected', id: log.error('A look at a watched search failed', error) }
      this.#schedule.failed(searchId, problem, random())
      this.#note(searchId, { problem })
    }
    this.#publish()
  }

  async #take(searchId: string, query: OfferQuery, all: readonly Offer[], unreadable: number): Promise<void> {
    const { lists, clock, courses } = this.#options
    let watch = this.#watches.find((one) => one.searchId === searchId)
    // It was stopped meanwhile, or its search saved anew.
    if (watch === undefined || !isSameJson(this.#searchOf(searchId)?.query, query)) return
    if (!isSameJson(watch.query, query)) watch = await this.#beginAnew(watch, query)
    const at = clock.now()
    const blockOf = blockFinder(lists.latest.value)
    const offers = all.filter((offer) => blockOf(offer) === null)
    const isCut = isCutOff(all, unreadable)
    const last = pointOf(offers, at)
    // Before it's shown: who sees that there is a look asks for the course.
    await courses.of(watch.courseId).add(last)
    this.#note(searchId, { last, isCut, problem: null })
    if (watch.tellUsd !== null) {
      const present = new Set(all.map(({ id }) => id))
      await this.#tell(watch, watch.tellUsd, {
        at,
        offers,
        present,
        wholeUpToUsd: wholeUpToUsd(all, unreadable),
      })
    }
    this.looks.set(new Map([...this.looks.value, [searchId, { query, at, offers }]]))
  }

  async #tell(watch: KeptWatch, tellUsd: number, look: Parameters<typeof tellOffers>[1]): Promise<void> {
    const { notify } = this.#options
    const { searchId } = watch
    const { news, told } = tellOffers(watch.told, look, tellUsd)
    if (isSameJson(told, watch.told)) return
    await this.#tryWrite(this.#watches.map((one) => (one.searchId === searchId ? { ...one, told } : one)))
    if (news.length === 0) return
    const lowestUsd = Math.min(...news.map(({ usd }) => usd))
    const unseen = this.#progress.get(searchId)?.news
    this.#note(searchId, {
      news: {
        offers: news.length + (unseen?.offers ?? 0),
        lowestUsd: Math.min(lowestUsd, unseen?.lowestUsd ?? lowestUsd),
        tellUsd,
      },
    })
    const name = this.#searchOf(searchId)?.name ?? ''
    notify(offersFoundNotification({ searchId, name }, { offers: news.length, lowestUsd, tellUsd }))
  }

  /** Prices of another search are another course. */
  async #beginAnew(watch: KeptWatch, query: OfferQuery): Promise<KeptWatch> {
    const next = { ...watch, query, courseId: this.#options.randomId(), told: [] }
    await this.#tryWrite(this.#watches.map((one) => (one === watch ? next : one)))
    await this.#forgetCourses()
    return next
  }

  #newWatch({ id, query }: SavedSearch): KeptWatch {
    return { searchId: id, tellUsd: null, query, courseId: this.#options.randomId(), told: [] }
  }

  #searchOf(searchId: string): SavedSearch | undefined {
    return this.#options.lists.latest.value.searches.find(({ id }) => id === searchId)
  }

  #watched(): readonly KeptWatch[] {
    return this.#watches.filter(({ searchId }) => this.#searchOf(searchId) !== undefined)
  }

  #forgetCourses(): Promise<void> {
    return this.#options.courses.keep(this.#watches.map(({ courseId }) => courseId))
  }

  async #write(watches: readonly KeptWatch[]): Promise<void> {
    await this.#options.file.write(watches)
    this.#watches = watches
  }

  /** What was told was told, also where that can't be written: the next start may tell it again. */
  async #tryWrite(watches: readonly KeptWatch[]): Promise<void> {
    this.#watches = watches
    try {
      await this.#options.file.write(watches)
    } catch (error) {
      this.#options.log.error('What was told of watched searches could not be written', error)
    }
  }

  #note(searchId: string, part: Partial<Progress>): void {
    this.#progress.set(searchId, { ...nothingYet, ...this.#progress.get(searchId), ...part })
  }

  #publish(): void {
    const mayLook = this.#options.mayLook()
    const views = this.#watched().map(({ searchId, tellUsd }): OfferWatchView => ({
      ...{ searchId, tellUsd, ...nothingYet, ...this.#progress.get(searchId) },
      nextAt: mayLook ? this.#schedule.dueAt(searchId) : null,
    }))
    if (!isSameJson(views, this.state.value)) this.state.set(views)
  }
}
