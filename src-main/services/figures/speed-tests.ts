import { Latest } from '../../domain/base/latest.ts'
import type { Clock } from '../../domain/base/clock.ts'
import type { Log } from '../../domain/base/log.ts'
import type { SpeedPart, SpeedTestView } from '../../domain/figures/speed-test.ts'
import type { ConnectionLease, Connections } from '../ssh/connection/connections.ts'
import { machineFailureOf, nothingSaid } from './machine-failed.ts'
import type { MachineNotesStore } from './machine-notes.ts'
import {
  CommandLeft,
  measureDisk,
  measureDown,
  measureUp,
  type SpeedMeasureOptions,
} from './speed-measures.ts'

export interface SpeedTestsOptions {
  readonly connections: Pick<Connections, 'acquire'>
  readonly notes: MachineNotesStore
  /** The text of the script that writes to the disk. */
  readonly diskScript: () => Promise<string>
  readonly clock: Clock
  readonly randomId: () => string
  readonly log: Log
}

/** The window shows no more of how far it is. */
const shownEveryMs = 250

interface Running {
  readonly stop: AbortController
  readonly ended: Promise<void>
}

/** How fast instances' disks and their connections with this computer are, measured when the user asks. */
export class SpeedTests {
  readonly #options: SpeedTestsOptions
  readonly #views = new Map<number, Latest<SpeedTestView>>()
  readonly #running = new Map<number, Running>()
  #isDisposed = false

  constructor(options: SpeedTestsOptions) {
    this.#options = options
  }

  watch(instanceId: number, signal?: AbortSignal): AsyncGenerator<SpeedTestView, void, void> {
    const view = this.#viewOf(instanceId)
    const { state } = view.value
    // That one was canceled is told where it was done, and not at every visit.
    this.#show(instanceId, state.kind === 'canceled' ? { kind: 'idle' } : state)
    return view.watch(signal)
  }

  /** Connects to the instance, and measures. */
  start(instanceId: number): void {
    if (this.#running.has(instanceId) || this.#isDisposed) return
    const stop = new AbortController()
    const ended = this.#test(instanceId, stop.signal).finally(() => this.#running.delete(instanceId))
    this.#running.set(instanceId, { stop, ended })
  }

  /** Resolves when it has ended. */
  async cancel(instanceId: number): Promise<void> {
    const running = this.#running.get(instanceId)
    running?.stop.abort()
    await running?.ended
  }

  async dispose(): Promise<void> {
    this.#isDisposed = true
    const running = [...this.#running.values()]
    for (const { stop } of running) stop.abort()
    await Promise.all(running.map(({ ended }) => ended))
  }

  async #test(instanceId: number, signal: AbortSignal): Promise<void> {
    const { connections, notes, clock, log } = this.#options
    let part: SpeedPart | null = null
    this.#show(instanceId, { kind: 'running', part, bytes: 0 })
    let lease: ConnectionLease | null = null
    const identity = notes.identityOf(instanceId)
    try {
      lease = await connections.acquire(instanceId, signal)
      const measure = { ...this.#options, lease, signal }
      const begin = (next: SpeedPart): SpeedMeasureOptions => {
        part = next
        return { ...measure, onBytes: this.#shower(instanceId, next) }
      }
      const disk = await measureDisk(begin('disk'), await this.#options.diskScript())
      const down = await measureDown(begin('down'))
      const up = await measureUp(begin('up'))
      notes.change(instanceId, { speed: { at: clock.now(), disk, down, up } }, identity)
      this.#show(instanceId, { kind: 'idle' })
    } catch (error) {
      // On the network nothing is left: what is sent to nobody, or waits for nobody, ends.
      const isLeft = part === 'disk' && error instanceof CommandLeft
      if (signal.aborted) return this.#show(instanceId, { kind: 'canceled', isLeft })
      const failure = machineFailureOf(error)
      if (failure === null) log.error(`The speed of instance ${instanceId} could not be measured`, error)
      this.#show(instanceId, { kind: 'failed', failure: failure ?? nothingSaid, part })
    } finally {
      lease?.release()
    }
  }

  #shower(instanceId: number, part: SpeedPart): (bytes: number) => void {
    const { clock } = this.#options
    let shownAt = clock.now()
    this.#show(instanceId, { kind: 'running', part, bytes: 0 })
    return (bytes) => {
      const now = clock.now()
      if (Math.abs(now - shownAt) < shownEveryMs) return
      shownAt = now
      this.#show(instanceId, { kind: 'running', part, bytes })
    }
  }

  #viewOf(instanceId: number): Latest<SpeedTestView> {
    const known = this.#views.get(instanceId)
    if (known) return known
    const made = new Latest<SpeedTestView>({ result: null, state: { kind: 'idle' } })
    this.#views.set(instanceId, made)
    return made
  }

  #show(instanceId: number, state: SpeedTestView['state']): void {
    this.#viewOf(instanceId).set({ result: this.#options.notes.of(instanceId).speed, state })
  }
}
