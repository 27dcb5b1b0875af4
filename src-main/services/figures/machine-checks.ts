import type { Clock } from '../../domain/base/clock.ts'
import { Latest } from '../../domain/base/latest.ts'
import type { Log } from '../../domain/base/log.ts'
import { openDifferences, type MachineCheckView } from '../../domain/figures/machine-check.ts'
import type { Figures } from '../../domain/figures/figures.ts'
import { outlookOf } from '../../domain/instances/instance-status.ts'
import { connectionLoss } from '../ssh/connection/connection-loss.ts'
import type { ConnectionLease, Connections } from '../ssh/connection/connections.ts'
import { createDeadline } from '../ssh/deadline.ts'
import { streamFigures } from './figures-stream.ts'
import { compareMachine, stillAccepted } from './machine-comparison.ts'
import { MachineFailed, machineFailureOf, nothingSaid } from './machine-failed.ts'
import type { MachineNotesStore } from './machine-notes.ts'

export interface MachineChecksOptions {
  readonly connections: Pick<Connections, 'acquire' | 'state' | 'list'>
  readonly notes: MachineNotesStore
  /** Which instances there are. */
  readonly list: Pick<Latest<unknown>, 'watch'>
  /** The text of the script that says figures. */
  readonly script: () => Promise<string>
  /** An instance that was looked at without its user's asking isn't what was offered. */
  readonly onDifference: (instanceId: number, what: 'differs' | 'gpu-tool-fails') => void
  readonly clock: Clock
  readonly randomId: () => string
  readonly log: Log
}

/** First the shell's prompt, or what else the connection was made for. */
const settleMs = 2_000
/** A command on many instances connects to all of them. */
const mostAtOnce = 4
/** The script's tools are given 10 s each. */
const longestMs = 45_000
/** Having said its line, the script ends. */
const endsWithinMs = 2_000

/**
 * Looks once, when it's first connected to, whether an instance has what was offered. No connection is made for that; the
 * user may have it looked at again at any time.
 */
export class MachineChecks {
  readonly #options: MachineChecksOptions
  readonly #views = new Map<number, Latest<MachineCheckView>>()
  /** Those that are connected to, and were looked at, or tried to be. */
  readonly #tried = new Set<number>()
  /** Those that the user wants looked at. */
  readonly #asked = new Set<number>()
  readonly #running = new Map<number, Promise<void>>()
  readonly #end = new AbortController()

  constructor(options: MachineChecksOptions) {
    this.#options = options
  }

  watch(instanceId: number, signal?: AbortSignal): AsyncGenerator<MachineCheckView, void, void> {
    const view = this.#viewOf(instanceId)
    this.#show(instanceId, view.value.state)
    return view.watch(signal)
  }

  /** Looks at it now, and connects to it for that. */
  run(instanceId: number): void {
    this.#asked.add(instanceId)
    this.#start(instanceId)
  }

  /** The user lives with what differs now. */
  accept(instanceId: number): void {
    const notes = this.#options.notes.of(instanceId)
    const differing = openDifferences(notes).map(({ item }) => item)
    this.#options.notes.change(instanceId, { accepted: [...notes.accepted, ...differing] })
    this.#show(instanceId, this.#viewOf(instanceId).value.state)
  }

  async follow(signal: AbortSignal): Promise<void> {
    const { connections, list } = this.#options
    const look = async (latest: Pick<Latest<unknown>, 'watch'>): Promise<void> => {
      for await (const _ of latest.watch(signal)) this.#look()
    }
    await Promise.all([look(connections.list), look(list)])
  }

  async dispose(): Promise<void> {
    this.#end.abort()
    await Promise.all(this.#running.values())
  }

  #look(): void {
    const { connections, notes } = this.#options
    for (const { instanceId, state } of connections.list.value) {
      if (state.kind !== 'open') this.#tried.delete(instanceId)
      else if (!this.#tried.has(instanceId) && this.#running.size - this.#asked.size < mostAtOnce) {
        const instance = notes.find(instanceId)
        if (instance === null || outlookOf(instance).kind !== 'ready') continue
        this.#tried.add(instanceId)
        if (notes.of(instanceId).check === null) this.#start(instanceId)
      }
    }
  }

  #start(instanceId: number): void {
    if (this.#running.has(instanceId) || this.#end.signal.aborted) return
    const running = this.#check(instanceId).finally(() => {
      this.#running.delete(instanceId)
      this.#asked.delete(instanceId)
      this.#look()
    })
    this.#running.set(instanceId, running)
  }

  async #check(instanceId: number): Promise<void> {
    const { connections, notes, clock, log, onDifference } = this.#options
    const { signal } = this.#end
    const isAsked = (): boolean => this.#asked.has(instanceId)
    try {
      if (!isAsked()) await clock.sleep(settleMs, signal)
      // Nothing is connected to without its user's asking.
      if (!isAsked() && connections.state(instanceId).value.kind !== 'open') return
      this.#show(instanceId, { kind: 'running' })
      const identity = notes.identityOf(instanceId)
      const manner = isAsked() ? 'asking' : 'quiet'
      const lease = await connections.acquire(instanceId, signal, manner)
      const found = await readOnce(lease, this.#options, signal)
      const instance = notes.find(instanceId)
      if (instance === null) return this.#show(instanceId, { kind: 'idle' })
      const check = compareMachine(instance.record, found)
      const accepted = stillAccepted(notes.of(instanceId), check)
      notes.change(instanceId, { check, accepted }, identity)
      this.#show(instanceId, { kind: 'idle' })
      const kept = notes.of(instanceId)
      if (isAsked()) return
      if (openDifferences(kept).length > 0) onDifference(instanceId, 'differs')
      else if (kept.check?.gpuTool === 'fails') onDifference(instanceId, 'gpu-tool-fails')
    } catch (error) {
      if (signal.aborted) return
      const failure = machineFailureOf(error)
      if (failure === null) log.error(`Instance ${instanceId} could not be checked`, error)
      // What nobody asked for fails in silence: the next connection tries again.
      this.#show(
        instanceId,
        isAsked() ? { kind: 'failed', failure: failure ?? nothingSaid } : { kind: 'idle' },
      )
    }
  }

  #viewOf(instanceId: number): Latest<MachineCheckView> {
    const known = this.#views.get(instanceId)
    if (known) return known
    const made = new Latest<MachineCheckView>({ check: null, accepted: [], state: { kind: 'idle' } })
    this.#views.set(instanceId, made)
    return made
  }

  #show(instanceId: number, state: MachineCheckView['state']): void {
    const { check, accepted } = this.#options.notes.of(instanceId)
    this.#viewOf(instanceId).set({ check, accepted, state })
  }
}

/** Has the instance say one line of its figures, gives the share in the connection back. @throws MachineFailed, SshFailure, or the signal's reason */
async function readOnce(
  lease: ConnectionLease,
  { script, clock, randomId }: Pick<MachineChecksOptions, 'script' | 'clock' | 'randomId'>,
  signal: AbortSignal,
): Promise<Figures> {
  const late = new AbortController()
  const deadline = createDeadline(clock, longestMs, () => late.abort(new MachineFailed(nothingSaid)))
  const found: Figures[] = []
  deadline.start()
  try {
    await streamFigures({
      ...{
        lease,
        script: await script(),
        paceSeconds: 0,
        folders: [],
        clock,
        randomId,
        last: { reading: null },
      },
      signal: AbortSignal.any([signal, late.signal]),
      onFigures: (figures) => {
        // Of a flood, the first one counts.
        if (found.length > 0) return
        found.push(figures)
        deadline.start(endsWithinMs)
      },
    })
    signal.throwIfAborted()
    const [first] = found
    if (first !== undefined) return first
    throw new MachineFailed(
      (await connectionLoss(lease, clock)) === null ? nothingSaid : { kind: 'link-lost' },
    )
  } finally {
    deadline.stop()
    lease.release()
  }
}
