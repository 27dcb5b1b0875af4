import type { Clock } from '../../../domain/base/clock.ts'
import type { ConnectionQuestion } from '../../../domain/ssh/connection-lifecycle.ts'
import type { HopPlace, SshAddress } from '../../../domain/ssh/ssh.ts'
import type { AskLogin, LateAnswer } from './prompted-login.ts'
import type { LoginSecrets } from './host-password.ts'
import { connect, type Connection } from './connection.ts'
import { SshFailure } from '../failure.ts'
import type { ForwardedAgent } from '../keys/forwarded-agent.ts'
import { prepareHostKeyCheck, type HostKeyCheck } from '../known-hosts/host-key-check.ts'
import type { Identities } from '../keys/identities.ts'
import { withoutKeys } from './authentication.ts'
import type { InstanceMemory } from '../known-hosts/host-keys-by-instance.ts'
import type { KnownHostsFile } from '../known-hosts/known-hosts-file.ts'
import type { AskPassphrase } from '../keys/locked-keys.ts'
import type { Answer } from './prompt.ts'
import type { OpenTransport } from './transport.ts'

export interface LoginWorld {
  readonly address: SshAddress
  readonly user: string
  readonly open: OpenTransport
  /** Where it is a jump host on the way to a machine. */
  readonly hop?: HopPlace
  readonly identities: () => Promise<Identities>
  readonly agent?: ForwardedAgent | null
  /** What is kept for logins that are asked for; nothing where this is not told. */
  readonly loginSecrets?: LoginSecrets
  /** No login is begun that a host asks its user for. */
  readonly keysOnly?: boolean
  readonly knownHosts: KnownHostsFile
  /** What is remembered of an instance; a jump host is known by its address only. */
  readonly memory?: InstanceMemory
  /** Where else that instance is, as far as whoever connects knows. */
  readonly otherAddresses?: readonly SshAddress[]
  /** It is the instance that it was, at a new address. */
  readonly onNewAddress?: () => void
  /** It shows a host key, whether or not that is trusted. */
  readonly onHostKey?: () => void
  readonly clock: Clock
  readonly ask: (asked: ConnectionQuestion, signal: AbortSignal) => Promise<Answer>
}

/**
 * Connects to one address and logs in, asking what only the user knows.
 *
 * @throws SshFailure, HostKeyChanged, or the signal's reason
 */
export async function logIn(world: LoginWorld, signal: AbortSignal): Promise<Connection> {
  const {
    address,
    user,
    open,
    agent = null,
    knownHosts,
    clock,
    hop,
    memory,
    otherAddresses,
    onNewAddress,
    onHostKey,
    loginSecrets,
    keysOnly = false,
  } = world
  const somewhere = { address, ...(hop && { hop }) }
  let passphraseGiven = false
  let late: LateAnswer | null = null
  /** Whether the user has been asked for a password or a code. */
  let hasAsked = false
  /** Once a host's tries were used up before that. */
  let keyless: Identities | null = null

  const ask: AskPassphrase = async (key, asked) => {
    const within = AbortSignal.any([signal, asked])
    const answer = await world.ask({ kind: 'passphrase', ...somewhere, key }, within)
    if (answer.kind !== 'passphrase') return null
    passphraseGiven = true
    return answer
  }

  async function attempt(): Promise<Connection> {
    // A question goes with its attempt.
    const over = new AbortController()
    const asking = AbortSignal.any([signal, over.signal])
    const hostKey = await prepareHostKeyCheck(knownHosts, address, {
      ask: async (offered, doubts, alsoAt) => {
        const also = alsoAt.length > 0 && { alsoAt }
        const question = { kind: 'unknown-host', ...somewhere, offered, ...doubts, ...also } as const
        return (await world.ask(question, asking)).kind === 'trust'
      },
      ...(memory && { memory }),
      ...(otherAddresses && { otherAddresses }),
      ...(onNewAddress && { onNewAddress }),
      ...(onHostKey && { onHostKey }),
    })
    try {
      const identities = keyless ?? (await world.identities())
      signal.throwIfAborted()
      const askLogin: AskLogin = async (question, isOver) => {
        hasAsked = true
        const within = AbortSignal.any([asking, isOver])
        const answer = await world.ask(
          { kind: 'login', ...somewhere, question: { id: 0, ...question } },
          within,
        )
        return answer.kind === 'login' ? answer.answer : null
      }
      const prompted = { late, ask: askLogin, onLate: (came: LateAnswer) => (late = came) }
      const prompts = { ...prompted, ...(loginSecrets && { secrets: loginSecrets }) }
      const how = { identities, hostKey, ask, prompts, keysOnly }
      const login = { address, user, open, agent, ...how, clock, signal }
      return await remembered(hostKey, await connect(login))
    } catch (error) {
      over.abort(new Error('the attempt has failed'))
      throw error
    }
  }

  /** Only who is logged in to has proved to be the instance; what was given up meanwhile isn't remembered. */
  async function remembered(hostKey: HostKeyCheck, connection: Connection): Promise<Connection> {
    try {
      signal.throwIfAborted()
      await hostKey.remember()
      return connection
    } catch (error) {
      connection.breakOff({ code: 'closed-after-login' })
      throw error
    }
  }

  let hadTime = false
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      const mayGoWithout: boolean = keyless === null && !hasAsked && !keysOnly
      const instead: Identities | null = mayGoWithout ? withoutKeys(error) : null
      if (instead !== null) {
        keyless = instead
        continue
      }
      // The machine waits two minutes for a login; who looks for a passphrase or a password may take longer.
      const cameTooLate =
        (passphraseGiven || late !== null) &&
        error instanceof SshFailure &&
        error.problem.kind === 'link-lost'
      if (!cameTooLate || hadTime) throw error
      hadTime = true
    }
  }
}
