import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Clock } from '../../../domain/base/clock.ts'
import type { HostLogin, KeptHostPassword, KeptPassword } from '../../../domain/ssh/ssh-login.ts'
import { closedProblem } from '../keychain/keychain-problem.ts'
import type { Keychain } from '../keychain/keychain.ts'
import type { IndexEntries } from '../vault-index.ts'

/** The host key is in the keychain too: whoever can write the index could have the password sent elsewhere. */
const passwordEntry = z.object({ password: z.string(), hostKey: z.string() })
type PasswordEntry = z.infer<typeof passwordEntry>

/**
 * Passwords of hosts, kept only when the user asks for it: in the keychain, or in memory where that is closed. Each is
 * for one user at one address, and for the host key that it was given to: another host at the address never gets it.
 */
export class HostPasswords {
  readonly #keychain: Keychain
  readonly #index: IndexEntries
  readonly #clock: Clock
  readonly #memory = new Map<string, { readonly login: HostLogin; readonly value: PasswordEntry }>()
  readonly #refused = new Set<string>()

  constructor({ keychain, index, clock }: { keychain: Keychain; index: IndexEntries; clock: Clock }) {
    this.#keychain = keychain
    this.#index = index
    this.#clock = clock
  }

  /** Where passwords are kept for. */
  get kept(): readonly KeptHostPassword[] {
    const inMemory = [...this.#memory.values()].map(({ login }) => ({ ...login, keptIn: 'memory' as const }))
    const inKeychain = this.#indexed
      .filter((login) => !this.#memory.has(entryOf(login)))
      .map((login) => ({ ...login, keptIn: 'keychain' as const }))
    return [...inKeychain, ...inMemory]
  }

  /** `none` also while the keychain is closed, and for another host key: the user can be asked instead. */
  async read(login: HostLogin, hostKey: string): Promise<KeptPassword> {
    const entry = entryOf(login)
    const value = this.#memory.get(entry)?.value ?? (await this.#fromKeychain(login))
    if (value?.hostKey !== hostKey) return { kind: 'none' }
    return this.#refused.has(entry) ? { kind: 'refused' } : { kind: 'found', password: value.password }
  }

  /** In memory where the keychain does not take it. @throws ProblemError storage-failed */
  async keep(login: HostLogin, hostKey: string, password: string): Promise<void> {
    const entry = entryOf(login)
    const value = { password, hostKey }
    this.#refused.delete(entry)
    const answer = await this.#keychain.write(entry, value)
    if (answer.kind !== 'written') {
      this.#memory.set(entry, { login, value })
      return
    }
    this.#memory.delete(entry)
    if (this.#isIndexed(entry)) return
    try {
      const { user, host, port } = login
      const since = this.#clock.now()
      await this.#index.change((entries) => [...entries, { kind: 'host-password', user, host, port, since }])
    } catch (error) {
      // A secret that no list names would stay behind unseen.
      await this.#keychain.remove(entry)
      throw error
    }
  }

  /** It is asked for in this run from now on; the next run tries it once more. */
  noteRefused(login: HostLogin): void {
    this.#refused.add(entryOf(login))
  }

  /** @throws ProblemError keychain-locked, keychain-unavailable: it is still there then; storage-failed */
  async forget(login: HostLogin): Promise<void> {
    const entry = entryOf(login)
    this.#memory.delete(entry)
    this.#refused.delete(entry)
    if (!this.#isIndexed(entry)) return
    const answer = await this.#keychain.remove(entry)
    if (answer.kind !== 'removed') throw closedProblem(answer)
    await this.#index.change((entries) =>
      entries.filter((each) => !(each.kind === 'host-password' && entryOf(each) === entry)),
    )
  }

  get #indexed(): readonly HostLogin[] {
    return this.#index.all.flatMap((entry) =>
      entry.kind === 'host-password' ? [{ user: entry.user, host: entry.host, port: entry.port }] : [],
    )
  }

  #isIndexed(entry: string): boolean {
    return this.#indexed.some((login) => entryOf(login) === entry)
  }

  async #fromKeychain(login: HostLogin): Promise<PasswordEntry | null> {
    const entry = entryOf(login)
    if (!this.#isIndexed(entry)) return null
    const answer = await this.#keychain.read(entry, passwordEntry)
    return answer.kind === 'found' ? answer.value : null
  }
}

/** Its name in the keychain; a host's may be longer than one may be. */
export function entryOf({ user, host, port }: HostLogin): string {
  const login = JSON.stringify([user, host.toLowerCase(), port])
  return `host-password/${createHash('sha256').update(login).digest('base64url')}`
}
