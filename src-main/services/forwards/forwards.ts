import {
  instancePortOf,
  planForPort,
  type Forward,
  type ForwardPlan,
  type KeptForward,
} from '../../domain/forwards/forward.ts'
import { wholeListAt, type InstancesSnapshot } from '../../domain/instances/instance.ts'
import { isSameJson } from '../../domain/base/json-value.ts'
import { Latest } from '../../domain/base/latest.ts'
import { invalidInput, ProblemError } from '../../domain/base/problem.ts'
import { SerialQueue } from '../../domain/base/serial-queue.ts'
import type { Connections } from '../ssh/connection/connections.ts'
import { createBrowserEntry, type BrowserEntry, type BrowserEntryOptions } from './browser-entry.ts'
import { ForwardSwitch } from './forward-switch.ts'
import { withFreePort } from './listen.ts'
import { ForwardStore, type ForwardsFile } from './forward-store.ts'
import { RemoteListeners } from './remote-listeners.ts'

export interface ForwardsOptions extends BrowserEntryOptions {
  readonly connections: Pick<Connections, 'acquire' | 'regain'>
  readonly file: ForwardsFile
  /** To forget forwards of instances that are gone. */
  readonly snapshot: Pick<Latest<InstancesSnapshot>, 'value' | 'watch'>
  /** Whether a Jupyter server listens on a port of an instance, as far as is known. */
  readonly isJupyter: (instanceId: number, port: number) => boolean
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
  readonly #toPorts = new SerialQueue()
  readonly #browsers: BrowserEntry
  #isCounting = false

  constructor(options: ForwardsOptions) {
    this.#options = options
    this.#kept = new ForwardStore(options.file)
    this.#browsers = createBrowserEntry(options)
    this.#publish()
  }

  /** Those that were on when Slipway ended come back, as soon as their instances let them. */
  resume(): void {
    for (const kept of this.#kept.all) if (kept.isOn) this.#switchOn(kept, true)
    this.#publish()
  }

  /** Ends all that is on; it comes back with the next start. */
  dispose(): void {
    this.#browsers.dispose()
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
    name = '',
    takeFree,
  }: {
    readonly instanceId: number
    readonly plan: ForwardPlan
    readonly name?: string | undefined
    readonly takeFree: boolean
  }): Promise<{ id: string }> {
    const others = this.#kept.besides({ instanceId, plan: wanted }).map((one) => one.plan)
    const plan = takeFree ? await withFreePort(wanted, others) : wanted
    const isJupyter = this.#leadsToJupyter(instanceId, plan)
    const kept = { id: this.#options.randomId(), instanceId, plan, name, isJupyter, isOn: true }
    await this.#kept.add(kept)
    this.#switchOn(kept, false)
    return { id: kept.id }
  }

  /**
   * Has a port of the instance itself forwarded: by the forward that is there, which is turned on, or by a new one. On
   * this computer the next free port takes the place of one that is in use.
   *
   * @throws ProblemError invalid-input, storage-failed
   */
  forwardPort(instanceId: number, port: number): Promise<{ id: string }> {
    // A double-click asks twice at once, and the second time finds the forward of the first.
    return this.#toPorts.take(() => this.#forwardPort(instanceId, port))
  }

  async #forwardPort(instanceId: number, port: number): Promise<{ id: string }> {
    const isOn = ({ id }: KeptForward): boolean => this.#switches.get(id)?.isOn === true
    // One that was turned off, and that others in the network would reach, is its user's to turn on.
    const fitting = this.#kept.all.filter(
      (one) =>
        one.instanceId === instanceId &&
        instancePortOf(one.plan) === port &&
        (isOn(one) || one.plan.entrance.reach === 'loopback'),
    )
    const there = fitting.find(isOn) ?? fitting[0]
    if (there === undefined) return this.add({ instanceId, plan: planForPort(port), takeFree: true })
    if (!isOn(there)) {
      const others = this.#kept.besides(there).filter(({ id }) => id !== there.id)
      const plans = others.map(({ plan }) => plan)
      await this.change(there.id, await withFreePort(there.plan, plans))
    }
    return { id: there.id }
  }

  /**
   * Replaces what a forward is, and turns it on; without a name, it keeps its own. With another name alone, what goes
   * through it goes on, and one that is off stays so.
   *
   * @throws ProblemError invalid-input, storage-failed
   */
  async change(id: string, plan: ForwardPlan, name?: string): Promise<void> {
    const before = this.#kept.find(id)
    if (name !== undefined && isSameJson(before.plan, plan)) {
      await this.#kept.change(id, { name })
      return this.#publish()
    }
    const isJupyter =
      (before.isJupyter && instancePortOf(plan) === instancePortOf(before.plan)) ||
      this.#leadsToJupyter(before.instanceId, plan)
    const part = { plan, isJupyter, isOn: true, ...(name !== undefined && { name }) }
    this.#switchOn(await this.#kept.change(id, part), false)
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
   * @param wanted path, query, and fragment there; `/` for where it begins
   * @throws ProblemError invalid-input
   */
  async openInBrowser(
    id: string,
    scheme: 'http' | 'https',
    { entry: wanted = '/', signal }: { readonly entry?: string; readonly signal?: AbortSignal } = {},
  ): Promise<'opened' | 'gone' | 'reconnecting' | 'no-program'> {
    const { plan, instanceId } = this.#kept.find(id)
    if (plan.kind !== 'local') throw invalidInput('id', { code: 'not-available' })
    for await (const forwards of this.state.watch(signal)) {
      const state = forwards.find((one) => one.id === id)?.state.kind ?? 'stopped'
      if (state === 'stopped' || state === 'failed') return 'gone'
      // It may come back in hours, when nobody expects a page any more.
      if (state === 'reconnecting') return 'reconnecting'
      if (state === 'open') break
    }
    signal?.throwIfAborted()
    const port = instancePortOf(plan)
    const notebook = port === null ? null : await this.#browsers.notebookOf(instanceId, port, signal)
    // It was removed while its instance was asked.
    const kept = this.#kept.all.find((one) => one.id === id)
    if (kept === undefined) return 'gone'
    if (notebook !== null) await this.#noteJupyter(kept)
    const entry = wanted === '/' ? (notebook?.entry ?? '/') : wanted
    // A page that is entered by a token may be one of Jupyter's whose files can't be read.
    const host = this.#browserHost(kept, notebook !== null || /[?&]token=/.test(entry))
    if (host === null) return 'gone'
    const spoken = notebook?.scheme ?? (port === 443 ? 'https' : scheme)
    const origin = `${spoken}://${host}:${kept.plan.entrance.port}`
    return (await this.#browsers.open(origin, entry)) ? 'opened' : 'no-program'
  }

  #browserHost(kept: KeptForward, mayBeJupyter: boolean): string | null {
    const browsers = this.#switches.get(kept.id)?.browsers ?? null
    return this.#browsers.hostOf(kept, { browsers, mayBeJupyter, all: this.#kept.all })
  }

  #leadsToJupyter(instanceId: number, plan: ForwardPlan): boolean {
    const port = instancePortOf(plan)
    return port !== null && this.#options.isJupyter(instanceId, port)
  }

  /** For its label from now on; it is opened all the same where that can't be kept. */
  async #noteJupyter({ id, isJupyter }: KeptForward): Promise<void> {
    if (isJupyter) return
    try {
      await this.#kept.change(id, { isJupyter: true })
      this.#publish()
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error
      this.#options.log.warn(`What a forward leads to could not be kept: ${error.problem.kind}`)
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

  #shown(kept: KeptForward): Forward {
    const { id, instanceId, plan, name, isJupyter } = kept
    const one = this.#switches.get(id)
    const state = one?.state ?? { kind: 'stopped' }
    const traffic = one?.traffic ?? { sentBytes: 0, receivedBytes: 0, connections: 0 }
    const browserHost = this.#browserHost(kept, false)
    return { id, instanceId, plan, name, isJupyter, browserHost, traffic, state }
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
