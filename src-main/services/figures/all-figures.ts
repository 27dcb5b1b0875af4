import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '../../domain/base/clock.ts'
import { Latest } from '../../domain/base/latest.ts'
import type { Figures } from '../../domain/figures/figures.ts'
import type { FiguresAlarm, FiguresAlarms } from '../../domain/figures/figures-alarm.ts'
import type { FiguresSummary } from '../../domain/figures/figures-summary.ts'
import { pointOf } from '../../domain/figures/points.ts'
import { awaitedAction, outlookOf } from '../../domain/instances/instance-status.ts'
import { wholeListAt, type WatchedInstance } from '../../domain/instances/instance.ts'
import { chargeOf } from '../../domain/money/money.ts'
import type { Notification } from '../../domain/notifications/notification.ts'
import type { Preferences } from '../../domain/settings/settings.ts'
import { waitsForUser } from '../../domain/ssh/connection-lifecycle.ts'
import { sshAddressesOf } from '../../domain/ssh/ssh-address.ts'
import { ticks } from '../instances/ticks.ts'
import type { InstanceWatch } from '../instances/watch.ts'
import type { Connections } from '../ssh/connection/connections.ts'
import { AlarmNews } from './alarm-news.ts'
import { GpuLine } from './gpu-line.ts'
import { fullestDisk, healthAfter, isIdle, type Health } from './health.ts'
import type { InstanceFigures, ListEnd, ListManner } from './instance-figures.ts'

export interface AllFiguresOptions {
  readonly figures: Pick<InstanceFigures, 'list' | 'listing' | 'streaming' | 'keepOnly'>
  readonly connections: Pick<Connections, 'list'>
  readonly watch: Pick<InstanceWatch, 'snapshot'>
  readonly preferences: Pick<Latest<Preferences>, 'value'>
  readonly clock: Clock
  readonly notify: (notification: Notification) => void
}

/** How often it's seen who is to say figures, and the least between two sendings of them all. */
const tickMs = 2_000
/** Of all figures that come for the list. */
const mostStreams = 100
/** Each connection is a login, with its keys and signatures. */
const mostConnecting = 4
/** Before an instance that couldn't be reached is tried again; doubled each time, up to the longest. */
const firstPauseMs = 10_000
const longestPauseMs = 15 * 60_000
/** Older figures say nothing of now: they come every 10 s, and a tool that hangs is given as long. */
const freshMs = 60_000

interface Kept {
  /** Not to be tried before; `null`: only once somebody has connected. */
  nextAt: number | null
  failures: number
  /** The last end that was noted. */
  end: ListEnd | null
  /** The last figures that were taken in, or that were there before it ran. */
  figures: Figures | null
  health: Health | null
  readonly line: GpuLine
}

/**
 * What all instances do that are reached: those that somebody is connected to while the list is looked at, and all that run
 * if the user wants that. Nobody is asked for a connection; figures come slower than for a page.
 */
export class AllFigures {
  readonly alarms = new Latest<FiguresAlarms>([])
  readonly #summaries = new Latest<readonly FiguresSummary[]>([])
  readonly #options: AllFiguresOptions
  readonly #kept = new Map<number, Kept>()
  readonly #news = new AlarmNews()
  #watchers = 0

  constructor(options: AllFiguresOptions) {
    this.#options = options
  }

  async follow(signal: AbortSignal): Promise<void> {
    const { watch, clock } = this.#options
    let lookedAt = Number.NEGATIVE_INFINITY
    for await (const _ of ticks(watch.snapshot, { clock, everyMs: tickMs, signal })) {
      const now = clock.now()
      // Lists may come fast, one after the other.
      if (Math.abs(now - lookedAt) < tickMs / 2) continue
      lookedAt = now
      this.#look(now)
    }
  }

  /** A summary of each instance whose figures come, or were to; at most one sending a second. */
  async *watchAll(signal?: AbortSignal): AsyncGenerator<readonly FiguresSummary[], void, void> {
    this.#watchers += 1
    // While nobody looked, they were not made.
    if (this.#watchers === 1) this.#summarize(this.#options.clock.now())
    try {
      yield* this.#summaries.watch(signal)
    } finally {
      this.#watchers -= 1
    }
  }

  #look(now: number): void {
    const { figures } = this.#options
    const running = this.#running()
    for (const id of this.#kept.keys())
      if (!running.has(id)) {
        figures.list(id, null)
        this.#kept.delete(id)
      }
    const { instances, ...listed } = this.#options.watch.snapshot.value
    if (instances !== null && wholeListAt(listed) !== null) figures.keepOnly(instances.map(({ id }) => id))
    this.#reach(running, now)
    for (const id of figures.streaming) if (running.has(id)) this.#keptOf(id)
    const alarms = [...this.#kept].flatMap(([instanceId, kept]) => {
      const instance = running.get(instanceId)
      const ofOne = instance === undefined ? [] : this.#takeIn(instance, kept, now)
      const lasting = kept.health?.told ?? []
      return lasting.length === 0 ? [] : [{ instanceId, alarms: ofOne, lasting }]
    })
    if (!isDeepStrictEqual(alarms, this.alarms.value)) this.alarms.set(alarms)
    for (const notification of this.#news.take(alarms, now)) this.#options.notify(notification)
    if (this.#watchers > 0) this.#summarize(now)
  }

  #summarize(now: number): void {
    const summaries = [...this.#kept].flatMap(([id, kept]) => this.#summaryOf(id, kept, now) ?? [])
    if (!isDeepStrictEqual(summaries, this.#summaries.value)) this.#summaries.set(summaries)
  }

  /** Those that run, and have an address. */
  #running(): ReadonlyMap<number, WatchedInstance> {
    const { instances } = this.#options.watch.snapshot.value
    const all = (instances ?? []).filter(
      (one) => outlookOf(one).kind === 'ready' && sshAddressesOf(one.record).preferred !== null,
    )
    return new Map(all.map((one) => [one.id, one]))
  }

  #reach(running: ReadonlyMap<number, WatchedInstance>, now: number): void {
    const { figures, connections, preferences } = this.#options
    const states = new Map(connections.list.value.map(({ instanceId, state }) => [instanceId, state]))
    const isOpen = (id: number): boolean => states.get(id)?.kind === 'open'
    const isAsked = (id: number): boolean => waitsForUser(states.get(id) ?? { kind: 'idle' })
    /** Somebody else waits there for the user, or for the next try. */
    const isTaken = (id: number): boolean => isAsked(id) || states.get(id)?.kind === 'waiting'
    const mannerOf = (id: number): ListManner | null => {
      if (preferences.value.showsAllFigures) return 'quiet'
      return this.#watchers > 0 && isOpen(id) ? 'guest' : null
    }
    const waiting: number[] = []
    let streams = 0
    let connecting = 0
    for (const [id, instance] of running) {
      const manner = mannerOf(id)
      const kept = manner === null ? this.#kept.get(id) : this.#keptOf(id)
      if (kept === undefined) continue
      const { listed, end, isConnecting } = figures.listing(id)
      if (manner === null) {
        if (listed !== null || end !== null) figures.list(id, null)
        Object.assign(kept, untried)
        continue
      }
      if (end !== null && end !== kept.end) noteEnd(kept, end, now)
      if (listed === null) {
        // One that is about to end isn't begun with.
        const isFree = !isTaken(id) && awaitedAction(instance) === null
        if (isFree && isDue(kept, isOpen(id), now)) waiting.push(id)
        continue
      }
      streams += 1
      // Somebody else has asked something there, and waits for the user: that holds up nobody.
      if (listed === 'quiet' && isConnecting && !isAsked(id)) connecting += 1
      if (listed !== manner) figures.list(id, manner)
    }
    for (const id of waiting) {
      if (streams >= mostStreams) return
      if (!isOpen(id) && connecting >= mostConnecting) continue
      figures.list(id, mannerOf(id))
      streams += 1
      if (!isOpen(id)) connecting += 1
    }
  }

  /** Takes in what is new of an instance; answers what warns now. */
  #takeIn(instance: WatchedInstance, kept: Kept, now: number): readonly FiguresAlarm[] {
    const { figures: all, preferences } = this.#options
    const { figures } = all.listing(instance.id)
    const settings = preferences.value.notifications
    if (figures !== null && figures !== kept.figures) {
      kept.figures = figures
      kept.line.add(figures.at, pointOf(figures).gpu)
      const { health, news } = healthAfter(kept.health, figures, settings.idleGpuMinutes * 60_000)
      kept.health = health
      this.#news.add(instance.id, news, chargeOf(instance).perHourUsd)
    }
    // A stop that failed, or had no effect, leaves an instance that is paid for: its alarms are back.
    if (kept.health === null || !isFresh(kept.health.at, now) || awaitedAction(instance) !== null) return []
    return kept.health.alarms.filter(({ kind }) => settings[kind])
  }

  #summaryOf(instanceId: number, { health, line, figures }: Kept, now: number): FiguresSummary | null {
    const { listed, end, isStreaming, state } = this.#options.figures.listing(instanceId)
    if (listed === null && end === null && !isStreaming) return null
    const kind =
      state.kind === 'live' ? 'live' : state.kind === 'starting' ? 'connecting' : ('not-connected' as const)
    const known = health !== null && isFresh(health.at, now) ? figures : null
    const point = known && pointOf(known)
    return {
      ...{ instanceId, kind, gpu: point?.gpu ?? null, gpuLine: line.read(now) },
      gpuMemory: point?.gpuMemory ?? null,
      disk: (known && fullestDisk(known)?.percent) ?? null,
      isIdle: known !== null && isIdle(known) === true,
    }
  }

  #keptOf(id: number): Kept {
    const known = this.#kept.get(id)
    if (known) return known
    const { figures } = this.#options.figures.listing(id)
    const made: Kept = { ...untried, figures, health: null, line: new GpuLine() }
    this.#kept.set(id, made)
    return made
  }
}

const untried = { nextAt: 0, failures: 0, end: null } as const

function noteEnd(kept: Kept, end: ListEnd, now: number): void {
  kept.end = end
  kept.failures = end.hasLasted ? 0 : kept.failures + 1
  const pauseMs = firstPauseMs * 2 ** Math.max(0, kept.failures - 1)
  kept.nextAt = end.isPassing ? now + Math.min(pauseMs, longestPauseMs) : null
}

/** A time that is farther off than any pause was planned before the clock was set back. */
function isDue({ nextAt }: Kept, isOpen: boolean, now: number): boolean {
  return nextAt === null ? isOpen : nextAt <= now || nextAt > now + longestPauseMs
}

function isFresh(at: number, now: number): boolean {
  return Math.abs(now - at) <= freshMs
}
