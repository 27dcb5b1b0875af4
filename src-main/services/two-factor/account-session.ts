import type { Clock } from '../../domain/base/clock.ts'
import type { Log } from '../../domain/base/log.ts'
import type { KnownSecurity } from '../../domain/two-factor/security.ts'
import type { HeldSession, SessionStore } from './parts.ts'

export interface AccountSessionOptions {
  readonly sessions: SessionStore
  readonly clock: Clock
  readonly log: Log
  /** Told of each key, so that it can be kept out of the log. */
  readonly remember: (secret: string) => void
  readonly onChange: () => void
}

/** The session that the account in use is logged in by, if there is one. */
export class AccountSession {
  readonly #options: AccountSessionOptions
  #held: HeldSession | null = null
  /** How often an account was left: what is still on its way then is no longer of the one in use. */
  #timesLeft = 0

  constructor(options: AccountSessionOptions) {
    this.#options = options
  }

  /** What the service is asked with; `null`: with the API key. */
  get key(): string | null {
    return this.#held?.key ?? null
  }

  /** As it is shown: without its key. */
  get shown(): KnownSecurity['session'] {
    if (this.#held === null) return null
    const { isAdmin, since, keptIn } = this.#held
    return { isAdmin, since, keptIn }
  }

  /** Another account is used, with this session of an earlier run, or with none. */
  take(held: HeldSession | null): void {
    this.#held = held
    if (held !== null) this.#options.remember(held.key)
  }

  /**
   * The account is not the one in use any more: no session is held from here on, nor one that a login is still
   * opening or an end that fails would give back. What is kept of it stays, for the next `take`. Throws nothing.
   */
  leave(): void {
    this.#timesLeft += 1
    this.#held = null
  }

  /** A login opened it. */
  async begin(accountId: string, key: string, isAdmin: boolean, keepIn: 'keychain' | 'memory') {
    const { sessions, clock, remember, onChange } = this.#options
    remember(key)
    const session = { key, isAdmin, since: clock.now() }
    const timesLeft = this.#timesLeft
    const { keptIn } = await sessions.keep(accountId, session, keepIn)
    if (timesLeft === this.#timesLeft) this.#held = { ...session, keptIn }
    onChange()
    return { keptIn }
  }

  /** Whether the key of one that has ended is still in a keychain that is closed. */
  isLeft(accountId: string): boolean {
    return this.#options.sessions.left.value.includes(accountId)
  }

  /** From now on the API key is used again. @throws ProblemError storage-failed: it goes on then */
  async end(accountId: string): Promise<void> {
    const { sessions, onChange } = this.#options
    const held = this.#held
    const timesLeft = this.#timesLeft
    if (held === null) return
    this.#held = null
    onChange()
    try {
      await sessions.forget(accountId)
    } catch (error) {
      if (timesLeft === this.#timesLeft) this.#held ??= held
      onChange()
      throw error
    }
  }

  /** The service does not take it any more. */
  async drop(accountId: string): Promise<void> {
    const { sessions, log, onChange } = this.#options
    if (this.#held === null) return
    this.#held = null
    onChange()
    try {
      await sessions.forget(accountId)
    } catch (error) {
      log.error('A session that the service has ended is still kept', error)
    }
  }
}
