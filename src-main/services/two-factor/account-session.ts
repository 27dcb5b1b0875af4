import type { Clock } from '../../domain/base/clock.ts'
import type { Log } from '../../domain/base/log.ts'
import type { KnownTwoFactor } from '../../domain/two-factor/two-factor.ts'
import type { HeldSession, SessionStore } from './parts.ts'

export interface AccountSessionOptions {
  readonly sessions: SessionStore
  readonly clock: Clock
  readonly log: Log
  /** Told of each key, so that it can be kept out of the log. */
  readonly remember: (secret: string) => void
  readonly onChange: () => void
}

/** The session that the account is logged in by, if there is one. It ends with the API key that it was opened by. */
export class AccountSession {
  readonly #options: AccountSessionOptions
  #held: HeldSession | null = null
  /** Names the API key in use: what is still on its way when another one takes its place is not held. */
  #keyId: string | null = null

  constructor(options: AccountSessionOptions) {
    this.#options = options
  }

  /** What the service is asked with; `null`: with the API key. */
  get key(): string | null {
    return this.#held?.key ?? null
  }

  /** As it is shown: without its key. */
  get shown(): KnownTwoFactor['session'] {
    if (this.#held === null) return null
    const { isAdmin, since, keptIn } = this.#held
    return { isAdmin, since, keptIn }
  }

  /** This API key is used from here on (`null`: none). Resolves once its session of an earlier run is taken. */
  async useKey(keyId: string | null): Promise<void> {
    const { sessions, remember } = this.#options
    this.#keyId = keyId
    this.#held = null
    const held = keyId === null ? null : await sessions.read(keyId)
    if (held === null || this.#keyId !== keyId || this.#held !== null) return
    remember(held.key)
    this.#held = held
  }

  /** A login opened it. */
  async begin(keyId: string, key: string, isAdmin: boolean, keepIn: 'keychain' | 'memory') {
    const { sessions, clock, remember, onChange } = this.#options
    remember(key)
    const session = { key, isAdmin, since: clock.now() }
    const { keptIn } = await sessions.keep(keyId, session, keepIn)
    if (this.#keyId === keyId) this.#held = { ...session, keptIn }
    onChange()
    return { keptIn }
  }

  /** Whether the key of one that has ended is still in a keychain that is closed. */
  isLeft(keyId: string): boolean {
    return this.#options.sessions.left.value.includes(keyId)
  }

  /** From now on the API key is used again. @throws ProblemError storage-failed: it goes on then */
  async end(keyId: string): Promise<void> {
    const { sessions, onChange } = this.#options
    const held = this.#held
    if (held === null) return
    this.#held = null
    onChange()
    try {
      await sessions.forget(keyId)
    } catch (error) {
      if (this.#keyId === keyId) this.#held ??= held
      onChange()
      throw error
    }
  }

  /** The service does not take it any more. */
  async drop(keyId: string): Promise<void> {
    const { sessions, log, onChange } = this.#options
    if (this.#held === null) return
    this.#held = null
    onChange()
    try {
      await sessions.forget(keyId)
    } catch (error) {
      log.error('A session that the service has ended is still kept', error)
    }
  }
}
