import type { Clock } from '../domain/clock.ts'
import { Latest } from '../domain/latest.ts'
import type { Log } from '../domain/log.ts'
import { ProblemError } from '../domain/problem.ts'
import type { HostKey, SshAddress, TerminalState } from '../domain/ssh.ts'
import { connect } from './connection.ts'
import { HostKeyChanged, SshFailure } from './failure.ts'
import { prepareHostKeyCheck } from './host-key-check.ts'
import type { Identities } from './identities.ts'
import { fingerprintOf } from './key-pair.ts'
import type { KnownHostsFile } from './known-hosts-file.ts'
import type { KnownHost } from './known-hosts.ts'
import type { ScreenPort } from './screen-port.ts'
import { openShell, type Shell, type TerminalSize } from './shell.ts'

export type Target =
  | { readonly kind: 'address'; readonly address: SshAddress }
  | { readonly kind: 'none'; readonly status: string | null }

export interface TerminalOptions {
  readonly instanceId: number
  readonly size: TerminalSize
  /** Asked at each connect: a machine's address may have changed since. */
  readonly findTarget: (instanceId: number) => Promise<Target>
  readonly user: () => string
  readonly identities: () => Promise<Identities>
  readonly knownHosts: KnownHostsFile
  readonly clock: Clock
  readonly log: Log
  /** It was closed, by its port or otherwise, and will not open again. */
  readonly onClosed: () => void
}

/** How long a link that is lost may take to be told after its shell has ended. */
const lossIsToldWithinMs = 500

/** One terminal: a shell on one instance, its state, and the port to its screen. It outlives its connections. */
export class Terminal {
  readonly state = new Latest<TerminalState>({ kind: 'connecting', address: null })
  readonly #options: TerminalOptions
  #size: TerminalSize
  #port: ScreenPort | null = null
  /** Aborted when its connection is not wanted any more, whatever it has come to. */
  #attempt: AbortController | null = null
  #shell: Shell | null = null
  /** Bytes posted on this port by shells before the present one. */
  #postedBefore = 0
  #answer: { readonly offered: HostKey; readonly give: (trust: boolean) => void } | null = null

  constructor(options: TerminalOptions) {
    this.#options = options
    this.#size = options.size
  }

  /** Takes the port to the screen and connects. A second port takes the place of the first. */
  attach(port: ScreenPort): void {
    this.#endConnection()
    const former = this.#port
    this.#port = port
    this.#postedBefore = 0
    former?.close()
    port.listen({
      input: (data) => this.#shell?.write(data),
      taken: (bytes) => this.#shell?.take(bytes - this.#postedBefore),
      closed: () => {
        if (this.#port === port) this.close()
      },
    })
    void this.reconnect()
  }

  /** Without a port there is no screen, and nothing is connected. */
  async reconnect(): Promise<void> {
    if (this.#port === null) return
    this.#endConnection()
    this.#attempt = new AbortController()
    const { signal } = this.#attempt
    this.#show(signal, { kind: 'connecting', address: null })
    let address: SshAddress | null = null
    try {
      const target = await this.#options.findTarget(this.#options.instanceId)
      signal.throwIfAborted()
      if (target.kind === 'none') throw new SshFailure({ kind: 'no-address', status: target.status })
      address = target.address
      this.#show(signal, { kind: 'connecting', address })
      await this.#open(address, signal)
    } catch (error) {
      if (signal.aborted) return
      this.#show(signal, this.#failed(error, address))
      this.#endConnection()
    }
  }

  /** Answers the question about a host's key; only for the very key that was shown. */
  answerHostKey(trust: boolean, fingerprint: string): void {
    if (this.#answer?.offered.fingerprint !== fingerprint)
      throw new ProblemError({
        kind: 'invalid-input',
        field: 'fingerprint',
        message: 'This key is not asked about any more.',
      })
    this.#answer.give(trust)
    this.#answer = null
  }

  /** Removes the keys that stood against the new one, and connects again, which asks. */
  async forgetHostKey(): Promise<void> {
    const { knownHosts } = this.#options
    const state = this.state.value
    if (state.kind !== 'host-key-changed' || state.revoked)
      throw new ProblemError({ kind: 'invalid-input', field: 'terminalId', message: 'No key is in the way.' })
    // The file may have been edited since: only a line that still holds the key that was shown.
    const isShown = ({ line, key }: KnownHost): boolean =>
      state.trusted.some((shown) => shown.line === line && shown.fingerprint === fingerprintOf(key))
    await knownHosts.remove((await knownHosts.read()).filter(isShown))
    void this.reconnect()
  }

  /** The instance that its shell is open on now. */
  get connectedTo(): number | null {
    return this.state.value.kind === 'open' ? this.#options.instanceId : null
  }

  resize(size: TerminalSize): void {
    this.#size = size
    this.#shell?.resize(size)
  }

  close(): void {
    this.#endConnection()
    const port = this.#port
    this.#port = null
    port?.close()
    this.#options.onClosed()
  }

  async #open(address: SshAddress, signal: AbortSignal): Promise<void> {
    const { knownHosts, clock } = this.#options
    const user = this.#options.user()
    const hostKey = await prepareHostKeyCheck(knownHosts, address, (offered) =>
      this.#ask(address, offered, signal),
    )
    const identities = await this.#options.identities()
    signal.throwIfAborted()
    const connection = await connect({ address, user, identities, hostKey, clock, signal })
    const shell = await openShell({
      connection,
      size: this.#size,
      clock,
      post: (bytes) => {
        if (!signal.aborted) this.#port?.post(bytes)
      },
    })
    signal.throwIfAborted()
    this.#shell = shell
    this.#show(signal, { kind: 'open', address, user })
    shell.resize(this.#size)
    const exit = await shell.ended
    const noLoss = exit === null ? clock.sleep(lossIsToldWithinMs).then(() => null) : null
    const problem = await (noLoss && Promise.race([connection.ended, noLoss]))
    if (signal.aborted) return
    if (problem !== null) this.#show(signal, { kind: 'lost', problem, address })
    else this.#show(signal, { kind: 'exited', code: exit?.code ?? null, signal: exit?.signal ?? null })
    this.#endConnection()
  }

  #ask(address: SshAddress, offered: HostKey, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return Promise.resolve(false)
    return new Promise((resolve) => {
      this.#answer = { offered, give: resolve }
      signal.addEventListener('abort', () => resolve(false), { once: true })
      this.#show(signal, { kind: 'unknown-host', address, offered })
    })
  }

  #failed(error: unknown, address: SshAddress | null): TerminalState {
    if (error instanceof HostKeyChanged && address !== null) {
      const { offered, trusted, revoked } = error
      return {
        kind: 'host-key-changed',
        address,
        offered,
        trusted: [...trusted],
        file: this.#options.knownHosts.path,
        revoked,
      }
    }
    if (error instanceof SshFailure) return { kind: 'failed', problem: error.problem, address }
    const id = this.#options.log.error('A terminal could not be connected', error)
    const detail =
      error instanceof ProblemError
        ? 'the service could not be asked for its address'
        : `an unexpected fault, in the log under ${id}`
    return { kind: 'failed', problem: { kind: 'unreachable', detail }, address }
  }

  /** What an attempt that was given up still finds out is not shown. */
  #show(signal: AbortSignal, state: TerminalState): void {
    if (!signal.aborted) this.state.set(state)
  }

  #endConnection(): void {
    this.#attempt?.abort(new Error('given up'))
    this.#attempt = null
    this.#answer = null
    this.#postedBefore += this.#shell?.posted() ?? 0
    this.#shell = null
  }
}
