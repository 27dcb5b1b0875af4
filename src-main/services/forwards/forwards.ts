import type { Clock } from '../../domain/base/clock.ts'
import type { Forward, ForwardPlan, KeptForward } from '../../domain/forwards/forward.ts'
import { wholeListAt, type InstancesSnapshot } from '../../domain/instances/instance.ts'
import { Latest } from '../../domain/base/latest.ts'
import type { Log } from '../../domain/base/log.ts'
import { invalidInput, ProblemError } from '../../domain/base/problem.ts'
import { ConnectFailed } from '../ssh/connection/connect-failure.ts'
import type { Connections } from '../ssh/connection/connections.ts'
import { SshFailure } from '../ssh/failure.ts'
import { ForwardSwitch } from './forward-switch.ts'
import { withFreePort } from './listen.ts'
import { ForwardStore, type ForwardsFile } from './forward-store.ts'
import { findNotebook, type Notebook } from './notebook.ts'
import { makeOneTimeAddress } from './one-time-address.ts'
import { RemoteListeners } from './remote-listeners.ts'

export interface ForwardsOptions {
  readonly connections: Pick<Connections, 'acquire' | 'regain'>
  readonly file: ForwardsFile
  /** To forget forwards of instances that are gone. */
  readonly snapshot: Pick<Latest<InstancesSnapshot>, 'value' | 'watch'>
  readonly openPort: (url: string) => Promise<'opened' | 'refused' | 'failed'>
  readonly clock: Clock
  readonly randomId: () => string
  readonly log: Log
}

/** How often bytes are counted while a forward is on. */
const countEveryMs = 1_000

/** The account's forwards: kept on disk, and those that are on kept up. */
export class Forwards {
  readonly state = new Latest<readonly Forward[]>([])
  readonly #options: ForwardsOptions
  readonly #listeners = new RemoteListeners()
  readonly #switches = new Map<string, ForwardSwitch>()
  readonly #kept: ForwardStore
  #isCounting = false
  /** Ends addresses that were not used yet. */
  readonly #entries = new AbortController()

  constructor(options: ForwardsOptions) {
    this.#options = options
    this.#kept = new ForwardStore(options.file)
    this.#publish()
  }

  /** Those that were on when Slipway ended come back, as soon as their instances let them. */
  resume(): void {
    for (const kept of this.#kept.all) if (kept.isOn) this.#switchOn(kept, true)
    this.#publish()
  }

  /** Ends all that is on; it comes back with the next start. */
  dispose(): void {
    this.#entries.abort()
    for (const one of this.#switches.values()) one.turnOff()
    this.#switches.clear()
    this.#publish()
  }

  /**
   * Adds a forward, on.
   *
   * @param takeFree whether a port that is in use on this computer is replaced by the next free one
   * @throws ProblemError invalid-input, storage-failed
   */
  async add({
    instanceId,
    plan: wanted,
    takeFree,
  }: {
    readonly instanceId: number
    readonly plan: ForwardPlan
    readonly takeFree: boolean
  }): Promise<{ id: string }> {
    const others = this.#kept.besides({ instanceId, plan: wanted }).map((one) => one.plan)
    const plan = takeFree ? await withFreePort(wanted, others) : wanted
    const kept = { id: this.#options.randomId(), instanceId, plan, isOn: true }
    await this.#kept.add(kept)
    this.#switchOn(kept, false)
    return { id: kept.id }
  }

  /**
   * Replaces what a forward is, and turns it on.
   *
   * @throws ProblemError invalid-input, storage-failed
   */
  async change(id: string, plan: ForwardPlan): Promise<void> {
    this.#switchOn(await this.#kept.change(id, { plan, isOn: true }), false)
  }

  /**
   * Turns a forward on; with a port, on another one than before.
   *
   * @throws ProblemError invalid-input, storage-failed
   */
  async start(id: string, port?: number): Promise<void> {
    const { plan } = this.#kept.find(id)
    await this.change(id, port === undefined ? plan : { ...plan, entrance: { ...plan.entrance, port } })
  }

  /** @throws ProblemError invalid-input, storage-failed: it is off all the same, until the next start */
  async stop(id: string): Promise<void> {
    this.#kept.find(id)
    this.#switches.get(id)?.turnOff()
    this.#publish()
    await this.#kept.change(id, { isOn: false })
  }

  /** @throws ProblemError invalid-input, storage-failed */
  async remove(id: string): Promise<void> {
    this.#kept.find(id)
    await this.#kept.remove(new Set([id]))
    this.#drop(id)
    this.#publish()
  }

  /**
   * Shows what a local forward leads to in the system's browser, once the forward is open. A Jupyter server of the
   * machine itself is opened with its token.
   *
   * @throws ProblemError invalid-input
   */
  async openInBrowser(
    id: string,
    scheme: 'http' | 'https',
    signal?: AbortSignal,
  ): Promise<'opened' | 'gone' | 'no-program'> {
    const { plan, instanceId } = this.#kept.find(id)
    if (plan.kind !== 'local') throw invalidInput('id', { code: 'not-available' })
    for await (const forwards of this.state.watch(signal)) {
      const state = forwards.find((one) => one.id === id)?.state.kind ?? 'stopped'
      if (state === 'stopped' || state === 'failed') return 'gone'
      if (state === 'open') break
    }
    signal?.throwIfAborted()
    const notebook = isOfMachineItself(plan.to.host)
      ? await this.#notebook(instanceId, plan.to.port, signal)
      : null
    const host = this.#switches.get(id)?.browserHost
    // It was removed while its instance was asked.
    if (host === undefined || host === null) return 'gone'
    const origin = `${notebook?.scheme ?? scheme}://${host}:${plan.entrance.port}`
    const opened = await this.#open(origin, notebook?.entry ?? '/')
    return opened ? 'opened' : 'no-program'
  }

  /** An entry with a token is no argument of the program that opens it: other users could read it there. */
  async #open(origin: string, entry: string): Promise<boolean> {
    const { openPort, randomId, clock } = this.#options
    const unused = new AbortController()
    const signal = AbortSignal.any([unused.signal, this.#entries.signal])
    const address = entry.includes('?')
      ? await makeOneTimeAddress({ target: `${origin}${entry}`, nonce: randomId(), clock, signal })
      : `${origin}${entry}`
    const isOpened = (await openPort(address)) === 'opened'
    if (!isOpened) unused.abort()
    return isOpened
  }

  /** Without an answer the page is opened all the same: the server there asks for the token. */
  async #notebook(
    instanceId: number,
    port: number,
    signal = new AbortController().signal,
  ): Promise<Notebook | null> {
    const { connections, clock, randomId, log } = this.#options
    try {
      const { client, release } = await connections.acquire(instanceId, signal)
      try {
        return await findNotebook({ client, port, clock, id: randomId() })
      } finally {
        release()
      }
    } catch (error) {
      if (!(error instanceof SshFailure) && !(error instanceof ConnectFailed)) throw error
      log.warn(`The machine could not be asked for its notebooks: ${error.message}`)
      return null
    }
  }

  /** Forgets the forwards of instances that are gone, by each new list, until the signal is aborted. */
  async follow(signal: AbortSignal): Promise<void> {
    const { snapshot, log } = this.#options
    let seenAt: number | null = null
    for await (const latest of snapshot.watch(signal)) {
      const { instances } = latest
      const fetchedAt = wholeListAt(latest)
      if (instances === null || fetchedAt === null || fetchedAt === seenAt) continue
      seenAt = fetchedAt
      const listed = new Set(instances.map(({ id }) => id))
      const gone = new Set(
        this.#kept.all.flatMap(({ id, instanceId }) => (listed.has(instanceId) ? [] : [id])),
      )
      if (gone.size === 0) continue
      try {
        await this.#kept.remove(gone)
      } catch (error) {
        if (!(error instanceof ProblemError)) throw error
        log.warn(`Forwards of an instance that is gone could not be forgotten yet: ${error.problem.kind}`)
      }
      for (const id of gone) this.#drop(id)
      this.#publish()
    }
  }

  /** Instances that something goes through a forward to or from now. */
  get connected(): readonly number[] {
    return this.#kept.all.flatMap(({ id, instanceId }) =>
      (this.#switches.get(id)?.traffic.connections ?? 0) > 0 ? [instanceId] : [],
    )
  }

  #switchOn({ id, plan, instanceId }: KeptForward, isPatient: boolean): void {
    const { connections, clock, log } = this.#options
    let one = this.#switches.get(id)
    if (one === undefined) {
      one = new ForwardSwitch({
        connections,
        listeners: this.#listeners,
        clock,
        log,
        onChange: () => this.#publish(),
      })
      this.#switches.set(id, one)
    }
    one.turnOn({ plan, instanceId, isPatient })
    void this.#countWhileOn()
  }

  #drop(id: string): void {
    this.#switches.get(id)?.turnOff()
    this.#switches.delete(id)
  }

  #publish(): void {
    this.state.set(this.#kept.all.map((kept) => this.#shown(kept)))
  }

  #shown({ id, instanceId, plan }: KeptForward): Forward {
    const one = this.#switches.get(id)
    const state = one?.state ?? { kind: 'stopped' }
    const traffic = one?.traffic ?? { sentBytes: 0, receivedBytes: 0, connections: 0 }
    return { id, instanceId, plan, traffic, state }
  }

  /** Shows bytes as long as anything is on. */
  async #countWhileOn(): Promise<void> {
    if (this.#isCounting) return
    this.#isCounting = true
    let last = ''
    while ([...this.#switches.values()].some(({ isOn }) => isOn)) {
      await this.#options.clock.sleep(countEveryMs)
      const now = JSON.stringify(this.#kept.all.map((kept) => this.#shown(kept)))
      if (now !== last) this.#publish()
      last = now
    }
    this.#isCounting = false
  }
}

function isOfMachineItself(host: string): boolean {
  return ['localhost', '127.0.0.1', '::1'].includes(host)
}
