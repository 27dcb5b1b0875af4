import type { Clock } from '../../domain/base/clock.ts'
import type {
  InstanceAction,
  InstanceRecord,
  InstancesSnapshot,
  RentalNotice,
  WatchedInstance,
} from '../../domain/instances/instance.ts'
import { Latest } from '../../domain/base/latest.ts'
import type { Log } from '../../domain/base/log.ts'
import { ProblemError, type Problem } from '../../domain/base/problem.ts'
import { mergeList } from './history.ts'
import { pollIntervalMs } from './poll-interval.ts'

export interface InstanceWatchOptions {
  readonly list: (signal: AbortSignal) => Promise<readonly InstanceRecord[]>
  readonly clock: Clock
  readonly random: () => number
  readonly log: Log
}

const nothingYet: InstancesSnapshot = {
  instances: null,
  fetchedAt: null,
  problem: null,
  nextPollAt: null,
  notices: [],
}

/**
 * One poll for all instances, whoever looks: a request for the list at each interval, plus one right after
 * an action. While stopped it asks nothing.
 */
export class InstanceWatch {
  readonly snapshot = new Latest<InstancesSnapshot>(nothingYet)
  readonly #options: InstanceWatchOptions
  #running: AbortController | null = null
  #nudge: AbortController | null = null
  #failures = 0
  /** What the first list is compared with. */
  #before: readonly WatchedInstance[] = []
  /** Counts requests for a poll; a poll serves those that were made before it began. */
  #wanted = 0
  #served = 0
  readonly #waiting = new Set<() => void>()

  constructor(options: InstanceWatchOptions) {
    this.#options = options
  }

  /**
   * Begins to watch, from nothing.
   *
   * @param before the instances of an earlier run, whose histories go on with the first list; until then they
   *   are not in the snapshot, so that nobody takes them for what the service says
   */
  start(before: readonly WatchedInstance[] = []): void {
    this.stop()
    this.#before = before
    const running = new AbortController()
    this.#running = running
    this.#failures = 0
    void this.#run(running.signal)
  }

  stop(): void {
    this.#running?.abort()
    this.#running = null
    this.snapshot.set({ ...nothingYet, notices: this.snapshot.value.notices })
    this.#served = this.#wanted
    this.#wakeWaiting()
  }

  /** Asks now, and resolves once a list requested after this call has come, or failed to. */
  async refresh(): Promise<void> {
    if (!this.#running) return
    const ticket = ++this.#wanted
    this.#nudge?.abort()
    while (this.#served < ticket) await new Promise<void>((resolve) => this.#waiting.add(resolve))
  }

  setPending(id: number, pending: InstanceAction | null): void {
    this.#change({
      instances:
        this.snapshot.value.instances?.map((one) => (one.id === id ? { ...one, pending } : one)) ?? null,
    })
  }

  setNotices(notices: readonly RentalNotice[]): void {
    this.#change({ notices })
  }

  find(id: number): WatchedInstance | undefined {
    return this.snapshot.value.instances?.find((instance) => instance.id === id)
  }

  async #run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const serving = this.#wanted
      await this.#poll(signal)
      if (signal.aborted) return
      this.#served = serving
      this.#wakeWaiting()
      if (this.#wanted === serving) await this.#pause(signal)
    }
  }

  async #poll(signal: AbortSignal): Promise<void> {
    const { list, clock } = this.#options
    try {
      const records = await list(signal)
      if (signal.aborted) return
      const now = clock.now()
      this.#failures = 0
      const instances = mergeList(this.snapshot.value.instances ?? this.#before, records, now)
      this.#change({ instances, fetchedAt: now, problem: null })
    } catch (error) {
      if (signal.aborted) return
      this.#failures += 1
      this.#change({ problem: this.#problemOf(error) })
    }
  }

  async #pause(signal: AbortSignal): Promise<void> {
    const { clock, random } = this.#options
    const { instances, notices, problem } = this.snapshot.value
    const ms = pollIntervalMs(
      { instances: instances ?? [], notices, problem, failures: this.#failures },
      random(),
    )
    this.#change({ nextPollAt: clock.now() + ms })
    const nudge = new AbortController()
    this.#nudge = nudge
    try {
      await clock.sleep(ms, AbortSignal.any([signal, nudge.signal]))
    } catch (error) {
      // Woken early, by a refresh or by stop(); anything else is a fault.
      if (!nudge.signal.aborted && !signal.aborted) throw error
    }
  }

  #problemOf(error: unknown): Problem {
    if (error instanceof ProblemError) return error.problem
    return { kind: 'unexpected', id: this.#options.log.error('Asking for the instances failed', error) }
  }

  #change(part: Partial<InstancesSnapshot>): void {
    this.snapshot.set({ ...this.snapshot.value, ...part })
  }

  #wakeWaiting(): void {
    for (const resolve of this.#waiting) resolve()
    this.#waiting.clear()
  }
}
