import ssh2, { type AnyAuthMethod } from 'ssh2'
import type { Clock } from '../domain/clock.ts'
import type { SshProblem } from '../domain/ssh.ts'
import { findAgent, mostUnnamedKeys } from './agent.ts'
import { problemOfHandshakeError, SshFailure } from './failure.ts'
import type { Identities, Identity, LockedIdentity } from './identities.ts'
import { KeyStaysLocked, LockedIdentityAgent } from './locked-identity.ts'
import type { AskPassphrase, Opened } from './locked-keys.ts'
import { firstKey } from './private-key.ts'

/** As ssh2 marks its errors. */
export type LoginError = Error & { readonly level?: string }

interface Offer {
  readonly name: string
  /** `null` when there turns out to be nothing to try. */
  readonly method: () => Promise<AnyAuthMethod | null>
}

export interface LoginOptions {
  readonly user: string
  readonly identities: Identities
  readonly clock: Clock
  readonly ask: AskPassphrase
  /** Does what may wait for the user; the login has time until it is done. */
  readonly aside: <T>(work: Promise<T>) => Promise<T>
}

const agentName = 'the SSH agent'

/**
 * Finds out what can be offered, before anything is sent anywhere.
 *
 * @throws SshFailure `no-keys`
 */
export async function prepareLogin({ user, identities, clock, ask, aside }: LoginOptions): Promise<Login> {
  const login = new Login(user, identities.skipped)
  for (const key of identities.keys) {
    if ('open' in key) login.addLocked(key, () => aside(key.open(ask)))
    else login.addOpen(key)
  }
  if (identities.agentSocket !== null) {
    const { agentSocket, agentKeys = null, agentKeysFirst = [] } = identities
    const found = await findAgent(agentSocket, clock, { only: agentKeys, first: agentKeysFirst })
    if (found.kind === 'unusable') login.skip(agentName, found.why)
    else {
      login.add(agentName, { type: 'agent', username: user, agent: found.agent })
      if (found.leftOut > 0)
        login.skip(
          `further keys of ${agentName}`,
          `Slipway offers ${mostUnnamedKeys}; choose the public key file of yours as an identity file`,
        )
    }
  }
  login.requireOffers()
  return login
}

/** Offers one key after the other, and remembers which. */
export class Login {
  readonly #user: string
  readonly #offers: Offer[] = []
  readonly #tried: string[] = []
  readonly #skipped: Set<string>

  constructor(user: string, skipped: readonly string[]) {
    this.#user = user
    this.#skipped = new Set(skipped)
  }

  /** @param name as the user knows it, for what is told of the login */
  add(name: string, method: AnyAuthMethod): void {
    this.#offers.push({ name, method: () => Promise.resolve(method) })
  }

  /** A key that cannot be read is skipped. */
  addOpen({ name, privateKey }: Identity): void {
    if (firstKey(ssh2.utils.parseKey(privateKey)) instanceof Error) this.skip(name, 'it cannot be read')
    else this.add(name, { type: 'publickey', username: this.#user, key: privateKey })
  }

  /** It is opened when the machine takes its public part; where that is not known, before it is offered. */
  addLocked({ name, publicKey }: LockedIdentity, open: () => Promise<Opened>): void {
    if (publicKey !== null) {
      const agent = new LockedIdentityAgent(publicKey, open)
      return this.add(name, { type: 'agent', username: this.#user, agent })
    }
    const method = async (): Promise<AnyAuthMethod | null> => {
      const opened = await open()
      if (opened.kind === 'open') return { type: 'publickey', username: this.#user, key: opened.privateKey }
      this.skip(name, opened.why)
      return null
    }
    this.#offers.push({ name, method })
  }

  /** It is not offered; `why` is told when the login fails. */
  skip(name: string, why: string): void {
    this.#skipped.add(`${name} (${why})`)
  }

  /** @throws SshFailure `no-keys` */
  requireOffers(): void {
    if (this.#offers.length > 0) return
    throw new SshFailure({ kind: 'no-keys', hints: [...this.#skipped].map((why) => `Not usable: ${why}.`) })
  }

  /** `null` when there is nothing left: the login has failed. */
  async offerNext(): Promise<AnyAuthMethod | null> {
    for (;;) {
      const chosen = this.#offers.shift()
      if (!chosen) return null
      const method = await chosen.method()
      if (method === null) continue
      this.#tried.push(chosen.name)
      return method
    }
  }

  /** An agent may have to ask its user, who may say no; so may a locked key. */
  noteUnsigned(error: Error): void {
    if (!(error instanceof KeyStaysLocked)) {
      this.#skipped.add(`a key of ${agentName} (it did not sign)`)
      return
    }
    const name = this.#tried.pop()
    if (name !== undefined) this.skip(name, error.message)
  }

  /** What ended the login, as the user is told. */
  problemOf(error: LoginError): SshProblem {
    switch (error.level) {
      case 'client-authentication':
        return this.refusal()
      case 'client-timeout':
        return { kind: 'timeout' }
      default:
        // OpenSSH's words for MaxAuthTries; the reason that it gives with them stands for much else too.
        if (!/too many authentication failures/i.test(error.message)) return problemOfHandshakeError(error)
        this.#skipped.add('further keys (the machine allows no more tries)')
        return this.refusal()
    }
  }

  /** What was tried, and that it was not accepted. */
  refusal(): SshProblem {
    return {
      kind: 'authentication-failed',
      user: this.#user,
      tried: this.#tried,
      skipped: [...this.#skipped],
    }
  }
}
