import ssh2, { Client, type AnyAuthMethod } from 'ssh2'
import type { Clock } from '../domain/clock.ts'
import type { SshAddress, SshProblem } from '../domain/ssh.ts'
import { algorithmsFor } from './algorithms.ts'
import { createDeadline } from './deadline.ts'
import { problemOfHandshakeError, problemOfLostLink, SshFailure } from './failure.ts'
import type { HostKeyCheck } from './host-key-check.ts'
import type { Identities } from './identities.ts'
import { openSocket } from './socket.ts'

/** No answer to three of them in a row means that the link is dead. */
const keepalive = { keepaliveInterval: 15_000, keepaliveCountMax: 3 }
/** For the handshake and for the login each; a user's answer about a host key does not count. */
const stepDeadlineMs = 20_000

export interface ConnectOptions {
  readonly address: SshAddress
  readonly user: string
  readonly identities: Identities
  readonly hostKey: HostKeyCheck
  readonly clock: Clock
  readonly signal: AbortSignal
}

/** A connection that is logged in. */
export interface Connection {
  readonly client: Client
  /** Resolves when it has ended, with why. */
  readonly ended: Promise<SshProblem>
  readonly end: () => void
}

/**
 * Connects and logs in. The host key is verified before the user's name or any key is sent.
 *
 * @throws SshFailure, HostKeyChanged, or the signal's reason
 */
export async function connect(options: ConnectOptions): Promise<Connection> {
  const { address, user, identities, hostKey, clock, signal } = options
  if (identities.keys.length === 0 && identities.agentSocket === null)
    throw new SshFailure({ kind: 'no-keys', hints: identities.skipped.map((why) => `Not usable: ${why}.`) })
  const sock = await openSocket(address, signal)
  const client = new Client()
  const login = new Login(user, identities)

  const ended = new Promise<SshProblem>((resolve) => {
    client.on('error', (error) => resolve(problemOfLostLink(error)))
    client.on('close', () => resolve({ kind: 'link-lost', detail: 'the other side closed it' }))
  })

  try {
    await new Promise<void>((resolve, reject) => {
      const deadline = createDeadline(clock, stepDeadlineMs, () =>
        reject(new SshFailure({ kind: 'timeout' })),
      )
      deadline.start()
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      client.once('ready', () => {
        deadline.stop()
        resolve()
      })
      client.once('error', (error) => {
        deadline.stop()
        reject(new SshFailure(login.problemOf(error), { cause: error }))
      })
      client.once('close', () => {
        deadline.stop()
        reject(new SshFailure({ kind: 'link-lost', detail: 'it was closed during the login' }))
      })
      client.connect({
        sock,
        username: user,
        algorithms: algorithmsFor(hostKey.knownAlgorithms),
        readyTimeout: 0,
        ...keepalive,
        // Without a verifier ssh2 would accept any key.
        hostVerifier: (key: Buffer, verify: (trusted: boolean) => void) => {
          deadline.stop()
          hostKey.verify(key).then(
            () => {
              deadline.start()
              verify(true)
            },
            (error: unknown) => {
              reject(error)
              verify(false)
            },
          )
        },
        authHandler: () => login.offerNext(),
      })
    })
  } catch (error) {
    client.destroy()
    throw error
  }
  return { client, ended, end: () => client.end() }
}

/** Offers one key after the other, and remembers which. */
class Login {
  readonly #user: string
  readonly #tried: string[] = []
  readonly #methods: { readonly name: string; readonly method: AnyAuthMethod }[]
  readonly #skipped: string[]

  constructor(username: string, identities: Identities) {
    this.#user = username
    this.#skipped = [...identities.skipped]
    this.#methods = []
    for (const { name, privateKey } of identities.keys) {
      if (ssh2.utils.parseKey(privateKey) instanceof Error) this.#skipped.push(`${name} (it cannot be read)`)
      else this.#methods.push({ name, method: { type: 'publickey', username, key: privateKey } })
    }
    const { agentSocket } = identities
    if (agentSocket !== null)
      this.#methods.push({ name: 'the SSH agent', method: { type: 'agent', username, agent: agentSocket } })
  }

  /** `false` ends the login. */
  offerNext(): AnyAuthMethod | false {
    const chosen = this.#methods.shift()
    if (!chosen) return false
    this.#tried.push(chosen.name)
    return chosen.method
  }

  problemOf(error: Error & { level?: string }): SshProblem {
    switch (error.level) {
      case 'client-authentication':
      case 'agent':
        return { kind: 'authentication-failed', user: this.#user, tried: this.#tried, skipped: this.#skipped }
      case 'client-timeout':
        return { kind: 'timeout' }
      default:
        return problemOfHandshakeError(error)
    }
  }
}
