import type { Clock } from '../../domain/base/clock.ts'
import { isSameJson } from '../../domain/base/json-value.ts'
import { Latest } from '../../domain/base/latest.ts'
import type { Log } from '../../domain/base/log.ts'
import { ProblemError, rentalRefused, type Problem } from '../../domain/base/problem.ts'
import { SerialQueue } from '../../domain/base/serial-queue.ts'
import type { Notification } from '../../domain/notifications/notification.ts'
import {
  autoRentedNotification,
  autoRentEndedNotification,
} from '../../domain/notifications/offer-notifications.ts'
import type { WatchedOffers } from '../../domain/offers/offer-watch.ts'
import type { OfferQuery } from '../../domain/offers/offer.ts'
import type { AutoRentOutcome, AutoRentPlan, AutoRentView } from '../../domain/renting/auto-rent.ts'
import type { NextOffers } from '../../domain/renting/rent-request.ts'
import { rentBody, type RentBody } from '../../domain/renting/rent-body.ts'
import { countSteps, type TriedOffer } from '../../domain/renting/retry.ts'
import { advisedPauseMs } from '../instances/watch.ts'
import type { Journal } from '../storage/journal.ts'
import { endingOf, endOfRental, mayPass } from './auto-rent-decisions.ts'
import {
  autoRentalsOf,
  openRentalOf,
  withEntry,
  type AutoRental,
  type AutoRentEntry,
} from './auto-rent-journal.ts'
import { recentList } from './recent-list.ts'
import { nextOffer, triedOfferOf } from './retry-offer.ts'
import type { RetryServices } from './retry-services.ts'

export interface AutoRentOptions extends Pick<
  RetryServices,
  'watch' | 'rent' | 'fateOf' | 'isBlocked' | 'unseal' | 'randomId'
> {
  /** Saved searches that are looked at. */
  readonly watched: {
    readonly looks: Pick<Latest<ReadonlyMap<string, WatchedOffers>>, 'value' | 'watch'>
    /** What is looked for by this id; `null` when it isn't watched anymore. */
    readonly queryOf: (searchId: string) => OfferQuery | null
  }
  readonly journal: Journal<AutoRentEntry>
  readonly seal: (text: string) => Promise<string>
  /** Keeps what an instance was rented with, so that another one can take its place. */
  readonly keepOrder: (instanceId: number, body: RentBody, next: NextOffers) => Promise<void>
  /** Whether the account's credit is worth a warning. */
  readonly isCreditLow: () => boolean
  /** Whether auto-retry is renting: it takes every instance that is new for its own. */
  readonly isRetrying: () => boolean
  readonly notify: (notification: Notification) => void
  readonly clock: Clock
  readonly log: Log
}

/** What the user agrees to. */
export interface AutoRentOrder {
  readonly searchId: string
  readonly query: OfferQuery
  readonly plan: AutoRentPlan
  readonly body: RentBody
}

/** An older look may name offers and prices that are over. */
const freshMs = 30_000
const firstPauseMs = 60_000
const longestPauseMs = 15 * 60_000

/**
 * Rents what watched searches find at or below a price, as many instances as the user has agreed to and never one more.
 * Each rental is a `trying` on the disk before its one request leaves; until it's known what became of that, in this run or
 * the next, nothing else is rented.
 */
export class AutoRent {
  readonly state = new Latest<readonly AutoRentView[]>([])
  readonly #options: AutoRentOptions
  readonly #queue = new SerialQueue()
  #all = new Map<string, AutoRental>()
  /** When each look was made that has been worked through. */
  readonly #seenAt = new Map<string, number>()
  readonly #problems = new Map<string, Problem>()
  /** Of its follower; nothing is done before there is one, or after. */
  #signal: AbortSignal | null = null
  #paused: { readonly ms: number; readonly from: number } | null = null

  constructor(options: AutoRentOptions) {
    this.#options = options
  }

  /** Reads the journal; before the renting journal drops what nobody asks for. @throws ProblemError storage-failed */
  async open(): Promise<void> {
    const { journal } = this.#options
    const all = autoRentalsOf(await journal.readAll())
    // Nobody needs to be told of what they stopped themselves.
    this.#all = new Map([...all].filter(([, { outcome }]) => outcome?.kind !== 'stopped'))
    await journal.compact(({ id }) => this.#all.has(id))
    this.#publish()
  }

  /** Whether the outcome of this rental is still asked for. */
  readonly holds = (rentalId: string): boolean =>
    [...this.#all.values()].some((one) => openRentalOf(one) === rentalId)

  /** How many searches rent automatically. */
  get armed(): number {
    return this.#open().length
  }

  async follow(signal: AbortSignal): Promise<void> {
    const { watch, watched } = this.#options
    // What became of a rental without a reply, the next lists tell.
    watch.limitPause(() => (this.#open().some((one) => openRentalOf(one) !== null) ? advisedPauseMs : null))
    this.#signal = signal
    // A list comes every half minute at least, and more often while it's asked what became of a rental.
    const advanceOn = async (changes: AsyncIterable<unknown>): Promise<void> => {
      for await (const _ of changes) await this.#advance()
    }
    await Promise.all([advanceOn(watch.snapshot.watch(signal)), advanceOn(watched.looks.watch(signal))])
  }

  /** @throws ProblemError rental-refused, storage-failed, keychain-locked: nothing is rented automatically then */
  begin({ searchId, query, plan, body }: AutoRentOrder): Promise<void> {
    return this.#queue.take(async () => {
      const { watched, seal, randomId, clock } = this.#options
      if (this.#open().some((one) => one.searchId === searchId))
        throw rentalRefused({ code: 'auto-rent-running' })
      if (!isSameJson(watched.queryOf(searchId), query)) throw rentalRefused({ code: 'search-changed' })
      if (body.volume_info?.create_new === true) throw rentalRefused({ code: 'auto-rent-creates-volume' })
      // It takes the place of what came of an earlier one.
      for (const { id } of [...this.#all.values()].filter((one) => one.searchId === searchId))
        await this.dismiss(id)
      const sealedBody = await seal(JSON.stringify(body))
      const order = { searchId, query, plan, diskGb: body.disk ?? null, sealedBody }
      await this.#append({ kind: 'begun', id: randomId(), at: clock.now(), ...order })
      this.#paused = null
      // A look may have come just before.
      void this.#advance()
    })
  }

  /** Rents nothing more. What is on its way is still seen through. @throws ProblemError storage-failed */
  async stop(id: string): Promise<void> {
    const one = this.#all.get(id)
    if (one === undefined || one.outcome !== null || one.isStopping) return
    await this.#append({ kind: 'stopping', id, at: this.#options.clock.now() })
    // In its turn: a rental that is just being written down is seen through.
    void this.#advance()
  }

  /** Takes one that has ended out of sight. @throws ProblemError storage-failed */
  async dismiss(id: string): Promise<void> {
    if ((this.#all.get(id)?.outcome ?? null) === null) return
    await this.#append({ kind: 'dismissed', id, at: this.#options.clock.now() })
  }

  #open(): readonly AutoRental[] {
    return [...this.#all.values()].filter(({ outcome }) => outcome === null)
  }

  #advance(): Promise<void> {
    return this.#queue.take(async () => {
      for (const { id } of this.#open()) {
        if (this.#signal?.aborted !== false) return
        try {
          await this.#see(id)
        } catch (error) {
          this.#trouble(id, error)
        }
      }
    })
  }

  async #see(id: string): Promise<void> {
    while (await this.#step(id));
  }

  /** True when there may be another step at once. */
  async #step(id: string): Promise<boolean> {
    const one = this.#all.get(id)
    if (one === undefined || one.outcome !== null) return false
    const rentalId = openRentalOf(one)
    if (rentalId !== null) return this.#settle(one, rentalId)
    const { watched, isCreditLow } = this.#options
    const ending = endingOf(one, { query: watched.queryOf(one.searchId), isCreditLow: isCreditLow() })
    if (ending !== null) {
      await this.#end(id, ending)
      return false
    }
    // What another one has rented would be taken for this one's, or the other way round.
    if (this.#open().some((other) => openRentalOf(other) !== null)) return false
    return this.#rentNext(one)
  }

  async #rentNext(one: AutoRental): Promise<boolean> {
    const { watched, watch, isBlocked, isRetrying, unseal, clock } = this.#options
    const { id, searchId, plan, diskGb, steps } = one
    const look = watched.looks.value.get(searchId)
    const isFresh = look !== undefined && clock.now() - look.at <= freshMs && look.at <= clock.now()
    if (!isFresh || look.at === this.#seenAt.get(id) || this.#isPaused() || isRetrying()) return false
    // Nothing is rented by a list of an earlier run.
    if (watch.snapshot.value.instances === null) return false
    const offer = nextOffer(look.offers, { plan, diskGb, steps, isBlocked })
    if (offer === null) {
      this.#seenAt.set(id, look.at)
      return false
    }
    const text = await unseal(one.sealedBody)
    if (text === null) {
      await this.#end(id, { kind: 'request-lost' })
      return false
    }
    return this.#rent(one, triedOfferOf(offer, diskGb), rentBody.parse(JSON.parse(text)))
  }

  async #rent({ id }: AutoRental, offer: TriedOffer, body: RentBody): Promise<boolean> {
    const { watch, rent, randomId, clock } = this.#options
    const { instances } = await recentList(watch, clock)
    const rentalId = randomId()
    const knownIds = instances.map((each) => each.id)
    // All this may have taken a while: the user may have stopped it.
    if (this.#all.get(id)?.isStopping !== false) return true
    const trying = { kind: 'trying', rentalId, offer, knownIds } as const
    await this.#append({ kind: 'step', id, at: clock.now(), step: trying })
    try {
      const result = await rent(offer.offerId, body, rentalId)
      this.#noteProblem(id, null)
      // Without a reply, its outcome is asked for.
      if (result.kind !== 'rented') return false
      await this.#noteRented(id, result.instanceId)
      return true
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error
      const { problem } = error
      // It was signed out: nothing was sent.
      if (problem.kind === 'no-account') return false
      await this.#note({ kind: 'step', id, at: clock.now(), step: { kind: 'not-rented', problem } })
      if (problem.kind === 'refused') return true
      if (mayPass(problem)) throw error
      await this.#end(id, { kind: 'refused', problem })
      return false
    }
  }

  /** What became of a rental whose reply was lost, or that a crash interrupted. */
  async #settle({ id, steps }: AutoRental, rentalId: string): Promise<boolean> {
    const { fateOf, watch, clock } = this.#options
    const now = clock.now()
    const end = endOfRental(steps, await fateOf(rentalId), watch.snapshot.value, now)
    switch (end.kind) {
      case 'wait':
        return false
      case 'rented':
        await this.#noteRented(id, end.instanceId)
        return true
      case 'not-rented':
        await this.#note({ kind: 'step', id, at: now, step: end })
        return true
      case 'ambiguous':
        await this.#end(id, end)
        return false
    }
  }

  async #noteRented(id: string, instanceId: number): Promise<void> {
    const { clock, notify } = this.#options
    await this.#note({ kind: 'step', id, at: clock.now(), step: { kind: 'rented', instanceId } })
    const one = this.#all.get(id)
    if (one === undefined) return
    const { tried, instanceIds } = countSteps(one.steps)
    const perHourUsd = tried.at(-1)?.perHourUsd ?? null
    notify(autoRentedNotification(instanceId, perHourUsd, instanceIds.length, one.plan.instances))
    await this.#keepOrder(one, instanceId)
  }

  /** The instance is rented: that this can't be kept stops nothing. */
  async #keepOrder({ query, plan, sealedBody }: AutoRental, instanceId: number): Promise<void> {
    const { unseal, keepOrder, log } = this.#options
    try {
      const text = await unseal(sealedBody)
      if (text === null) return
      const body = rentBody.parse(JSON.parse(text))
      await keepOrder(instanceId, body, { query, capPerHourUsd: plan.capPerHourUsd })
    } catch (error) {
      log.error(`What instance ${instanceId} was rented with could not be kept`, error)
    }
  }

  async #end(id: string, outcome: AutoRentOutcome): Promise<void> {
    await this.#note({ kind: 'ended', id, at: this.#options.clock.now(), outcome })
    this.#noteProblem(id, null)
    const notification = autoRentEndedNotification(outcome)
    if (notification !== null) this.#options.notify(notification)
  }

  /** Says what is in the way, and waits. */
  #trouble(id: string, error: unknown): void {
    const { log, clock } = this.#options
    const problem: Problem =
      error instanceof ProblemError
        ? error.problem
        : { kind: 'unexpected', id: log.error('A step of an automatic rental failed', error) }
    this.#noteProblem(id, problem)
    const ms = Math.min((this.#paused?.ms ?? firstPauseMs / 2) * 2, longestPauseMs)
    const askedMs = problem.kind === 'rate-limited' ? (problem.retryAfterSeconds ?? 0) * 1000 : 0
    this.#paused = { ms: Math.max(ms, askedMs), from: clock.now() }
  }

  #isPaused(): boolean {
    if (this.#paused === null) return false
    const now = this.#options.clock.now()
    return now >= this.#paused.from && now < this.#paused.from + this.#paused.ms
  }

  #noteProblem(id: string, problem: Problem | null): void {
    if (problem === null) {
      this.#problems.delete(id)
      this.#paused = null
    } else this.#problems.set(id, problem)
    this.#publish()
  }

  /** On the disk when it resolves. */
  async #append(entry: AutoRentEntry): Promise<void> {
    await this.#options.journal.append(entry)
    this.#apply(entry)
  }

  /** What has happened is true, also when it can't be written: the renting journal tells it again to the next run. */
  async #note(entry: AutoRentEntry): Promise<void> {
    try {
      await this.#options.journal.append(entry)
    } catch (error) {
      this.#options.log.error('The journal of automatic rentals could not be written', error)
    }
    this.#apply(entry)
  }

  #apply(entry: AutoRentEntry): void {
    const next = withEntry(this.#all.get(entry.id), entry)
    if (next === undefined) this.#all.delete(entry.id)
    else this.#all.set(entry.id, next)
    this.#publish()
  }

  #publish(): void {
    this.state.set(
      [...this.#all.values()].map((one): AutoRentView => {
        const { id, searchId, begunAt, plan, outcome } = one
        return {
          ...{ id, searchId, begunAt, plan, outcome },
          instanceIds: countSteps(one.steps).instanceIds,
          isRenting: openRentalOf(one) !== null && outcome === null,
          problem: this.#problems.get(id) ?? null,
        }
      }),
    )
  }
}
