import type { Clock } from '../../domain/base/clock.ts'
import { Latest } from '../../domain/base/latest.ts'
import type { Log } from '../../domain/base/log.ts'
import { hasLasted } from '../../domain/ssh/connection-lifecycle.ts'
import type { FiguresState, FiguresView } from '../../domain/figures/figures-view.ts'
import type { Point } from '../../domain/figures/points.ts'
import { ConnectFailed } from '../ssh/connection/connect-failure.ts'
import { connectionLoss } from '../ssh/connection/connection-loss.ts'
import type { ConnectionLease, Connections } from '../ssh/connection/connections.ts'
import { SshFailure } from '../ssh/failure.ts'
import { FiguresHistory } from './figures-history.ts'
import { streamFigures, type FiguresStreamOptions } from './figures-stream.ts'

export interface InstanceFiguresOptions {
  readonly connections: Pick<Connections, 'acquire' | 'regain' | 'join'>
  /** The text of the script that says figures. */
  readonly script: () => Promise<string>
  readonly clock: Clock
  readonly randomId: () => string
  readonly log: Log
}

/** Seconds between two lines: while a page shows them, and for the list and alarms. */
const paces = { page: 2, list: 10 } as const
const dayMs = 24 * 3_600_000
/** Where data lies on most machines that are rented, besides `/`; one that isn't there doesn't count. */
const folders = ['/workspace']
/** After the script ended by itself. */
const pauseMs = 10_000
const mostSilentEnds = 3
/** A driver that hangs may hold the script up for longer than its tool is given. */
const longestSilenceMs = 60_000

/**
 * How an instance is reached for the list: by a connection that asks its user nothing, or over one that others hold, for
 * as long as they do.
 */
export type ListManner = 'quiet' | 'guest'

/** How figures are got: `asked`, as the user asked for them on the page, who may be asked back what a connection needs. */
interface Wanted {
  readonly manner: 'asked' | ListManner
  readonly pace: keyof typeof paces
}

interface Followed {
  readonly view: Latest<FiguresView>
  readonly history: FiguresHistory
  readonly last: FiguresStreamOptions['last']
  watchers: number
  /** `null`: the user has said neither; the page then shows what comes for the list. */
  isAsked: boolean | null
  /** What the list wants, until that ends. */
  listed: ListManner | null
  /** How the last stream for the list ended; `null` when it was no longer wanted. */
  end: ListEnd | null
  stream: FiguresStream | null
}

type FiguresStream = Wanted & {
  readonly stop: AbortController
  ended: Promise<void>
  isConnecting: boolean
}

/** How a stream for the list ended. */
export interface ListEnd {
  /** It said figures, and not only for a moment. */
  readonly hasLasted: boolean
  /** Whether trying again makes sense. */
  readonly isPassing: boolean
}

/** What instances do, from those that were asked for it or that the list wants: one stream from each, for all who look. */
export class InstanceFigures {
  readonly #options: InstanceFiguresOptions
  readonly #all = new Map<number, Followed>()
  /** Those that haven't ended yet. */
  readonly #running = new Set<Promise<void>>()
  #isDisposed = false

  constructor(options: InstanceFiguresOptions) {
    this.#options = options
  }

  /** How figures come, and the last ones. Those that were asked for come for as long as this is watched. */
  async *watch(instanceId: number, signal?: AbortSignal): AsyncGenerator<FiguresView, void, void> {
    const followed = this.#followedOf(instanceId)
    followed.watchers += 1
    this.#startOrStop(instanceId, followed)
    try {
      for await (const view of followed.view.watch(signal))
        yield followed.isAsked === false ? { ...view, state: { kind: 'off' } } : view
    } finally {
      followed.watchers -= 1
      this.#startOrStop(instanceId, followed)
    }
  }

  /** Points of the last day that Slipway has, then those that come. */
  async *watchPoints(instanceId: number, signal?: AbortSignal): AsyncGenerator<readonly Point[], void, void> {
    const { view, history } = this.#followedOf(instanceId)
    let told = this.#options.clock.now() - dayMs
    // A clock that was set back is behind what was told.
    for await (const _ of view.watch(signal)) {
      const points = history.since(Math.min(told, this.#options.clock.now()) + 1)
      if (points.length === 0) continue
      told = points.at(-1)?.at ?? told
      yield points
    }
  }

  /** Connects to the instance, and has it say its figures while somebody looks. */
  show(instanceId: number): void {
    this.#ask(instanceId, true)
  }

  hide(instanceId: number): void {
    this.#ask(instanceId, false)
  }

  /** Has an instance say its figures once, until its connection or what is said ends; `null`: no more. */
  list(instanceId: number, manner: ListManner | null): void {
    const followed = this.#followedOf(instanceId)
    followed.listed = manner
    followed.end = null
    this.#startOrStop(instanceId, followed)
  }

  /** What the list wants of an instance, or how that ended, and the last figures. */
  listing(
    instanceId: number,
  ): Pick<Followed, 'listed' | 'end'> &
    FiguresView & { readonly isStreaming: boolean; readonly isConnecting: boolean } {
    const { listed, end, stream, view } = this.#followedOf(instanceId)
    return {
      listed,
      end,
      isStreaming: stream !== null,
      isConnecting: stream?.isConnecting ?? false,
      ...view.value,
    }
  }

  /** The instances that say their figures, or are to. */
  get streaming(): readonly number[] {
    return [...this.#all].filter(([, { stream }]) => stream !== null).map(([id]) => id)
  }

  /**
   * Ends what an instance says for the list only, where a shell needs its session; the list tries again later.
   *
   * @returns whether it said anything, once that has ended
   */
  async makeRoom(instanceId: number): Promise<boolean> {
    const followed = this.#all.get(instanceId)
    const stream = followed?.stream ?? null
    if (followed === undefined || stream === null || stream.manner === 'asked') return false
    stream.stop.abort()
    this.#end(followed, stream, { kind: 'off' }, { hasLasted: false, isPassing: true })
    await stream.ended
    return true
  }

  /** Forgets what instances did that are no longer there, unless somebody looks at it or it still comes. */
  keepOnly(instanceIds: readonly number[]): void {
    const kept = new Set(instanceIds)
    for (const [id, { watchers, stream }] of this.#all)
      if (!kept.has(id) && watchers === 0 && stream === null) this.#all.delete(id)
  }

  async dispose(): Promise<void> {
    this.#isDisposed = true
    for (const { stream } of this.#all.values()) stream?.stop.abort()
    await Promise.all(this.#running)
  }

  #ask(instanceId: number, isAsked: boolean): void {
    const followed = this.#followedOf(instanceId)
    followed.isAsked = isAsked
    this.#startOrStop(instanceId, followed)
    // What its page shows may have changed without that of the stream.
    followed.view.set({ ...followed.view.value })
  }

  #wantedOf({ watchers, isAsked, listed }: Followed): Wanted | null {
    if (this.#isDisposed) return null
    const isShown = watchers > 0 && isAsked !== false
    if (isShown && isAsked === true) return { manner: 'asked', pace: 'page' }
    return listed && { manner: listed, pace: isShown ? 'page' : 'list' }
  }

  #startOrStop(instanceId: number, followed: Followed): void {
    const wanted = this.#wantedOf(followed)
    const { stream } = followed
    const isSame = stream?.manner === wanted?.manner && stream?.pace === wanted?.pace
    // One that made room is on its end: what is wanted meanwhile begins anew.
    if (isSame && wanted !== null && stream?.stop.signal.aborted === false) return
    followed.stream = null
    if (wanted === null) this.#show(followed, { kind: 'off' })
    else {
      const next = { ...wanted, stop: new AbortController(), ended: Promise.resolve(), isConnecting: true }
      followed.stream = next
      const running = this.#follow(instanceId, followed, next).finally(() => {
        this.#running.delete(running)
        if (followed.stream === next) followed.stream = null
      })
      next.ended = running
      this.#running.add(running)
    }
    // After the next one has its share in the connection, which ends with the last one.
    stream?.stop.abort()
  }

  async #follow(instanceId: number, followed: Followed, stream: FiguresStream): Promise<void> {
    const { connections, clock } = this.#options
    const { manner, pace } = stream
    const { signal } = stream.stop
    // One that takes another's place goes on where that was.
    if (followed.view.value.state.kind !== 'live') {
      followed.last.reading = null
      this.#show(followed, { kind: 'starting' })
    }
    try {
      if (manner === 'asked') await this.#followOn(instanceId, followed, stream)
      else {
        const lease =
          manner === 'guest'
            ? connections.join(instanceId)
            : await connections.acquire(instanceId, signal, 'quiet')
        stream.isConnecting = false
        const since = clock.now()
        const hasSaid = lease !== null && (await this.#stream(followed, lease, pace, signal))
        const isLasting = hasSaid && hasLasted(since, clock.now())
        if (!signal.aborted)
          this.#end(followed, stream, { kind: 'off' }, { hasLasted: isLasting, isPassing: true })
      }
    } catch (error) {
      if (signal.aborted) return
      const isPassing = error instanceof SshFailure || (error instanceof ConnectFailed && error.isPassing)
      this.#end(followed, stream, this.#failureOf(instanceId, error), { hasLasted: false, isPassing })
    }
  }

  /** Until it's no longer wanted, also over connections that are lost. @throws ConnectFailed; SshFailure channel-refused */
  async #followOn(instanceId: number, followed: Followed, stream: FiguresStream): Promise<void> {
    const { connections, clock } = this.#options
    const { signal } = stream.stop
    let silentEnds = 0
    let lease = await connections.acquire(instanceId, signal)
    for (;;) {
      stream.isConnecting = false
      const hasSaid = await this.#stream(followed, lease, 'page', signal)
      if (signal.aborted) return
      silentEnds = hasSaid ? 0 : silentEnds + 1
      if (silentEnds === mostSilentEnds)
        return this.#end(
          followed,
          stream,
          { kind: 'failed', why: 'nothing-said' },
          { hasLasted: false, isPassing: true },
        )
      this.#show(followed, { kind: 'starting' })
      await clock.sleep(pauseMs, signal)
      stream.isConnecting = true
      lease = await connections.regain(instanceId, signal)
    }
  }

  /** Whether it said anything before it ended, and the connection with it or not. @throws SshFailure channel-refused */
  async #stream(
    followed: Followed,
    lease: ConnectionLease,
    pace: Wanted['pace'],
    signal: AbortSignal,
  ): Promise<boolean> {
    const { clock, script } = this.#options
    const silence = new AbortController()
    let heardAt = clock.now()
    let hasSaid = false
    const watchSilence = async (): Promise<void> => {
      while (clock.now() - heardAt < longestSilenceMs) await clock.sleep(pauseMs, silence.signal)
      silence.abort()
    }
    watchSilence().catch(() => undefined) // it has ended
    try {
      await streamFigures({
        ...this.#options,
        ...{ lease, script: await script(), paceSeconds: paces[pace], folders, last: followed.last },
        signal: AbortSignal.any([signal, silence.signal]),
        onFigures: (figures) => {
          hasSaid = true
          heardAt = clock.now()
          followed.history.add(figures)
          if (!signal.aborted) followed.view.set({ state: { kind: 'live' }, figures })
        },
      })
      return hasSaid
    } catch (error) {
      if (silence.signal.aborted && !signal.aborted) return hasSaid
      // A link that is lost opens no channel either: it's waited for.
      if (error instanceof SshFailure && (await connectionLoss(lease, clock)) !== null) return hasSaid
      throw error
    } finally {
      silence.abort()
      lease.release()
    }
  }

  #failureOf(instanceId: number, error: unknown): FiguresState {
    if (error instanceof ConnectFailed) return { kind: 'not-connected', failure: error.failure }
    if (error instanceof SshFailure) return { kind: 'failed', why: 'channel-refused' }
    const id = this.#options.log.error(`Figures of instance ${instanceId} could not be read`, error)
    const problem = { kind: 'unreachable', detail: { code: 'fault', logId: id } } as const
    return { kind: 'not-connected', failure: { kind: 'failed', problem, address: null } }
  }

  /** The user and the list may ask again. */
  #end(followed: Followed, { manner }: Wanted, state: FiguresState, end: ListEnd): void {
    // What a page has asked for outlasts a stream for the list; who has hidden them has hidden those of the list as well.
    if (manner === 'asked' && followed.isAsked === true) followed.isAsked = null
    if (followed.listed !== null) followed.end = end
    followed.listed = null
    this.#show(followed, state)
  }

  #show({ view }: Followed, state: FiguresState): void {
    if (view.value.state.kind === 'off' && state.kind === 'off') return
    view.set({ ...view.value, state })
  }

  #followedOf(instanceId: number): Followed {
    const known = this.#all.get(instanceId)
    if (known) return known
    const made: Followed = {
      view: new Latest<FiguresView>({ state: { kind: 'off' }, figures: null }),
      ...{ history: new FiguresHistory(), last: { reading: null } },
      ...{ watchers: 0, isAsked: null, listed: null, end: null, stream: null },
    }
    this.#all.set(instanceId, made)
    return made
  }
}
