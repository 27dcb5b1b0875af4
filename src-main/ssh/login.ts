import ssh2, { type AnyAuthMethod } from 'ssh2'
import type { Clock } from '../domain/clock.ts'
import type { SshProblem } from '../domain/ssh.ts'
import { findAgent } from './agent.ts'
import { problemOfHandshakeError, SshFailure } from './failure.ts'
import type { Identities } from './identities.ts'

/** As ssh2 marks its errors. */
export type LoginError = Error & { readonly level?: string }

interface Offer {
  readonly name: string
  readonly method: AnyAuthMethod
}

const agentName = 'the SSH agent'

/**
 * Finds out what can be offered, before anything is sent anywhere.
 *
 * @throws SshFailure `no-keys`
 */
export async function prepareLogin(username: string, identities: Identities, clock: Clock): Promise<Login> {
  const offers: Offer[] = []
  const skipped = [...identities.skipped]
  for (const { name, privateKey } of identities.keys) {
    if (ssh2.utils.parseKey(privateKey) instanceof Error) skipped.push(`${name} (it cannot be read)`)
    else offers.push({ name, method: { type: 'publickey', username, key: privateKey } })
  }
  if (identities.agentSocket !== null) {
    const found = await findAgent(identities.agentSocket, clock)
    if (found.kind === 'unusable') skipped.push(`${agentName} (${found.why})`)
    else offers.push({ name: agentName, method: { type: 'agent', username, agent: found.agent } })
  }
  if (offers.length === 0)
    throw new SshFailure({ kind: 'no-keys', hints: skipped.map((why) => `Not usable: ${why}.`) })
  return new Login(username, offers, skipped)
}

/** Offers one key after the other, and remembers which. */
export class Login {
  readonly #user: string
  readonly #offers: Offer[]
  readonly #tried: string[] = []
  readonly #skipped: Set<string>

  constructor(user: string, offers: readonly Offer[], skipped: readonly string[]) {
    this.#user = user
    this.#offers = [...offers]
    this.#skipped = new Set(skipped)
  }

  /** `false` ends the login. */
  offerNext(): AnyAuthMethod | false {
    const chosen = this.#offers.shift()
    if (!chosen) return false
    this.#tried.push(chosen.name)
    return chosen.method
  }

  /** The agent may have to ask its user, who may say no. */
  noteUnsigned(): void {
    this.#skipped.add(`a key of ${agentName} (it did not sign)`)
  }

  problemOf(error: LoginError): SshProblem {
    switch (error.level) {
      case 'client-authentication':
        return this.#refused()
      case 'client-timeout':
        return { kind: 'timeout' }
      default:
        // OpenSSH's words for MaxAuthTries; the reason that it gives with them stands for much else too.
        if (!/too many authentication failures/i.test(error.message)) return problemOfHandshakeError(error)
        this.#skipped.add('further keys (the machine allows no more tries)')
        return this.#refused()
    }
  }

  #refused(): SshProblem {
    return {
      kind: 'authentication-failed',
      user: this.#user,
      tried: this.#tried,
      skipped: [...this.#skipped],
    }
  }
}
