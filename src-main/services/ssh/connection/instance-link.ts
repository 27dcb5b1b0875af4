import type { Clock } from '../../../domain/base/clock.ts'
import { Latest } from '../../../domain/base/latest.ts'
import type { Log } from '../../../domain/base/log.ts'
import { ProblemError } from '../../../domain/base/problem.ts'
import type { ConnectionState } from '../../../domain/ssh/ssh-connection.ts'
import type { LoginAnswer } from '../../../domain/ssh/ssh-login.ts'
import type { SshAddress } from '../../../domain/ssh/ssh.ts'
import { ConnectFailed, explainFailure, isCutOff, isServiceAway } from './connect-failure.ts'
import type { Connection } from './connection.ts'
import { SshFailure } from '../failure.ts'
import type { ForwardedAgent } from '../keys/forwarded-agent.ts'
import { noHostConfig, type HostConfig } from '../config/host-config.ts'
import type { Identities } from '../keys/identities.ts'
import type { InstanceMemory } from '../known-hosts/instance-keys.ts'
import type { KnownHostsFile } from '../known-hosts/known-hosts-file.ts'
import { watchLink, type LinkHealth, type LinkWatch } from './link-watch.ts'
import { orAborted } from '../or-aborted.ts'
import { Pause } from '../pause.ts'
import { Question, type Answer, type Asked } from './question.ts'
import { reach } from './reach.ts'
import { askRoundTrip } from '../protocol/round-trip.ts'
import type { Target } from './target.ts'
import type { LoginSecrets } from './host-password.ts'
import { directWay, type Way } from './way.ts'

export interface LinkOptions {
  /** Asked at each connect: a machine's address may have changed since. */
  readonly findTarget: () => Promise<Target>
  readonly user: () => string
  /** What the user's SSH configuration says about the machine, where that is gone by. */
  readonly hostConfig?: (address: SshAddress) => Promise<HostConfig>
  /** How to get there; directly where this is not told. @throws SshFailure way-unclear */
  readonly findWay?: (config: HostConfig) => Promise<Way>
  /** What its shells may be given the use of; `null` for none. */
  readonly agent?: () => ForwardedAgent | null
  readonly identities: (config: HostConfig) => Promise<Identities>
  /** What is kept for logins that are asked for; nothing where this is not told. */
  readonly loginSecrets?: LoginSecrets
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

/** The first try follows at once; then so long is waited, a fifth more or less. */
const backOffMs = [0, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000] as const
/** A connection that stood for less does not begin the row anew. */
const lastingMs = 10_000

/**
 * The connection to one instance, made when somebody holds it and ended when nobody does any more. It is made
 * once for all who ask at the same time, and made again, with growing pauses, for those who ask for that.
 */
export class InstanceLink {
  readonly state = new Latest<ConnectionState>({ kind: 'idle' })
  /** What its user is asked while it is made. */
  readonly question = new Question()
  readonly #options: LinkOptions
  readonly #pause: Pause
  #holds = 0
  /** Aborted when nobody wants the connection any more. */
  #wanted = new AbortController()
  /** Aborted when the user does not want to wait for what is being tried. */
  #attempts = new AbortController()
  #standing: (Standing & { readonly watch: LinkWatch }) | null = null
  #connecting: Promise<Standing> | null = null
  #recovering: Promise<Standing> | null = null
  #lastAddress: SshAddress | null = null
  #loginQuestions = 0
  /** Tries to get the connection back since it last stood for long. */
  #tries = 0

  constructor(options: LinkOptions) {
    this.#options = options
    this.#pause = new Pause(options.clock)
  }

  /** Keeps the connection until what it returns is called. */
  hold(): () => void {
    this.#holds += 1
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      this.#holds -= 1
      if (this.#holds === 0) this.#end()
    }
  }

  /** For holders only. One attempt, shared with others who wait. @throws ConnectFailed */
  connected(): Promise<Standing> {
    this.#tries = 0
    const connected = this.#joined()
    this.#pause.cutShort()
    return connected
  }

  /** For holders only. Tries until it stands or only the user can help. @throws ConnectFailed */
  recovered(): Promise<Standing> {
    const { signal } = this.#wanted
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
    if (answer !== null) return this.question.answerLogin(questionId, answer)
    if (this.question.declineLogin(questionId)) return
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
    const { kind } = this.state.value
    if (kind === 'failed' || kind === 'host-key-changed') this.#set({ kind: 'idle' })
  }

  /** What an attempt that was given up still finds out is not shown. */
  #show(signal: AbortSignal, state: ConnectionState): void {
    if (!signal.aborted) this.#set(state)
  }

  #joined(): Promise<Standing> {
    if (this.#standing !== null) return Promise.resolve(this.#standing)
    const { signal } = this.#wanted
    this.#connecting ??= this.#connect(signal).finally(() => {
      if (!signal.aborted) this.#connecting = null
    })
    return this.#connecting
  }

  async #recover(signal: AbortSignal): Promise<Standing> {
    for (;;) {
      const now = this.state.value
      if (now.kind === 'failed' && isCutOff(now.problem)) throw new ConnectFailed(now, false)
      if (this.#tries > 0 && now.kind === 'failed' && this.#standing === null) {
        const waitMs = this.#backOff()
        const retryAt = this.#options.clock.now() + waitMs
        const { problem, address } = now
        const nextTry = this.#tries + 1
        this.#show(signal, { kind: 'waiting', problem, address, retryAt, nextTry })
        try {
          await this.#pause.wait(waitMs, AbortSignal.any([signal, this.#attempts.signal]))
        } catch (error) {
          throw this.#failed(error, now.address, signal)
        }
      }
      this.#tries += 1
      try {
        return await this.#joined()
      } catch (error) {
        if (!(error instanceof ConnectFailed) || !error.isPassing) throw error
      }
    }
  }

  #backOff(): number {
    const ms = backOffMs[Math.min(this.#tries, backOffMs.length - 1)] ?? 0
    return ms * (0.8 + 0.4 * this.#options.random())
  }

  async #connect(wanted: AbortSignal): Promise<Standing> {
    const signal = AbortSignal.any([wanted, this.#attempts.signal])
    let address: SshAddress | null = null
    this.#show(signal, { kind: 'connecting', address })
    try {
      address = await orAborted(this.#findAddress(), signal)
      this.#show(signal, { kind: 'connecting', address })
      // The keychain, or what else is asked on the way, may not answer for long.
      return await orAborted(this.#open(address, signal), signal)
    } catch (error) {
      throw this.#failed(error, address, wanted)
    }
  }

  /** Shows and returns why there is no connection. @throws the signal's reason: then nobody wants one */
  #failed(error: unknown, address: SshAddress | null, wanted: AbortSignal): ConnectFailed {
    wanted.throwIfAborted()
    const { knownHosts, log } = this.#options
    const failed = explainFailure(error, { address, knownHostsFile: knownHosts.path, log })
    this.#set(failed.failure)
    return failed
  }

  async #findAddress(): Promise<SshAddress> {
    try {
      const target = await this.#options.findTarget()
      if (target.kind === 'none') throw new SshFailure({ kind: 'no-address', status: target.status })
      this.#lastAddress = target.address
    } catch (error) {
      // The machine may well be there while the service is not; its host key tells whether it is the same.
      if (!(error instanceof ProblemError) || !isServiceAway(error) || this.#lastAddress === null) throw error
    }
    return this.#lastAddress
  }

  async #open(address: SshAddress, signal: AbortSignal): Promise<Standing> {
    const { knownHosts, memory, clock, hostConfig, findWay, identities, loginSecrets } = this.#options
    let isNewAddress = false
    const config = (await hostConfig?.(address)) ?? noHostConfig
    const user = config.user ?? this.#options.user()
    const agent = this.#options.agent?.() ?? null
    const way = (await findWay?.(config)) ?? directWay
    const connection = await reach(
      {
        ...{ address, user, config, way, agent, identities, knownHosts, clock },
        ...(memory && { memory }),
        onNewAddress: () => (isNewAddress = true),
        ...(loginSecrets && { loginSecrets }),
        ask: (asked, within) => this.#ask(this.#numbered(asked), within),
        onTry: (at, hop) => this.#show(signal, { kind: 'connecting', address: at, ...(hop && { hop }) }),
      },
      signal,
    )
    signal.throwIfAborted()
    const gone = new AbortController()
    const whileOpen = AbortSignal.any([signal, gone.signal])
    const show = (health: LinkHealth): void =>
      this.#show(whileOpen, {
        ...{ kind: 'open', address, user },
        ...(isNewAddress && { isNewAddress: true as const }),
        ...health,
      })
    show({ latencyMs: null, silentSince: null })
    const { client, bytesRead, breakOff } = connection
    const watched = { ask: () => askRoundTrip(client), bytesRead, breakOff }
    const watch = watchLink(watched, clock, show, whileOpen)
    const standing = { connection, address, user, agent, watch }
    this.#standing = standing
    const since = clock.now()
    void connection.ended.then((problem) => {
      gone.abort()
      if (this.#standing !== standing) return
      this.#standing = null
      if (clock.now() - since >= lastingMs) this.#tries = 0
      this.#show(signal, { kind: 'failed', problem, address })
    })
    return standing
  }

  /** No two questions of a host's have one number: an answer for a jump host never goes to the instance. */
  #numbered(asked: Asked): Asked {
    if (asked.kind !== 'login') return asked
    this.#loginQuestions += 1
    return { ...asked, question: { ...asked.question, id: this.#loginQuestions } }
  }

  async #ask(asked: Asked, signal: AbortSignal): Promise<Answer> {
    const answer = this.question.ask(asked, signal)
    this.#show(signal, asked)
    const given = await answer
    // While a passphrase or an answer is tried, the question stands: it may not fit.
    if (this.state.value === asked && given.kind !== 'passphrase' && given.kind !== 'login')
      this.#set({ kind: 'connecting', address: asked.address, ...(asked.hop && { hop: asked.hop }) })
    return given
  }

  #end(): void {
    this.#wanted.abort(new Error('nobody needs the connection any more'))
    this.#wanted = new AbortController()
    this.#standing = null
    this.#connecting = null
    this.#recovering = null
    const { kind } = this.state.value
    // How it failed stays in sight.
    if (kind !== 'failed' && kind !== 'host-key-changed') this.#set({ kind: 'idle' })
  }

  #set(state: ConnectionState): void {
    this.state.set(state)
    this.#options.changed()
  }
}
