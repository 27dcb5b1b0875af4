import type { Clock } from '../../domain/base/clock.ts'
import { Latest } from '../../domain/base/latest.ts'
import type { Log } from '../../domain/base/log.ts'
import { SerialQueue } from '../../domain/base/serial-queue.ts'
import {
  costLimit,
  countOn,
  isNear,
  isWorthKeeping,
  limitDueAt,
  limitView,
  newLimit,
  type CostLimit,
  type CostLimitView,
} from '../../domain/guards/cost-limit.ts'
import { isHalted } from '../../domain/instances/instance-status.ts'
import { defaultRestingPauseSeconds } from '../../domain/instances/list-pauses.ts'
import {
  limitReachedNotification,
  limitSoonNotification,
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
  readonly store: Pick<GuardStore, 'stopAll'>
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

  constructor(options: CostLimitWatchOptions) {
    this.#options = options
    this.#limit = options.file.value
    this.#show()
  }

  async follow(signal: AbortSignal): Promise<void> {
    const { watch, clock, log } = this.#options
    watch.limitPause(() => (this.#limit === null ? null : defaultRestingPauseSeconds * 1000))
    for await (const _ of ticks(watch.snapshot, { clock, everyMs: tickMs, signal })) {
      try {
        await this.#queue.take(() => this.#look())
      } catch (error) {
        log.error('The cost limit could not be looked at; it is looked at again', error)
      }
    }
    const { file } = this.#options
    if (this.#limit !== null) await file.write(this.#limit)
  }

  /** In the place of the former one; counts from now. @throws ProblemError storage-failed: the former one holds then */
  async set(usd: number): Promise<void> {
    const { watch, clock } = this.#options
    await this.#queue.take(() => this.#keep(newLimit(usd, watch.snapshot.value.instances, clock.now())))
    // With a limit the list must not get as old as it may without one.
    watch.repace()
  }

  /** @throws ProblemError storage-failed: it holds on then */
  async remove(): Promise<void> {
    await this.#queue.take(() => this.#keep(null))
  }

  async #look(): Promise<void> {
    const { watch, clock, notify, store } = this.#options
    const { instances, problem } = watch.snapshot.value
    // An old list says nothing of what is charged now.
    if (this.#limit === null || instances === null || problem !== null) return this.#show()
    const now = clock.now()
    let limit = countOn(this.#limit, instances, now)
    const dueAt = limitDueAt(limit, now)
    if (isNear(limit, now)) {
      limit = { ...limit, warnedAt: now }
      notify(limitSoonNotification(limit.usd))
    } else if (limit.warnedAt !== null && dueAt !== null && dueAt <= now) {
      const running = instances.filter((one) => !isHalted(one))
      await store.stopAll(
        running.map(({ id }) => id),
        limit.usd,
      )
      await this.#keep(null)
      return notify(limitReachedNotification(limit.usd, running.length))
    }
    if (isWorthKeeping(this.#options.file.value ?? limit, limit)) return this.#keep(limit)
    this.#limit = limit
    this.#show()
  }

  async #keep(limit: CostLimit | null): Promise<void> {
    await this.#options.file.write(limit)
    this.#limit = limit
    this.#show()
  }

  #show(): void {
    const { watch, clock } = this.#options
    this.state.set(this.#limit && limitView(this.#limit, watch.snapshot.value.instances, clock.now()))
  }
}
