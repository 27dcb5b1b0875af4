import type { Client } from 'ssh2'
import { Latest } from '../../../domain/base/latest.ts'
import { invalidInput } from '../../../domain/base/problem.ts'
import type { ConnectionsList, ConnectionState } from '../../../domain/ssh/ssh-connection.ts'
import type { SshReason } from '../../../domain/ssh/ssh-detail.ts'
import type { LoginAnswer } from '../../../domain/ssh/ssh-login.ts'
import type { PassphraseAnswer } from '../../../domain/ssh/ssh-passphrase.ts'
import type { SshAddress, SshProblem } from '../../../domain/ssh/ssh.ts'
import type { ForwardedAgent } from '../keys/forwarded-agent.ts'
import type { HostConfig } from '../config/host-config.ts'
import { InstanceConnection, type InstanceConnectionOptions, type Standing } from './instance-connection.ts'
import type { HostKeysByInstance } from '../known-hosts/host-keys-by-instance.ts'
import { openKnownHosts } from '../known-hosts/known-hosts-file.ts'
import type { KnownHost } from '../known-hosts/known-hosts.ts'
import { orAborted } from '../deadline.ts'
import { fingerprintOf } from '../protocol/public-key.ts'
import type { Route, Target } from './route.ts'

/** A share in the one connection to an instance. */
export interface ConnectionLease {
  /** Shared: open channels on it and close those again, never itself. */
  readonly client: Client
  readonly address: SshAddress
  readonly user: string
  /** What its shells may be given the use of. */
  readonly agent?: ForwardedAgent | null
  /** What its shells and commands are given of the user's locale. */
  readonly locale?: Readonly<Record<string, string>>
  /** Resolves when the connection has ended, with why; not when this share is given back. */
  readonly ended: Promise<SshProblem>
  /** Ends the connection for all, without leave, because of what the other side does. */
  readonly breakOff: (detail: SshReason) => void
  /** The same, because it breaks the protocol. */
  readonly breach: (detail: SshReason) => void
  /** Gives the share back; the last one ends the connection. May be called again. */
  readonly release: () => void
}

/** One connection per instance, shared by its shells, transfers and forwards. */
export interface Connections {
  /**
   * Connects, or joins the connection that stands or is being made. One attempt.
   *
   * @param manner `quiet`: it fails where the user would have to be asked, unless somebody else wants it who may ask
   * @throws ConnectFailed with what to show, or the signal's reason
   */
  readonly acquire: (
    instanceId: number,
    signal: AbortSignal,
    manner?: 'asking' | 'quiet',
  ) => Promise<ConnectionLease>
  /**
   * Connects to the instance once more, for what would hold up all that goes over the shared connection. With keys only,
   * and without the agent for shells; asks its user nothing, and shows in no state. Where it leads is found anew, so it
   * may be at the other address, but only with the host key of the shared one. One attempt, and one for as long as a
   * shared connection stands when that fails, or what it came to is lost.
   *
   * @returns `null`, without an attempt: none is shared, the shared one took more than keys, another one is open, or
   * there was that one attempt; or after it: the host key is another one
   * @throws ConnectFailed, or the signal's reason
   */
  readonly openApart: (instanceId: number, signal: AbortSignal) => Promise<ConnectionLease | null>
  /** A share in the connection that others hold, for as long as they do; `null` when there is none. */
  readonly join: (instanceId: number) => ConnectionLease | null
  /**
   * Gets back a connection that was lost: tries with growing pauses until it stands, the signal is aborted, or
   * only the user can help (then it throws as `acquire` does).
   */
  readonly regain: (instanceId: number, signal: AbortSignal) => Promise<ConnectionLease>
  readonly state: (instanceId: number) => Latest<ConnectionState>
  /** All that were wanted so far. */
  readonly list: Latest<ConnectionsList>
  /** Answers `unknown-host`, for the very key that was shown. @throws ProblemError when it is not asked about */
  readonly answerHostKey: (instanceId: number, trust: boolean, fingerprint: string) => void
  /** Answers `passphrase`; `null` goes on without that key. @throws ProblemError when it is not asked for */
  readonly answerPassphrase: (instanceId: number, path: string, answer: PassphraseAnswer | null) => void
  /** Answers `login`; `null` ends the attempt. @throws ProblemError when it is not asked, or does not fit */
  readonly answerLogin: (instanceId: number, questionId: number, answer: LoginAnswer | null) => void
  /** Forgets the keys that `host-key-changed` named, of the address and of the instance; the next connect asks. @throws ProblemError */
  readonly forgetHostKey: (instanceId: number) => Promise<void>
  /** The user has seen how it failed: the state is `idle` again. */
  readonly dismiss: (instanceId: number) => void
  /** Ends the attempts that are under way, for all who wait: they fail with `stopped`. */
  readonly stopTrying: (instanceId: number) => void
  /** Tries at once what waits, and asks what stands for a sign of life. */
  readonly tryNow: (instanceId: number) => void
  /** The computer slept and is awake again: every link is probed at once. */
  readonly wake: () => void
}

export interface ConnectionsOptions extends Omit<
  InstanceConnectionOptions,
  'findTarget' | 'hostConfig' | 'findRoute' | 'agent' | 'knownHosts' | 'memory' | 'changed'
> {
  readonly findTarget: (
    instanceId: number,
    ...how: Parameters<InstanceConnectionOptions['findTarget']>
  ) => Promise<Target>
  /** When the service last told the address that `findTarget` found, where it couldn't be asked; else `null`. */
  readonly addressAsOf?: (instanceId: number) => number | null
  /** What the user's SSH configuration says about an instance, where that is gone by. */
  readonly hostConfig?: (instanceId: number, address: SshAddress) => Promise<HostConfig>
  /** How to get to an instance; directly where this is not told. @throws SshFailure way-unclear */
  readonly findRoute?: (instanceId: number, config: HostConfig) => Promise<Route>
  readonly agentFor?: (instanceId: number) => ForwardedAgent | null
  /** LANG and its like, as they are to be sent from now on; nothing where this is not told. */
  readonly locale?: () => Readonly<Record<string, string>>
  /** The app's own, in OpenSSH's format. */
  readonly knownHostsFile: string
  /** Host keys by instance. */
  readonly hostKeysByInstance?: Pick<HostKeysByInstance, 'of' | 'forget'>
}

/** Connects nowhere before somebody asks for it. */
export function createConnections({
  findTarget,
  addressAsOf = () => null,
  hostConfig,
  findRoute,
  agentFor,
  locale = () => ({}),
  knownHostsFile,
  hostKeysByInstance,
  ...shared
}: ConnectionsOptions): Connections {
  const knownHosts = openKnownHosts(knownHostsFile)
  const connections = new Map<number, InstanceConnection>()
  /** One for an instance. */
  const apart = new Map<number, InstanceConnection>()
  /** Shared connections beside which none is to be had. */
  const alone = new WeakSet<Standing>()
  const list = new Latest<ConnectionsList>([])

  function publish(): void {
    list.set(
      [...connections].map(([instanceId, { state }]) => {
        const asOf = addressAsOf(instanceId)
        return { instanceId, state: state.value, ...(asOf !== null && { addressAsOf: asOf }) }
      }),
    )
  }

  function connectionTo(instanceId: number): InstanceConnection {
    const existing = connections.get(instanceId)
    if (existing) return existing
    const connection = createConnection(instanceId, {
      ...(agentFor && { agent: () => agentFor(instanceId) }),
      changed: publish,
    })
    connections.set(instanceId, connection)
    return connection
  }

  function createConnection(
    instanceId: number,
    its: Pick<InstanceConnectionOptions, 'agent' | 'keysOnly' | 'changed'>,
  ): InstanceConnection {
    return new InstanceConnection({
      ...shared,
      knownHosts,
      findTarget: (asOf) => findTarget(instanceId, asOf),
      ...(hostConfig && { hostConfig: (address) => hostConfig(instanceId, address) }),
      ...(findRoute && { findRoute: (config) => findRoute(instanceId, config) }),
      ...(hostKeysByInstance && { memory: hostKeysByInstance.of(instanceId) }),
      ...its,
    })
  }

  function leaseOf({ connection, address, user, agent }: Standing, release: () => void): ConnectionLease {
    const { client, ended, breakOff, breach } = connection
    return { client, address, user, agent, locale: locale(), ended, breakOff, breach, release }
  }

  async function share(
    held: InstanceConnection,
    signal: AbortSignal,
    ask: () => Promise<Standing>,
    isQuiet = false,
  ): Promise<ConnectionLease> {
    signal.throwIfAborted()
    const release = held.hold(isQuiet)
    try {
      return leaseOf(await orAborted(ask(), signal), release)
    } catch (error) {
      release()
      throw error
    }
  }

  async function openBeside(
    beside: Standing,
    instanceId: number,
    signal: AbortSignal,
  ): Promise<ConnectionLease | null> {
    const connection = createConnection(instanceId, { keysOnly: true, changed: () => undefined })
    apart.set(instanceId, connection)
    /** @returns whether it wasn't over before */
    const end = (): boolean => apart.get(instanceId) === connection && apart.delete(instanceId)
    try {
      const lease = await share(connection, signal, () => connection.connected(true), true)
      const release = (): void => {
        end()
        lease.release()
      }
      if (connection.standing?.connection.hostKey() !== beside.connection.hostKey()) {
        alone.add(beside)
        shared.log.warn('A further connection to an instance found another host key than the one that stands')
        release()
        return null
      }
      void lease.ended.then(() => {
        if (!end()) return
        alone.add(beside)
        // Where it's the way there that is gone, the shared one needn't find out by itself.
        connections.get(instanceId)?.probe(false)
      })
      return { ...lease, release }
    } catch (error) {
      end()
      if (!signal.aborted) alone.add(beside)
      throw error
    }
  }

  return {
    acquire: (instanceId, signal, manner = 'asking') => {
      const connection = connectionTo(instanceId)
      const isQuiet = manner === 'quiet'
      return share(connection, signal, () => connection.connected(isQuiet), isQuiet)
    },
    openApart: async (instanceId, signal) => {
      const beside = connections.get(instanceId)?.standing ?? null
      if (beside === null || beside.connection.wasPrompted) return null
      return apart.has(instanceId) || alone.has(beside) ? null : openBeside(beside, instanceId, signal)
    },
    join: (instanceId) => {
      const standing = connections.get(instanceId)?.standing ?? null
      return standing && leaseOf(standing, () => undefined)
    },
    regain: (instanceId, signal) => {
      const connection = connectionTo(instanceId)
      return share(connection, signal, () => connection.recovered())
    },
    state: (instanceId) => connectionTo(instanceId).state,
    list,
    answerHostKey: (instanceId, trust, fingerprint) =>
      connectionTo(instanceId).prompt.answerHostKey(trust, fingerprint),
    answerPassphrase: (instanceId, path, answer) =>
      connectionTo(instanceId).prompt.answerPassphrase(path, answer),
    answerLogin: (instanceId, questionId, answer) => connectionTo(instanceId).answerLogin(questionId, answer),
    forgetHostKey: async (instanceId) => {
      const connection = connectionTo(instanceId)
      const state = connection.state.value
      if (state.kind !== 'host-key-changed' || state.revoked)
        throw invalidInput('instanceId', { code: 'not-listed' })
      // The file may have been edited since: only a line that still holds the key that was shown.
      const isShown = ({ line, key }: KnownHost): boolean =>
        state.trusted.some((shown) => shown.line === line && shown.fingerprint === fingerprintOf(key))
      await knownHosts.remove((await knownHosts.read()).filter(isShown), state.address)
      if (state.hop === undefined) await hostKeysByInstance?.forget(instanceId)
      connection.dismiss()
    },
    dismiss: (instanceId) => connectionTo(instanceId).dismiss(),
    stopTrying: (instanceId) => connectionTo(instanceId).stopTrying(),
    tryNow: (instanceId) => connectionTo(instanceId).probe(false),
    wake: () => {
      for (const connection of [...connections.values(), ...apart.values()]) connection.probe(true)
    },
  }
}
