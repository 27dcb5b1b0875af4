import type { Clock } from '../../domain/base/clock.ts'
import { isSameJson } from '../../domain/base/json-value.ts'
import type { Latest } from '../../domain/base/latest.ts'
import type { Log } from '../../domain/base/log.ts'
import { ProblemError } from '../../domain/base/problem.ts'
import type { Notification } from '../../domain/notifications/notification.ts'
import {
  autoRentedNotification,
  autoRentEndedNotification,
} from '../../domain/notifications/offer-notifications.ts'
import type { WatchedOffers } from '../../domain/offers/offer-watch.ts'
import type { Offer, OfferQuery } from '../../domain/offers/offer.ts'
import type { AutoRentOutcome, AutoRentWait, MoneyObstacle } from '../../domain/renting/auto-rent.ts'
import type { NextOffers } from '../../domain/renting/rent-request.ts'
import { rentBody, type RentBody } from '../../domain/renting/rent-body.ts'
import { countSteps } from '../../domain/renting/retry.ts'
import { endingOf, endOfRental, lateOf, mayPass, unlistedUsd, withoutRefused } from './auto-rent-decisions.ts'
import { openRentalOf, type AutoRental } from './auto-rent-journal.ts'
import type { AutoRentRecords } from './auto-rent-records.ts'
import { recentList } from './recent-list.ts'
import { nextOffer, triedOfferOf } from './retry-offer.ts'
import type { RetryServices } from './retry-services.ts'

export interface AutoRentServices extends Pick<
  RetryServices,
  'watch' | 'fateOf' | 'isBlocked' | 'unseal' | 'randomId'
> {
  /** @param mayGo asked right before anything is sent; otherwise it's refused as called off */
  readonly rent: (
    offerId: number,
    body: RentBody,
    rentalId: string,
    mayGo: () => boolean,
  ) => ReturnType<RetryServices['rent']>
  /** Saved searches that are looked at. */
  readonly watched: {
    readonly looks: Pick<Latest<ReadonlyMap<string, WatchedOffers>>, 'value' | 'watch'>
    /** What is looked for by this id, and its name; `null` when it isn't watched anymore. */
    readonly searchFor: (searchId: string) => { readonly query: OfferQuery; readonly name: string } | null
  }
  /** Keeps what an instance was rented with, so that another one can take its place. */
  readonly keepOrder: (instanceId: number, body: RentBody, next: NextOffers) => Promise<void>
  /** What the account's money says against another instance at this price, besides what no list shows yet, both in $/h. */
  readonly moneyObstacle: (perHourUsd: number, unlistedUsd: number) => MoneyObstacle | null
  /** Whether auto-retry is renting: it takes every instance that is new for its own. */
  readonly isRetrying: () => boolean
  readonly notify: (notification: Notification) => void
  readonly clock: Clock
  readonly log: Log
}

export interface AutoRentRunOptions extends AutoRentServices {
  readonly records: AutoRentRecords
  readonly isPaused: () => boolean
  /** The service has answered, or the rest isn't tried: nothing is in the way anymore. */
  readonly onProgress: (id: string) => void
}

/** An older look may name offers and prices that are over. */
const freshMs = 30_000

/** Moves automatic rentals on, a step at a time. */
export class AutoRentRun {
  /** What each of them waits for. */
  readonly waits = new Map<string, AutoRentWait>()
  readonly #options: AutoRentRunOptions
  /** When each look was made that has been worked through, or is too old. */
  readonly #seenAt = new Map<string, number>()
  /** Offers that were refused, and that each look since then has had all the same. */
  readonly #refused = new Map<string, ReadonlySet<number>>()

  constructor(options: AutoRentRunOptions) {
    this.#options = options
  }

  /** Takes all steps that it's time for. @throws ProblemError what is in the way for now */
  async see(id: string): Promise<void> {
    while (await this.#step(id));
  }

  /** True when there may be another step at once. */
  async #step(id: string): Promise<boolean> {
    const { records, clock } = this.#options
    const one = records.get(id)
    this.waits.delete(id)
    if (one === undefined || one.outcome !== null) return false
    const rentalId = openRentalOf(one)
    if (rentalId !== null) return this.#settle(one, rentalId)
    // A stopped one rents nothing more, whatever turns up.
    const late = one.isStopping ? null : lateOf(one.steps, this.#listFor(one), clock.now())
    if (late === 'wait' || (late !== null && records.isAnyRenting())) return this.#wait(id, 'last-rental')
    if (late !== null) return this.#end(id, { kind: 'ambiguous', instanceIds: late })
    const ending = this.#endingOf(one)
    if (ending !== null) return this.#end(id, ending)
    // What another one has rented would be taken for this one's, or the other way round.
    return records.isAnyRenting() ? this.#wait(id, 'last-rental') : this.#rentNext(one)
  }

  #wait(id: string, reason: AutoRentWait): false {
    this.waits.set(id, reason)
    return false
  }

  async #rentNext(one: AutoRental): Promise<boolean> {
    const { watched, isPaused, unseal } = this.#options
    const { id, diskGb } = one
    const look = watched.looks.value.get(one.searchId)
    const isNew = look !== undefined && this.#isNew(one, look)
    const wait = this.#waitOf()
    if (wait !== null) this.waits.set(id, wait)
    if (!isNew || wait !== null || isPaused()) return false
    const offer = this.#choose(one, look)
    const tried = offer && triedOfferOf(offer, diskGb)
    if (tried === null || tried.perHourUsd === null) {
      this.#seenAt.set(id, look.at)
      return false
    }
    const obstacle = this.#obstacle(tried.perHourUsd)
    if (obstacle === 'low-credit' || obstacle === 'limit-reached') return this.#end(id, { kind: obstacle })
    if (obstacle !== null) return this.#wait(id, obstacle)
    const text = await unseal(one.sealedBody)
    if (text === null) return this.#end(id, { kind: 'request-lost' })
    const { perHourUsd } = tried
    return this.#rent(one, look, { ...tried, perHourUsd }, rentBody.parse(JSON.parse(text)))
  }

  /** What is to be waited for, whatever is on offer. */
  #waitOf(): AutoRentWait | null {
    const { watch, isRetrying } = this.#options
    // Nothing is rented by a list of an earlier run.
    if (watch.snapshot.value.instances === null) return 'instances-unlisted'
    if (isRetrying()) return 'auto-retry'
    const obstacle = this.#obstacle(0)
    return obstacle === 'credit-unknown' || obstacle === 'limit-near' ? obstacle : null
  }

  #obstacle(perHourUsd: number): MoneyObstacle | null {
    const { records, watch, clock, moneyObstacle } = this.#options
    const listed = new Set(watch.snapshot.value.instances?.map((each) => each.id))
    const unlisted = [...records.all.value.values()].map(({ steps }) =>
      unlistedUsd(steps, listed, clock.now()),
    )
    return moneyObstacle(
      perHourUsd,
      unlisted.reduce((sum, usd) => sum + usd, 0),
    )
  }

  #choose({ id, plan, diskGb, steps }: AutoRental, { offers }: WatchedOffers): Offer | null {
    const { isBlocked } = this.#options
    const listed = new Set(offers.map((offer) => offer.id))
    const refused = new Set([...(this.#refused.get(id) ?? [])].filter((offerId) => listed.has(offerId)))
    this.#refused.set(id, refused)
    return nextOffer(offers, { plan, diskGb, steps: withoutRefused(steps, refused), isBlocked })
  }

  /** Whether it may be rented by this look. One that was old once stays old, whatever the clock says. */
  #isNew({ id, query }: AutoRental, look: WatchedOffers): boolean {
    const ageMs = this.#options.clock.now() - look.at
    if (ageMs < 0 || ageMs > freshMs) this.#seenAt.set(id, look.at)
    return look.at !== this.#seenAt.get(id) && isSameJson(look.query, query)
  }

  /** Whether what was chosen a while ago may still be rented. */
  #mayGo(one: AutoRental, look: WatchedOffers, perHourUsd: number): boolean {
    const now = this.#options.records.get(one.id)
    return (
      now !== undefined &&
      this.#isNew(one, look) &&
      this.#waitOf() === null &&
      // From its attempt on, that is what isn't listed yet.
      this.#obstacle(openRentalOf(now) === null ? perHourUsd : 0) === null &&
      // Its own attempt is no reason.
      this.#endingOf({ ...now, steps: one.steps }) === null
    )
  }

  async #rent(
    one: AutoRental,
    look: WatchedOffers,
    offer: ReturnType<typeof triedOfferOf> & { readonly perHourUsd: number },
    body: RentBody,
  ): Promise<boolean> {
    const { records, watch, rent, randomId, clock, onProgress } = this.#options
    const { id } = one
    const { instances } = await recentList(watch, clock)
    const rentalId = randomId()
    const knownIds = instances.map((each) => each.id)
    const mayGo = (): boolean => this.#mayGo(one, look, offer.perHourUsd)
    // All this may have taken a while.
    if (!mayGo()) return true
    const trying = { kind: 'trying', rentalId, offer, knownIds } as const
    await records.append({ kind: 'step', id, at: clock.now(), step: trying })
    try {
      const result = await rent(offer.offerId, body, rentalId, mayGo)
      onProgress(id)
      // Without a reply, its outcome is asked for.
      if (result.kind !== 'rented') return false
      await this.#noteRented(id, result.instanceId)
      return true
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error
      const { problem } = error
      // It was signed out: nothing was sent.
      if (problem.kind === 'no-account') return false
      await records.note({ kind: 'step', id, at: clock.now(), step: { kind: 'not-rented', problem } })
      if (problem.kind === 'rental-refused') return true
      if (problem.kind === 'refused') {
        this.#refused.set(id, new Set([...(this.#refused.get(id) ?? []), offer.offerId]))
        // One refusal a look: no burst of requests.
        this.#seenAt.set(id, look.at)
        return true
      }
      if (mayPass(problem)) throw error
      return this.#end(id, { kind: 'refused', problem })
    }
  }

  /** What became of a rental whose reply was lost, or that a crash interrupted. */
  async #settle({ id }: AutoRental, rentalId: string): Promise<boolean> {
    const { records, fateOf, clock } = this.#options
    const end = endOfRental(await fateOf(rentalId))
    switch (end.kind) {
      case 'wait':
        return this.#wait(id, 'last-rental')
      case 'rented':
        await this.#noteRented(id, end.instanceId)
        return true
      case 'not-rented':
        await records.note({ kind: 'step', id, at: clock.now(), step: end })
        return true
      case 'ambiguous':
        return this.#end(id, end)
    }
  }

  async #noteRented(id: string, instanceId: number): Promise<void> {
    const { records, clock, notify } = this.#options
    await records.note({ kind: 'step', id, at: clock.now(), step: { kind: 'rented', instanceId } })
    const one = records.get(id)
    if (one === undefined) return
    const { tried, instanceIds } = countSteps(one.steps)
    const perHourUsd = tried.at(-1)?.perHourUsd ?? null
    const progress = { rented: instanceIds.length, most: one.plan.instances }
    notify(autoRentedNotification(one.name, { instanceId, perHourUsd, ...progress }))
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

  async #end(id: string, outcome: AutoRentOutcome): Promise<false> {
    const { records, clock, notify, onProgress } = this.#options
    const name = records.get(id)?.name ?? ''
    await records.note({ kind: 'ended', id, at: clock.now(), outcome })
    for (const one of [this.#seenAt, this.#refused]) one.delete(id)
    onProgress(id)
    const notification = autoRentEndedNotification(name, outcome)
    if (notification !== null) notify(notification)
    return false
  }

  #endingOf(one: AutoRental): AutoRentOutcome | null {
    const query = this.#options.watched.searchFor(one.searchId)?.query ?? null
    return endingOf(one, { query, obstacle: this.#obstacle(0) })
  }

  /** The list without what others rented automatically: that is known. */
  #listFor({ id }: AutoRental) {
    const { records, watch } = this.#options
    const { instances, ...list } = watch.snapshot.value
    const others = [...records.all.value.values()].filter((one) => one.id !== id)
    const known = new Set(others.flatMap(({ steps }) => countSteps(steps).instanceIds))
    return { ...list, instances: instances?.filter((each) => !known.has(each.id)) ?? null }
  }
}
