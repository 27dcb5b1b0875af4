import type { Clock } from '../../../domain/base/clock.ts'
import { Latest } from '../../../domain/base/latest.ts'
import type { Log } from '../../../domain/base/log.ts'
import {
  afterEvent,
  isOnItsWay,
  noConnection,
  showsFailure,
  waitsForUser,
  type ConnectionEvent,
  type ConnectionQuestion,
} from '../../../domain/ssh/connection-lifecycle.ts'
import type { ConnectionState } from '../../../domain/ssh/ssh-connection.ts'
import { formatJumpHosts } from '../../../domain/ssh/jump-host.ts'
import type { LoginAnswer } from '../../../domain/ssh/ssh-login.ts'
import type { HopPlace, SshAddress } from '../../../domain/ssh/ssh.ts'
import { ConnectFailed, explainFailure, isCutOff } from './connect-failure.ts'
import type { Connection } from './connection.ts'
import { SshFailure } from '../failure.ts'
import type { ForwardedAgent } from '../keys/forwarded-agent.ts'
import type { HostConfig } from '../config/host-config.ts'
import type { Identities } from '../keys/identities.ts'
import type { InstanceMemory } from '../known-hosts/host-keys-by-instance.ts'
import type { KnownHostsFile } from '../known-hosts/known-hosts-file.ts'
import { startKeepalive, type Keepalive } from './keepalive.ts'
import { orAborted } from '../deadline.ts'
import { Pause } from '../pause.ts'
import { ConnectionPrompt, type Answer } from './prompt.ts'
import { connectToInstance, findDestinations } from './connect-to-instance.ts'
import { askRoundTrip } from '../protocol/round-trip.ts'
import type { LoginSecrets } from './host-password.ts'
import { jumpHostOf, type Place, type Route, type Target } from './route.ts'

export interface InstanceConnectionOptions {
  /** Asked at each connect: a machine's address may have changed since. `listed`: as the last list has it. */
  readonly findTarget: (asOf: 'current' | 'listed') => Promise<Target>
  readonly user: () => string
  /** What the user's SSH configuration says about an address of the machine, where that is gone by. */
  readonly hostConfig?: (address: SshAddress) => Promise<HostConfig>
  /** How to get there; directly where this is not told. @throws SshFailure way-unclear */
  readonly findRoute?: (config: HostConfig) => Promise<Route>
  /** What its shells may be given the use of; `null` for none. */
  readonly agent?: () => ForwardedAgent | null
  readonly identities: (config: HostConfig) => Promise<Identities>
  /** What is kept for logins that are asked for; nothing where this is not told. */
  readonly loginSecrets?: LoginSecrets
  /** No login is begun that a host asks its user for, jump hosts included. */
  readonly keysOnly?: boolean
  readonly knownHosts: KnownHostsFile
  /** What is remembered of the instance's host keys, besides those of its address. */
  readonly memory?: InstanceMemory
  readonly clock: Clock
  /** 0 to below 1. */
  readonly random: () => number
  readonly log: Log
  /** The state has changed. */
  readonly changed: () => void
}

/** A connection that stands, and where. */
export interface Standing {
  readonly connection: Connection
  readonly address: SshAddress
  readonly user: string
  readonly agent: ForwardedAgent | null
}

/**
 * The connection to one instance, made when somebody holds it and ended when nobody does any more. It is made
 * once for all who ask at the same time, and made again, with growing pauses, for those who ask for that. What
 * happens goes through `afterEvent`, which decides the state.
 */
export class InstanceConnection {
  readonly state = new Latest<ConnectionState>(noConnection.state)
  /** What its user is asked while it is made. */
  readonly prompt = new ConnectionPrompt()
  readonly #options: InstanceConnectionOptions
  readonly #pause: Pause
  #holds = 0
  /** Those of them that ask their user nothing. */
  #quietHolds = 0
  /** Aborted when nobody wants the connection any more. */
  #wanted = new AbortController()
  /** Aborted when the user does not want to wait for what is being tried. */
  #attempts = new AbortController()
  #standing: (Standing & { readonly watch: Keepalive }) | null = null
  #connecting: Promise<Standing> | null = null
  /** What is being made goes by the last list. */
  #isBegunQuietly = false
  #recovering: Promise<Standing> | null = null
  #loginQuestions = 0
  #progress = noConnection

  constructor(options: InstanceConnectionOptions) {
    this.#options = options
    this.#pause = new Pause(options.clock)
  }

  /** What stands now; `null` for nothing. Whoever uses it without a hold loses it with the last hold. */
  get standing(): Standing | null {
    return this.#standing
  }

  /**
   * Keeps the connection until what it returns is called.
   *
   * @param isQuiet as long as all are, an attempt that needs its user's word ends, and one that fails changes no state
   *   but its own: how an earlier one failed stays in sight
   */
  hold(isQuiet = false): () => void {
    this.#holds += 1
    if (isQuiet) this.#quietHolds += 1
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      this.#holds -= 1
      if (isQuiet) this.#quietHolds -= 1
      if (this.#holds === 0) this.#end()
      else if (this.#isQuiet && waitsForUser(this.state.value)) this.#endUnasked()
    }
  }

  /** For holders only. One attempt, shared with others who wait. @throws ConnectFailed */
  connected(isQuiet = false): Promise<Standing> {
    // One who asks for nothing hurries nobody's retries.
    if (isQuiet) return this.#joined()
    this.#tell({ kind: 'wanted' })
    // What a quiet one has begun is an attempt for all to see from now on.
    if (this.#connecting !== null) this.#reveal(null)
    const isStale = this.#connecting !== null && this.#isBegunQuietly
    const { signal } = this.#wanted
    const joined = this.#joined()
    this.#pause.cutShort()
    if (!isStale) return joined
    return joined.catch((error: unknown) => {
      // What it has waited for may be where the machine no longer is: a quiet attempt goes by the list.
      const isWorthwhile = error instanceof ConnectFailed && error.isPassing && !this.#isQuiet
      if (signal.aborted || !isWorthwhile) throw error
      return this.#joined()
    })
  }

  /** For holders only. Tries until it stands or only the user can help. @throws ConnectFailed */
  recovered(): Promise<Standing> {
    const { signal } = this.#wanted
    // Whoever waits for the next try needn't, as one is under way.
    if (this.#recovering !== null && this.#connecting !== null) {
      this.#reveal(null)
      this.#pause.cutShort()
    }
    this.#recovering ??= this.#recover(signal).finally(() => {
      if (!signal.aborted) this.#recovering = null
    })
    return this.#recovering
  }

  /** The network or the computer is back: whatever stands is probed, whatever waits is tried. */
  probe(hasSlept: boolean): void {
    this.#standing?.watch.probe(hasSlept)
    this.#pause.cutShort()
  }

  /** `null` ends the attempt, also while the host still looks at what was answered before. @throws ProblemError */
  answerLogin(questionId: number, answer: LoginAnswer | null): void {
    if (answer !== null) return this.prompt.answerLogin(questionId, answer)
    if (this.prompt.declineLogin(questionId)) return
    const shown = this.state.value
    if (shown.kind === 'login' && shown.question.id === questionId) this.stopTrying()
  }

  /** Ends what is being tried, for all who wait for it; a connection that stands goes on. */
  stopTrying(): void {
    if (this.#standing !== null) return
    this.#attempts.abort(new SshFailure({ kind: 'stopped' }))
    this.#attempts = new AbortController()
  }

  /** How it failed has been seen. */
  dismiss(): void {
    this.#tell({ kind: 'dismissed' })
  }

  /** @param signal what an attempt that was given up still finds out does not count */
  #tell(event: ConnectionEvent, signal?: AbortSignal): void {
    if (signal?.aborted === true) return
    this.#progress = afterEvent(this.#progress, event)
    const { state } = this.#progress
    if (state === this.state.value) return
    this.state.set(state)
    this.#options.changed()
  }

  /** An attempt that was kept out of sight is for all to see: only then what it asks, or that it got there, counts. */
  #reveal(address: SshAddress | null, signal?: AbortSignal): void {
    const { value } = this.state
    if (!isOnItsWay(value) && value.kind !== 'open') this.#tell({ kind: 'trying', address }, signal)
  }

  #joined(): Promise<Standing> {
    if (this.#standing !== null) return Promise.resolve(this.#standing)
    const { signal } = this.#wanted
    if (this.#connecting === null) this.#isBegunQuietly = this.#isQuiet
    this.#connecting ??= this.#connect(signal).finally(() => {
      if (!signal.aborted) this.#connecting = null
    })
    return this.#connecting
  }

  async #recover(signal: AbortSignal): Promise<Standing> {
    const { clock, random } = this.#options
    for (;;) {
      const { value } = this.state
      if (value.kind === 'failed' && isCutOff(value.problem)) throw new ConnectFailed(value, false)
      // No pause comes before joining what a quiet one has begun.
      if (this.#connecting !== null) this.#reveal(null, signal)
      const at = clock.now()
      this.#tell({ kind: 'retry-wanted', at, chance: random() }, signal)
      const now = this.state.value
      if (now.kind === 'waiting') {
        try {
          await this.#pause.wait(now.retryAt - at, AbortSignal.any([signal, this.#attempts.signal]))
        } catch (error) {
          throw this.#failed(error, now.address, signal)
        }
      }
      this.#tell({ kind: 'retried' }, signal)
      try {
        return await this.#joined()
      } catch (error) {
        if (!(error instanceof ConnectFailed) || !error.isPassing) throw error
      }
    }
  }

  async #connect(wanted: AbortSignal): Promise<Standing> {
    const signal = AbortSignal.any([wanted, this.#attempts.signal])
    let address: SshAddress | null = null
    // An attempt that asks its user nothing leaves in sight how the last one failed, until it has got there.
    const isTrying = (at: SshAddress | null, hop?: HopPlace): void => {
      if (this.#isQuiet && showsFailure(this.state.value)) return
      this.#tell({ kind: 'trying', address: at, ...(hop && { hop }) }, signal)
    }
    isTrying(address)
    try {
      const place = await orAborted(this.#findPlace(), signal)
      address = place.address
      isTrying(address)
      const onTry = (at: SshAddress, hop?: HopPlace): void => {
        if (hop === undefined) address = at
        isTrying(at, hop)
      }
      // The keychain, or what else is asked on the way, may not answer for long.
      return await orAborted(this.#open(place, onTry, signal), signal)
    } catch (error) {
      throw this.#failed(error, address, wanted)
    }
  }

  /** Shows and returns why there is no connection. @throws the signal's reason: then nobody wants one */
  #failed(error: unknown, address: SshAddress | null, wanted: AbortSignal): ConnectFailed {
    wanted.throwIfAborted()
    const { knownHosts, log } = this.#options
    const failed = explainFailure(error, { address, knownHostsFile: knownHosts.path, log })
    this.#tell(this.#isQuiet ? { kind: 'released' } : { kind: 'failed', failure: failed.failure })
    return failed
  }

  async #findPlace(): Promise<Place> {
    const target = await this.#options.findTarget(this.#isQuiet ? 'listed' : 'current')
    if (target.kind === 'none') throw new SshFailure({ ...target, kind: 'no-address' })
    return target
  }

  async #open(
    place: Place,
    onTry: (address: SshAddress, hop?: HopPlace) => void,
    signal: AbortSignal,
  ): Promise<Standing> {
    const { knownHosts, memory, clock, identities, loginSecrets, keysOnly = false } = this.#options
    const found: { isNewAddress?: true } = {}
    const destinations = await findDestinations(place, this.#options)
    const agent = this.#options.agent?.() ?? null
    const { address, user, ...connection } = await connectToInstance(
      {
        ...{ agent, identities, keysOnly, knownHosts, clock, onTry },
        otherAddresses: place.known ?? destinations.map((each) => each.address),
        ...(memory && { memory }),
        onNewAddress: () => (found.isNewAddress = true),
        ...(loginSecrets && { loginSecrets }),
        ask: (asked, within) => this.#ask(this.#numbered(asked), within),
      },
      destinations,
      signal,
    )
    signal.throwIfAborted()
    const gone = new AbortController()
    const whileOpen = AbortSignal.any([signal, gone.signal])
    const hops = destinations.find((each) => each.address === address)?.route.hops ?? []
    const through = hops.length > 0 && { through: formatJumpHosts(hops.map(jumpHostOf)) }
    this.#reveal(address)
    this.#tell({ kind: 'opened', address, user, at: clock.now(), ...through, ...found })
    const { client, bytesRead, breakOff } = connection
    const watched = { ask: () => askRoundTrip(client), bytesRead, breakOff }
    const watch = startKeepalive(
      watched,
      clock,
      (health) => this.#tell({ kind: 'measured', ...health }, whileOpen),
      whileOpen,
    )
    const standing = { connection, address, user, agent, watch }
    this.#standing = standing
    void connection.ended.then((problem) => {
      gone.abort()
      if (this.#standing !== standing) return
      this.#standing = null
      this.#tell({ kind: 'lost', problem, at: clock.now() })
      if (this.#isQuiet) this.#tell({ kind: 'dismissed' })
    })
    return standing
  }

  /** No two questions of a host's have one number: an answer for a jump host never goes to the instance. */
  #numbered(asked: ConnectionQuestion): ConnectionQuestion {
    if (asked.kind !== 'login') return asked
    this.#loginQuestions += 1
    return { ...asked, question: { ...asked.question, id: this.#loginQuestions } }
  }

  get #isQuiet(): boolean {
    return this.#quietHolds > 0 && this.#quietHolds === this.#holds
  }

  async #ask(question: ConnectionQuestion, signal: AbortSignal): Promise<Answer> {
    if (this.#isQuiet) throw this.#endUnasked()
    const answer = this.prompt.ask(question, signal)
    this.#reveal(question.address, signal)
    this.#tell({ kind: 'asked', question }, signal)
    const given = await answer
    const isTried = given.kind === 'passphrase' || given.kind === 'login'
    this.#tell({ kind: 'answered', question, isTried })
    return given
  }

  /** All of the attempt: another address would ask the same. */
  #endUnasked(): SshFailure {
    const unasked = new SshFailure({ kind: 'unasked' })
    this.#attempts.abort(unasked)
    this.#attempts = new AbortController()
    return unasked
  }

  #end(): void {
    this.#wanted.abort(new Error('no one needs the connection any more'))
    this.#wanted = new AbortController()
    this.#standing = null
    this.#connecting = null
    this.#recovering = null
    this.#tell({ kind: 'released' })
  }
}
