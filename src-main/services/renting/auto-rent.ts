import { isSameJson } from '../../domain/base/json-value.ts'
import { Latest } from '../../domain/base/latest.ts'
import { ProblemError, rentalRefused, type Problem } from '../../domain/base/problem.ts'
import { SerialQueue } from '../../domain/base/serial-queue.ts'
import { onDemand, type OfferQuery } from '../../domain/offers/offer.ts'
import type { AutoRentPlan, AutoRentView } from '../../domain/renting/auto-rent.ts'
import type { RentBody } from '../../domain/renting/rent-body.ts'
import { countSteps } from '../../domain/renting/retry.ts'
import { advisedPauseMs } from '../instances/watch.ts'
import type { Journal } from '../storage/journal.ts'
import { openRentalOf, type AutoRentEntry } from './auto-rent-journal.ts'
import { AutoRentRecords } from './auto-rent-records.ts'
import { AutoRentRun, type AutoRentServices } from './auto-rent-run.ts'

export interface AutoRentOptions extends AutoRentServices {
  readonly journal: Journal<AutoRentEntry>
  readonly seal: (text: string) => Promise<string>
}

/** What the user agrees to. */
export interface AutoRentOrder {
  readonly searchId: string
  readonly query: OfferQuery
  readonly plan: AutoRentPlan
  readonly body: RentBody
}

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
  readonly #records: AutoRentRecords
  readonly #run: AutoRentRun
  readonly #queue = new SerialQueue()
  readonly #problems = new Map<string, Problem>()
  /** Of its follower; nothing is done before there is one, or after. */
  #signal: AbortSignal | null = null
  #paused: { readonly ms: number; readonly from: number } | null = null

  constructor(options: AutoRentOptions) {
    this.#options = options
    this.#records = new AutoRentRecords(options)
    this.#run = new AutoRentRun({
      ...options,
      records: this.#records,
      isPaused: () => this.#isPaused(),
      onProgress: (id) => this.#clearProblem(id),
    })
  }

  /** Reads the journal; before the renting journal drops what nobody asks for. @throws ProblemError storage-failed */
  async open(): Promise<void> {
    await this.#records.open()
    this.#publish()
  }

  /** Whether the outcome of this rental is still asked for. */
  readonly holds = (rentalId: string): boolean =>
    [...this.#records.all.value.values()].some((one) => openRentalOf(one) === rentalId)

  /** How many searches rent automatically. */
  get armed(): number {
    return this.#records.unended().length
  }

  async follow(signal: AbortSignal): Promise<void> {
    const { watch, watched } = this.#options
    // What became of a rental without a reply, the next lists tell.
    watch.limitPause(() => (this.#records.isAnyRenting() ? advisedPauseMs : null))
    this.#signal = signal
    // A list comes every half minute at least, and more often while it's asked what became of a rental.
    const advanceOn = async (changes: AsyncIterable<unknown>): Promise<void> => {
      for await (const _ of changes) await this.#advance()
    }
    const publishOn = async (changes: AsyncIterable<unknown>): Promise<void> => {
      for await (const _ of changes) this.#publish()
    }
    await Promise.all([
      advanceOn(watch.snapshot.watch(signal)),
      advanceOn(watched.looks.watch(signal)),
      publishOn(this.#records.all.watch(signal)),
    ])
  }

  /** @throws ProblemError rental-refused, storage-failed, keychain-locked: nothing is rented automatically then */
  begin({ searchId, query, plan, body }: AutoRentOrder): Promise<void> {
    return this.#queue.take(async () => {
      const { watched, seal, randomId, clock } = this.#options
      if (this.#records.unended().some((one) => one.searchId === searchId))
        throw rentalRefused({ code: 'auto-rent-running' })
      const search = watched.searchFor(searchId)
      if (search === null || !isSameJson(search.query, query)) throw rentalRefused({ code: 'search-changed' })
      if (query.type !== onDemand) throw rentalRefused({ code: 'auto-rent-other-pricing' })
      if (body.volume_info?.create_new === true) throw rentalRefused({ code: 'auto-rent-creates-volume' })
      const former = [...this.#records.all.value.values()].filter((one) => one.searchId === searchId)
      const sealedBody = await seal(JSON.stringify(body))
      const order = { searchId, name: search.name, query, plan, diskGb: body.disk ?? null, sealedBody }
      await this.#records.append({ kind: 'begun', id: randomId(), at: clock.now(), ...order })
      // It takes the place of what came of an earlier one.
      for (const { id } of former) await this.#records.note({ kind: 'dismissed', id, at: clock.now() })
      this.#paused = null
      this.#publish()
      // A look may have come just before.
      void this.#advance()
    })
  }

  /** Rents nothing more. What is on its way is still seen through. @throws ProblemError storage-failed */
  async stop(id: string): Promise<void> {
    const one = this.#records.get(id)
    if (one === undefined || one.outcome !== null || one.isStopping) return
    await this.#records.append({ kind: 'stopping', id, at: this.#options.clock.now() })
    this.#publish()
    // In its turn: a rental that is just being written down is seen through.
    void this.#advance()
  }

  /** Also where that can't be written: nothing more is rented in this run. */
  async stopAll(): Promise<void> {
    const at = this.#options.clock.now()
    for (const { id } of this.#records.unended()) await this.#records.note({ kind: 'stopping', id, at })
    void this.#advance()
  }

  /** Takes one that has ended out of sight. @throws ProblemError storage-failed */
  async dismiss(id: string): Promise<void> {
    if ((this.#records.get(id)?.outcome ?? null) === null) return
    await this.#records.append({ kind: 'dismissed', id, at: this.#options.clock.now() })
    this.#publish()
  }

  #advance(): Promise<void> {
    return this.#queue.take(async () => {
      await this.#records.writeRest()
      for (const { id } of this.#records.unended()) {
        if (this.#signal?.aborted !== false) return
        try {
          await this.#run.see(id)
        } catch (error) {
          this.#trouble(id, error)
        }
      }
      this.#publish()
    })
  }

  /** Says what is in the way, and waits. */
  #trouble(id: string, error: unknown): void {
    const { log, clock } = this.#options
    const problem: Problem =
      error instanceof ProblemError
        ? error.problem
        : { kind: 'unexpected', id: log.error('A step of an automatic rental failed', error) }
    this.#problems.set(id, problem)
    const ms = Math.min((this.#paused?.ms ?? firstPauseMs / 2) * 2, longestPauseMs)
    const askedMs = problem.kind === 'rate-limited' ? (problem.retryAfterSeconds ?? 0) * 1000 : 0
    this.#paused = { ms: Math.max(ms, askedMs), from: clock.now() }
  }

  #isPaused(): boolean {
    if (this.#paused === null) return false
    const now = this.#options.clock.now()
    return now >= this.#paused.from && now < this.#paused.from + this.#paused.ms
  }

  #clearProblem(id: string): void {
    this.#problems.delete(id)
    this.#paused = null
  }

  #publish(): void {
    const views = [...this.#records.all.value.values()].map((one): AutoRentView => {
      const { id, searchId, name, begunAt, plan, outcome } = one
      return {
        ...{ id, searchId, name, begunAt, plan, outcome },
        instanceIds: countSteps(one.steps).instanceIds,
        isRenting: openRentalOf(one) !== null && outcome === null,
        isStopping: one.isStopping && outcome === null,
        waitsFor: this.#run.waits.get(id) ?? null,
        problem: this.#problems.get(id) ?? null,
      }
    })
    if (!isSameJson(views, this.state.value)) this.state.set(views)
  }
}
