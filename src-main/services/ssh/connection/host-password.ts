import type { Log } from '../../../domain/base/log.ts'
import type { HostLogin, KeptPassword } from '../../../domain/ssh/ssh-login.ts'

/** Where passwords of hosts are kept, each for one host key alone. */
export interface HostPasswordStore {
  /** `none` also for another host key: whoever has that has not been given the password yet. */
  readonly read: (login: HostLogin, hostKey: string) => Promise<KeptPassword>
  /** In memory where the keychain does not take it. @throws ProblemError storage-failed */
  readonly keep: (login: HostLogin, hostKey: string, password: string) => Promise<void>
  readonly noteRefused: (login: HostLogin) => void
}

/** What logins that are asked for need from elsewhere. */
export interface LoginSecrets {
  readonly passwords: HostPasswordStore
  /** The next code of an entry of the vault; it may wait for that. @throws ProblemError */
  readonly codeFor: (entryId: string, signal: AbortSignal) => Promise<string>
  /** Told every password, so that none gets into the log. */
  readonly remember: (secret: string) => void
  readonly log: Log
}

/** The password for one host, as long as one login to it lasts. */
export class HostPassword {
  readonly #secrets: LoginSecrets
  readonly #login: HostLogin
  readonly #hostKey: () => string

  /** @param hostKey its fingerprint, once it is trusted */
  constructor(secrets: LoginSecrets, login: HostLogin, hostKey: () => string) {
    this.#secrets = secrets
    this.#login = login
    this.#hostKey = hostKey
  }

  async read(): Promise<KeptPassword> {
    const kept = await this.#secrets.passwords.read(this.#login, this.#hostKey())
    if (kept.kind === 'found') this.#secrets.remember(kept.password)
    return kept
  }

  noteRefused(): void {
    this.#secrets.passwords.noteRefused(this.#login)
  }

  /** The login goes on all the same: it will be asked for again, that is all. */
  async keep(password: string): Promise<void> {
    try {
      await this.#secrets.passwords.keep(this.#login, this.#hostKey(), password)
    } catch (error) {
      this.#secrets.log.error('A password could not be kept', error)
    }
  }
}
