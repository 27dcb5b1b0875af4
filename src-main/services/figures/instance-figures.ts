import type { Clock } from '../../domain/base/clock.ts'
import { Latest } from '../../domain/base/latest.ts'
import type { Log } from '../../domain/base/log.ts'
import type { FiguresState, FiguresView } from '../../domain/figures/figures-view.ts'
import type { Point } from '../../domain/figures/points.ts'
import { ConnectFailed } from '../ssh/connection/connect-failure.ts'
import { connectionLoss } from '../ssh/connection/connection-loss.ts'
import type { ConnectionLease, Connections } from '../ssh/connection/connections.ts'
import { SshFailure } from '../ssh/failure.ts'
import { FiguresHistory } from './figures-history.ts'
import { streamFigures } from './figures-stream.ts'

export interface InstanceFiguresOptions {
  readonly connections: Pick<Connections, 'acquire' | 'regain'>
  /** The text of the script that says figures. */
  readonly script: () => Promise<string>
  readonly clock: Clock
  readonly randomId: () => string
  readonly log: Log
}

/** Seconds between two lines while a page shows them. */
const paceSeconds = 2
const dayMs = 24 * 3_600_000
/** Where data lies on most machines that are rented, besides `/`; one that isn't there doesn't count. */
const folders = ['/workspace']
/** After the script ended by itself. */
const pauseMs = 10_000
const mostSilentEnds = 3
/** A driver that hangs may hold the script up for longer than its tool is given. */
const longestSilenceMs = 60_000

interface Followed {
  readonly view: Latest<FiguresView>
  readonly history: FiguresHistory
  watchers: number
  isAsked: boolean
  /** Ends the stream; `null` while there is none. */
  stop: AbortController | null
}

/** What instances do, from those that were asked for it, for as long as somebody looks. */
export class InstanceFigures {
  readonly #options: InstanceFiguresOptions
  readonly #all = new Map<number, Followed>()
  /** Those that haven't ended yet. */
  readonly #running = new Set<Promise<void>>()
  #isDisposed = false

  constructor(options: InstanceFiguresOptions) {
    this.#options = options
  }

  /** How figures come, and the last ones. They come for as long as this is watched, once they were asked for. */
  async *watch(instanceId: number, signal?: AbortSignal): AsyncGenerator<FiguresView, void, void> {
    const followed = this.#followedOf(instanceId)
    followed.watchers += 1
    this.#startOrStop(instanceId, followed)
    try {
      yield* followed.view.watch(signal)
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
    const followed = this.#followedOf(instanceId)
    followed.isAsked = true
    this.#startOrStop(instanceId, followed)
  }

  hide(instanceId: number): void {
    const followed = this.#followedOf(instanceId)
    followed.isAsked = false
    this.#startOrStop(instanceId, followed)
  }

  async dispose(): Promise<void> {
    this.#isDisposed = true
    for (const { stop } of this.#all.values()) stop?.abort()
    await Promise.all(this.#running)
  }

  #startOrStop(instanceId: number, followed: Followed): void {
    const isWanted = followed.isAsked && followed.watchers > 0 && !this.#isDisposed
    if (!isWanted) {
      followed.stop?.abort()
      followed.stop = null
      this.#show(followed, { kind: 'off' })
    } else if (followed.stop === null) {
      const stop = new AbortController()
      followed.stop = stop
      const running = this.#follow(instanceId, followed, stop.signal).finally(() => {
        this.#running.delete(running)
        if (followed.stop === stop) followed.stop = null
      })
      this.#running.add(running)
    }
  }

  async #follow(instanceId: number, followed: Followed, signal: AbortSignal): Promise<void> {
    const { connections } = this.#options
    const show = (state: FiguresState): void => {
      if (!signal.aborted) this.#show(followed, state)
    }
    show({ kind: 'starting' })
    let silentEnds = 0
    try {
      let lease = await connections.acquire(instanceId, signal)
      for (;;) {
        const hasSaid = await this.#stream(followed, lease, signal)
        if (signal.aborted) return
        silentEnds = hasSaid ? 0 : silentEnds + 1
        if (silentEnds === mostSilentEnds)
          return this.#fail(followed, { kind: 'failed', why: 'nothing-said' })
        show({ kind: 'starting' })
        await this.#options.clock.sleep(pauseMs, signal)
        lease = await connections.regain(instanceId, signal)
      }
    } catch (error) {
      if (!signal.aborted) this.#fail(followed, this.#failureOf(instanceId, error))
    }
  }

  /** Whether it said anything before it ended, and the connection with it or not. @throws SshFailure channel-refused */
  async #stream(followed: Followed, lease: ConnectionLease, signal: AbortSignal): Promise<boolean> {
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
        ...{ lease, script: await script(), paceSeconds, folders },
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

  /** The user may ask again. */
  #fail(followed: Followed, state: FiguresState): void {
    followed.isAsked = false
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
      history: new FiguresHistory(),
      ...{ watchers: 0, isAsked: false, stop: null },
    }
    this.#all.set(instanceId, made)
    return made
  }
}
