import { isDeepStrictEqual } from 'node:util'
import ssh2, { type AnyAuthMethod } from 'ssh2'
import type { Clock } from '../../../domain/base/clock.ts'
import type { KeyFault, SkippedKey } from '../../../domain/base/key-fault.ts'
import type { SshProblem } from '../../../domain/ssh/ssh.ts'
import { findAgent, mostUnnamedKeys } from '../keys/agent.ts'
import { problemOfHandshakeError, SshFailure } from '../failure.ts'
import type { Identities, Identity, LockedIdentity } from '../keys/identities.ts'
import { KeyStaysLocked, LockedIdentityAgent } from '../keys/locked-identity.ts'
import { promptMethods, type PromptedLogin } from './prompted-login.ts'
import type { AskPassphrase, Opened } from '../keys/locked-keys.ts'
import { firstKey } from '../keys/private-key.ts'

/** As ssh2 marks its errors. */
export type AuthenticationError = Error & { readonly level?: string }

interface Offer {
  readonly name: string
  /** `null` when there turns out to be nothing to try. */
  readonly method: () => Promise<AnyAuthMethod | null>
}

export interface AuthenticationOptions {
  readonly user: string
  readonly identities: Identities
  readonly clock: Clock
  readonly ask: AskPassphrase
  /** What follows where keys do not do. */
  readonly prompted: PromptedLogin
  /** Then nothing does. */
  readonly keysOnly?: boolean
  /** Does what may wait for the user; the login has time until it is done. */
  readonly aside: <T>(work: Promise<T>) => Promise<T>
}

/** OpenSSH's words for MaxAuthTries; the reason that it gives with them stands for much else too. */
function tellsOfTries(error: Error): boolean {
  return /too many authentication failures/i.test(error.message)
}

/**
 * What one more connection is tried with after a host has allowed no more tries, where it takes passwords or prompts as
 * well: no key, so that all its tries are left for what the user knows. `null` for other failures, and for a host that
 * wants both.
 */
export function withoutKeys(error: unknown): Identities | null {
  if (!(error instanceof SshFailure) || error.problem.kind !== 'authentication-failed') return null
  const { tried, skipped, accepts, partial } = error.problem
  const couldAsk = !partial && accepts.some((name) => promptMethods.has(name))
  if (!couldAsk || !(error.cause instanceof Error) || !tellsOfTries(error.cause)) return null
  return { keys: [], agentSocket: null, skipped, triedBefore: tried }
}

/** As names of methods are made (RFC 4251 section 6); a host may list anything. */
const methodName = /^[\x21-\x7e]{1,64}$/
const mostMethods = 10

const agentName = 'the SSH agent'

/** Finds out what can be offered, before anything is sent anywhere. */
export async function prepareAuthentication(options: AuthenticationOptions): Promise<Authentication> {
  const { user, identities, clock, ask, aside, prompted, keysOnly = false } = options
  const login = new Authentication(user, identities, keysOnly ? null : prompted)
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
        login.skip(`further keys of ${agentName}`, { code: 'too-many', most: mostUnnamedKeys })
    }
  }
  return login
}

/** Offers one key after the other, then what is asked for, and remembers which. */
class Authentication {
  readonly #user: string
  readonly #offers: Offer[] = []
  readonly #tried: string[]
  readonly #skipped: SkippedKey[]
  /** `null`: nothing that the host would ask its user for is tried. */
  readonly #prompted: PromptedLogin | null
  /** What the host takes; `null` before it has said so. */
  #accepts: readonly string[] | null = null
  #isPartial = false
  #hasAsked = false
  #hadKeys = false

  constructor(
    user: string,
    { skipped, triedBefore = [] }: Pick<Identities, 'skipped' | 'triedBefore'>,
    prompted: PromptedLogin | null,
  ) {
    this.#user = user
    this.#prompted = prompted
    this.#tried = [...triedBefore]
    this.#skipped = [...skipped]
  }

  /** @param name as the user knows it, for what is told of the login */
  add(name: string, method: AnyAuthMethod): void {
    this.#push({ name, method: () => Promise.resolve(method) })
  }

  /** A key that cannot be read is skipped. */
  addOpen({ name, privateKey }: Identity): void {
    if (firstKey(ssh2.utils.parseKey(privateKey)) instanceof Error) this.skip(name, { code: 'unreadable' })
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
    this.#push({ name, method })
  }

  #push(offer: Offer): void {
    this.#hadKeys = true
    this.#offers.push(offer)
  }

  /** It is not offered; `why` is told when the login fails. */
  skip(name: string, why: KeyFault): void {
    const isKnown = this.#skipped.some((each) => isDeepStrictEqual(each, { name, why }))
    if (!isKnown) this.#skipped.push({ name, why })
  }

  /** What the host says of what came last. */
  noteRefused(accepts: readonly string[], isPartial: boolean): void {
    this.#accepts = accepts
    this.#isPartial ||= isPartial
    if (isPartial) this.#prompted?.noteAccepted()
  }

  /** `null` when there is nothing left: the login has failed. @throws SshFailure when the user ends it */
  async offerNext(): Promise<AnyAuthMethod | null> {
    while (this.#accepts?.includes('publickey') !== false) {
      const chosen = this.#offers.shift()
      if (!chosen) break
      const method = await chosen.method()
      if (method === null) continue
      this.#tried.push(chosen.name)
      return method
    }
    if (this.#accepts !== null) return this.#prompted?.next(this.#accepts) ?? null
    if (this.#hasAsked) return null
    // Who has no key asks what is taken (RFC 4252 section 5.2).
    this.#hasAsked = true
    return { type: 'none', username: this.#user }
  }

  /** An agent may have to ask its user, who may say no; so may a locked key. */
  noteUnsigned(error: Error): void {
    if (!(error instanceof KeyStaysLocked)) {
      this.skip(`a key of ${agentName}`, { code: 'did-not-sign' })
      return
    }
    const name = this.#tried.pop()
    if (name !== undefined) this.skip(name, error.why)
  }

  /** What ended the login, as the user is told. */
  problemOf(error: AuthenticationError): SshProblem {
    switch (error.level) {
      case 'client-authentication':
        return this.refusal()
      case 'client-timeout':
        return { kind: 'timeout' }
      default:
        if (!tellsOfTries(error)) return problemOfHandshakeError(error)
        this.skip(this.#triedPrompts.length === 0 ? 'further keys' : 'further passwords or codes', {
          code: 'no-attempts-left',
        })
        return this.refusal()
    }
  }

  get #triedPrompts(): readonly string[] {
    return this.#prompted?.tried ?? []
  }

  /** What was tried, and that it was not accepted. */
  refusal(): SshProblem {
    const accepts = (this.#accepts ?? []).filter((name) => methodName.test(name)).slice(0, mostMethods)
    const tried = [...new Set([...this.#tried, ...this.#triedPrompts])]
    if (!this.#hadKeys && tried.length === 0 && accepts.every((name) => name === 'publickey'))
      return { kind: 'no-keys', skipped: [...this.#skipped] }
    const skipped = [...this.#skipped]
    return {
      kind: 'authentication-failed',
      user: this.#user,
      tried,
      skipped,
      accepts,
      partial: this.#isPartial,
    }
  }
}
