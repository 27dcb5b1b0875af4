import type { Clock } from '../../domain/base/clock.ts'
import { Latest } from '../../domain/base/latest.ts'
import type { Log } from '../../domain/base/log.ts'
import { SerialQueue } from '../../domain/base/serial-queue.ts'
import {
  costLimit,
  countOn,
  isNear,
  isOver,
  isWorthKeeping,
  limitDueAt,
  limitView,
  newLimit,
  uncountedIn,
  type CostLimit,
  type CostLimitView,
} from '../../domain/guards/cost-limit.ts'
import { startedAtMs } from '../../domain/instances/instance-identity.ts'
import { isHalted } from '../../domain/instances/instance-status.ts'
import type { WatchedInstance } from '../../domain/instances/instance.ts'
import { defaultRestingPauseSeconds } from '../../domain/instances/list-pauses.ts'
import {
  limitReachedNotification,
  limitSoonNotification,
  limitUnsavedNotification,
  type Notification,
} from '../../domain/notifications/notification.ts'
import { ticks } from '../instances/ticks.ts'
import type { InstanceWatch } from '../instances/watch.ts'
import type { JsonFile, JsonFileShape } from '../storage/json-file.ts'
import type { GuardStore } from './guard-store.ts'

export const costLimitFile: JsonFileShape<CostLimit | null> = {
  schema: costLimit.nullable(),
  fallback: null,
}

export interface CostLimitWatchOptions {
  readonly file: JsonFile<CostLimit | null>
  readonly store: Pick<GuardStore, 'stopAll' | 'callOffStops'>
  readonly watch: Pick<InstanceWatch, 'snapshot' | 'limitPause' | 'repace'>
  readonly notify: (notification: Notification) => void
  readonly clock: Clock
  readonly log: Log
}

const tickMs = 15_000

/** Counts what all instances cost together, and has them stopped once they have cost as much as they may. */
export class CostLimitWatch {
  readonly state = new Latest<CostLimitView | null>(null)
  readonly #options: CostLimitWatchOptions
  readonly #queue = new SerialQueue()
  /** The kept one, counted on to the last list. */
  #limit: CostLimit | null
  /** When the last list came that was looked at in this run. */
  #lookedAt: number | null = null
  #isUnsavedTold = false

  constructor(options: CostLimitWatchOptions) {
    this.#options = options
    this.#limit = options.file.value
    this.#show()
  }

  async follow(signal: AbortSignal): Promise<void> {
    const { watch, clock } = this.#options
    watch.limitPause(() => (this.#limit === null ? null : defaultRestingPauseSeconds * 1000))
    for await (const _ of ticks(watch.snapshot, { clock, everyMs: tickMs, signal }))
      await this.#queue.take(() => this.#look())
    await this.#queue.take(() => this.#write())
  }

  /**
   * In the place of a former one, whose count goes on. What that one has begun to stop is called off.
   *
   * @throws ProblemError storage-failed: the former one holds then
   */
  async set(usd: number): Promise<void> {
    const { watch, clock } = this.#options
    await this.#replace(() => newLimit(usd, this.#limit, watch.snapshot.value, clock.now()))
    // With a limit the list must not get as old as it may without one.
    watch.repace()
  }

  /** @throws ProblemError storage-failed: it holds on then */
  remove(): Promise<void> {
    return this.#replace(() => null)
  }

  #replace(make: () => CostLimit | null): Promise<void> {
    const { file, store } = this.#options
    return this.#queue.take(async () => {
      const next = make()
      // First: if the rest fails, the former limit gives them again.
      await store.callOffStops()
      await file.write(next)
      // What was listed before the limit isn't counted.
      if (this.#limit === null) this.#lookedAt = this.#options.watch.snapshot.value.fetchedAt
      this.#limit = next
      this.#isUnsavedTold = false
      this.#show()
    })
  }

  async #look(): Promise<void> {
    const { watch, clock } = this.#options
    const { instances, problem, fetchedAt } = watch.snapshot.value
    const isNew = problem === null && fetchedAt !== null && fetchedAt !== this.#lookedAt
    // Only a list of now says what is charged, and what would be stopped. Each one counts once.
    if (this.#limit !== null && instances !== null && isNew) {
      this.#lookedAt = fetchedAt
      this.#limit = await this.#judge(countOn(this.#limit, instances, fetchedAt), instances, clock.now())
      const kept = this.#options.file.value
      if (this.#limit === null || kept === null || isWorthKeeping(kept, this.#limit)) await this.#write()
    }
    this.#show()
  }

  /** Resolves with the limit as it is from now on. */
  async #judge(
    limit: CostLimit,
    instances: readonly WatchedInstance[],
    now: number,
  ): Promise<CostLimit | null> {
    const { notify } = this.#options
    const running = instances.filter((one) => !isHalted(one))
    if (limit.reachedAt !== null) {
      if (isOver(limit, now)) return null
      // What was rented since has no limit.
      const { reachedAt } = limit
      await this.#stop(
        running.filter(({ record }) => (startedAtMs(record) ?? 0) <= reachedAt),
        limit,
      )
      return limit
    }
    if (isNear(limit, now)) {
      // Nothing would be stopped: what is started later is warned of then.
      if (running.length === 0) return limit
      notify(limitSoonNotification(limit.usd))
      return { ...limit, warnedAt: now }
    }
    const dueAt = limitDueAt(limit, now)
    if (limit.warnedAt === null || dueAt === null || dueAt > now) return limit
    notify(
      limitReachedNotification(limit.usd, running.length, uncountedIn(this.#options.watch.snapshot.value)),
    )
    await this.#stop(running, limit)
    return { ...limit, reachedAt: now }
  }

  async #stop(running: readonly WatchedInstance[], { usd }: CostLimit): Promise<void> {
    const { store, notify, log } = this.#options
    try {
      await store.stopAll(
        running.map(({ id }) => id),
        usd,
      )
    } catch (error) {
      // The next list tries again.
      log.error('Instances could not be given the rule that stops them at the cost limit', error)
      if (!this.#isUnsavedTold) notify(limitUnsavedNotification(usd))
      this.#isUnsavedTold = true
    }
  }

  /** A failure to write it costs nothing now: the next start counts from the kept one. */
  async #write(): Promise<void> {
    const { file, log } = this.#options
    if (file.value === this.#limit) return
    try {
      await file.write(this.#limit)
    } catch (error) {
      log.error('The cost limit could not be written; it holds until Slipway quits', error)
    }
  }

  #show(): void {
    const { watch, clock } = this.#options
    this.state.set(this.#limit && limitView(this.#limit, watch.snapshot.value, clock.now()))
  }
}
