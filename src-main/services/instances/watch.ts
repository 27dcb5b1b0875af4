import type { Clock } from '../../domain/base/clock.ts'
import {
  nothingListed,
  type InstanceAction,
  type InstanceRecord,
  type InstancesSnapshot,
  type RentalNotice,
  type WatchedInstance,
} from '../../domain/instances/instance.ts'
import { Latest } from '../../domain/base/latest.ts'
import type { Log } from '../../domain/base/log.ts'
import { ProblemError, type Problem } from '../../domain/base/problem.ts'
import { outlookOf } from '../../domain/instances/instance-status.ts'
import { advisedPauseSeconds, defaultRestingPauseSeconds } from '../../domain/instances/list-pauses.ts'
import type { RecordList } from '../../domain/rental-api/unreadable-record.ts'
import { mergeList } from './merge-list.ts'

export interface InstanceWatchOptions {
  readonly list: (signal: AbortSignal) => Promise<RecordList<InstanceRecord>>
  /** How long to wait while nobody looks and nothing changes; looked at anew with each `repace`. */
  readonly restingPauseMs?: () => number
  readonly clock: Clock
  readonly random: () => number
  readonly log: Log
}

/** A pause between two polls. */
interface Rest {
  /** ms since the epoch */
  readonly begunAt: number
  /** 0 to below 1 */
  readonly chance: number
}

/**
 * One poll for all instances, whoever looks: a request for the list at each interval, plus one right after
 * an action. While stopped it asks nothing.
 */
export class InstanceWatch {
  readonly snapshot = new Latest<InstancesSnapshot>(nothingListed)
  readonly #options: InstanceWatchOptions
  #running: AbortController | null = null
  #nudge: AbortController | null = null
  #failures = 0
  /** What the first list is compared with. */
  #before: readonly WatchedInstance[] = []
  /** What was asked of instances, whether or not a list has them. */
  readonly #pending = new Map<number, InstanceAction>()
  /** Counts requests for a poll; a poll serves those that were made before it began. */
  #wanted = 0
  #served = 0
  readonly #waiting = new Set<() => void>()
  readonly #pauseLimits = new Set<() => number | null>()

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
    this.snapshot.set({ ...nothingListed, notices: this.snapshot.value.notices })
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

  /**
   * Has the list asked for no later than so long after the last one; back-off after errors goes before it.
   *
   * @param limit in ms, looked at when a pause begins and with each `repace`; `null`: any pause will do
   * @returns takes the limit back
   */
  limitPause(limit: () => number | null): () => void {
    this.#pauseLimits.add(limit)
    this.repace()
    return () => {
      this.#pauseLimits.delete(limit)
      this.repace()
    }
  }

  /** What the pause depends on has changed: the one under way is as long as it would be now. */
  repace(): void {
    this.#nudge?.abort()
  }

  /** For as long as this is followed, somebody looks at instances: the list is asked for as often as the service advises. */
  async *whileShown(signal?: AbortSignal): AsyncGenerator<true, void, void> {
    const takeBack = this.limitPause(() => advisedPauseMs)
    try {
      yield* new Latest<true>(true).watch(signal)
    } finally {
      takeBack()
    }
  }

  /** Until a list shows its effect; `null` to let go of it. */
  setPending(id: number, pending: InstanceAction | null): void {
    this.#note(id, pending)
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
      const rest = await this.#poll(signal)
      if (rest === null) return
      this.#served = serving
      this.#wakeWaiting()
      await this.#pause(signal, { serving, rest })
    }
  }

  /** `null` once the signal is aborted. */
  async #poll(signal: AbortSignal): Promise<Rest | null> {
    const { list, clock } = this.#options
    try {
      const latest = await list(signal)
      if (signal.aborted) return null
      const now = clock.now()
      this.#failures = 0
      const before = this.snapshot.value.instances ?? this.#before
      const instances = mergeList(before, latest, now, (id) => this.#pending.get(id) ?? null)
      for (const { id, pending } of instances) this.#note(id, pending)
      return this.#tell({ instances, unreadable: latest.unreadable, fetchedAt: now, problem: null })
    } catch (error) {
      if (signal.aborted) return null
      this.#failures += 1
      return this.#tell({ problem: this.#problemOf(error) })
    }
  }

  /**
   * Tells what a poll has come to, and at once when the next one will be: a dozen services and each window look through
   * all instances whenever something is told, which takes 0.1 s for a thousand of them.
   */
  #tell(news: Partial<InstancesSnapshot>): Rest {
    const { clock, random } = this.#options
    const rest = { begunAt: clock.now(), chance: random() }
    const snapshot = { ...this.snapshot.value, ...news }
    this.snapshot.set({ ...snapshot, nextPollAt: rest.begunAt + this.#pauseMs(snapshot, rest.chance) })
    return rest
  }

  /** Until it's time for the next list, or one is asked for that `serving` doesn't cover. */
  async #pause(
    signal: AbortSignal,
    { serving, rest }: { readonly serving: number; readonly rest: Rest },
  ): Promise<void> {
    const { clock } = this.#options
    const { begunAt, chance } = rest
    while (!signal.aborted && this.#wanted === serving) {
      const pauseMs = this.#pauseMs(this.snapshot.value, chance)
      // A clock that was set back makes no pause longer.
      const leftMs = Math.min(begunAt + pauseMs - clock.now(), pauseMs)
      if (leftMs <= 0) return
      const nextPollAt = clock.now() + leftMs
      if (nextPollAt !== this.snapshot.value.nextPollAt) this.#change({ nextPollAt })
      const nudge = new AbortController()
      this.#nudge = nudge
      try {
        return await clock.sleep(leftMs, AbortSignal.any([signal, nudge.signal]))
      } catch (error) {
        // Woken early, by a refresh, another pace, or stop(); anything else is a fault.
        if (!nudge.signal.aborted && !signal.aborted) throw error
      }
    }
  }

  #pauseMs({ instances, notices, problem }: InstancesSnapshot, chance: number): number {
    const { restingPauseMs = () => defaultRestingPauseMs } = this.#options
    const limits = [...this.#pauseLimits].map((limit) => limit() ?? Number.POSITIVE_INFINITY)
    const restingMs = restingPauseMs()
    const calmMs = isChanging(instances ?? [], notices) ? advisedPauseMs : Math.min(restingMs, ...limits)
    const limitedMs = Math.max(restingMs, defaultRestingPauseMs)
    return pollIntervalMs({ calmMs, limitedMs, problem, failures: this.#failures }, chance)
  }

  #problemOf(error: unknown): Problem {
    if (error instanceof ProblemError) return error.problem
    return { kind: 'unexpected', id: this.#options.log.error('Asking for the instances failed', error) }
  }

  #note(id: number, pending: InstanceAction | null): void {
    if (pending === null) this.#pending.delete(id)
    else this.#pending.set(id, pending)
  }

  #change(part: Partial<InstancesSnapshot>): void {
    this.snapshot.set({ ...this.snapshot.value, ...part })
  }

  #wakeWaiting(): void {
    for (const resolve of this.#waiting) resolve()
    this.#waiting.clear()
  }
}

export const advisedPauseMs = advisedPauseSeconds * 1000
const defaultRestingPauseMs = defaultRestingPauseSeconds * 1000
const longestMs = 5 * 60_000

/**
 * How long to wait before the list is asked for again, in ms. Failures double it, with jitter so that many
 * clients do not come back together; it is never shorter than what the service asked for, and a service that asks for a
 * pause without a time gets the one at rest, whoever looks.
 *
 * @param chance 0 to below 1
 */
function pollIntervalMs(
  {
    calmMs,
    limitedMs,
    problem,
    failures,
  }: {
    readonly calmMs: number
    /** In place of it when the service asks for a pause. */
    readonly limitedMs: number
    /** The failure of the last poll, and how many have failed in a row. */
    readonly problem: Problem | null
    readonly failures: number
  },
  chance: number,
): number {
  if (problem === null) return calmMs
  const isLimited = problem.kind === 'rate-limited'
  const backedOff =
    Math.min((isLimited ? limitedMs : calmMs) * 2 ** (failures - 1), longestMs) * (1 + chance / 4)
  const asked = isLimited ? (problem.retryAfterSeconds ?? 0) * 1000 : 0
  return Math.max(backedOff, asked)
}

function isChanging(instances: readonly WatchedInstance[], notices: readonly RentalNotice[]): boolean {
  return (
    instances.some((one) => one.pending !== null || outlookOf(one).kind === 'booting') ||
    notices.some(({ outcome }) => outcome.kind === 'checking')
  )
}
