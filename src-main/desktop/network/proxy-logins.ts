import { Latest } from '../../domain/base/latest.ts'
import { invalidInput } from '../../domain/base/problem.ts'
import type { ProxyLogin, ProxyQuestion } from '../../domain/workbench/proxy-login.ts'

/** What Electron tells of who asks (AuthInfo). */
export interface AuthChallenge {
  readonly isProxy: boolean
  readonly scheme: string
  readonly host: string
  readonly port: number
  readonly realm: string
}

/** Electron's way to be told a login; without one, the request fails. */
export type GiveLogin = (name?: string, password?: string) => void

/** What became of an attempt to log a session in to the proxy that refused it. */
export type LoggedIn =
  /** Its requests pass from now on. */
  | 'done'
  /** The proxy wants what only the user knows. */
  | 'asked'
  /** It was not a login that was missing. */
  | 'not-it'

/** Names and passwords for proxies, in memory for this run. One proxy asks at a time; the others ask with their next reply. */
export class ProxyLogins {
  readonly question = new Latest<ProxyQuestion | null>(null)
  readonly #known = new Map<string, ProxyLogin>()
  #asking: string | null = null
  #lastId = 0

  /** What is known for this proxy; otherwise `null`, and the user is asked. */
  find(challenge: AuthChallenge): ProxyLogin | null {
    const known = this.#known.get(keyOf(challenge)) ?? null
    if (known === null) this.#ask(challenge, false)
    return known
  }

  /** The proxy has not taken this login: it is forgotten, unless the user has given another one since. */
  refuse(challenge: AuthChallenge, tried: ProxyLogin): void {
    if (this.#known.get(keyOf(challenge)) !== tried) return
    this.#known.delete(keyOf(challenge))
    this.#ask(challenge, true)
  }

  /** @throws ProblemError when this question is not open any more */
  answer(questionId: number, login: ProxyLogin): void {
    if (this.#asking === null || this.question.value?.id !== questionId)
      throw invalidInput('questionId', { code: 'ended' })
    this.#known.set(this.#asking, login)
    this.#asking = null
    this.question.set(null)
  }

  #ask(challenge: AuthChallenge, wasRefused: boolean): void {
    if (this.#asking !== null) return
    this.#asking = keyOf(challenge)
    this.#lastId += 1
    const { host, port, scheme } = challenge
    this.question.set({ id: this.#lastId, host, port, wasRefused, isInTheClear: scheme === 'basic' })
  }
}

/** One attempt to get past the proxies on the way: none is given the same login twice. */
export class LoginAttempt {
  readonly #logins: ProxyLogins
  #tried: ProxyLogin | null = null
  #outcome: LoggedIn = 'not-it'

  constructor(logins: ProxyLogins) {
    this.#logins = logins
  }

  get outcome(): LoggedIn {
    return this.#outcome
  }

  /** Answers Electron's `login`. Who has to wait for the user is given nothing, which ends the request. */
  answer(challenge: AuthChallenge, give: GiveLogin): void {
    // A service that asks for a login of its own gets none.
    if (!challenge.isProxy) {
      give()
      return
    }
    if (this.#tried !== null) this.#logins.refuse(challenge, this.#tried)
    this.#tried = this.#logins.find(challenge)
    this.#outcome = this.#tried === null ? 'asked' : 'done'
    if (this.#tried === null) give()
    else give(this.#tried.name, this.#tried.password)
  }
}

function keyOf({ scheme, host, port, realm }: AuthChallenge): string {
  return JSON.stringify([scheme, host, port, realm])
}
