import { z } from 'zod'
import { ProblemError } from '../domain/problem.ts'
import { closedProblem } from './closed-problem.ts'
import type { Keychain } from './keychain.ts'
import type { IndexEntries } from './vault-index.ts'

const sessionEntry = z.object({ sessionKey: z.string() })

/** A session that a 2FA login opened, with its key. */
export interface KeptSession {
  readonly key: string
  readonly isAdmin: boolean
  /** Milliseconds since the epoch. */
  readonly since: number
  readonly keptIn: 'keychain' | 'memory'
}

/** The session of each account, beside its API key and never over it. Losing one costs a login, no more. */
export class SessionKeys {
  readonly #keychain: Pick<Keychain, 'read' | 'write' | 'remove'>
  readonly #index: IndexEntries
  readonly #inMemory = new Map<string, KeptSession>()

  constructor({
    keychain,
    index,
  }: {
    readonly keychain: Pick<Keychain, 'read' | 'write' | 'remove'>
    readonly index: IndexEntries
  }) {
    this.#keychain = keychain
    this.#index = index
  }

  /** `null` when there is none, or none that can be read now. */
  async read(accountId: string): Promise<KeptSession | null> {
    const remembered = this.#inMemory.get(accountId)
    if (remembered !== undefined) return remembered
    const listed = this.#listed(accountId)
    if (listed === undefined) return null
    const answer = await this.#keychain.read(entryOf(accountId), sessionEntry)
    if (answer.kind !== 'found') return null
    return {
      key: answer.value.sessionKey,
      isAdmin: listed.isAdmin,
      since: listed.since,
      keptIn: 'keychain',
    }
  }

  /** In memory where the keychain does not take it: another login gives another one. */
  async keep(
    accountId: string,
    session: Omit<KeptSession, 'keptIn'>,
    keepIn: 'keychain' | 'memory',
  ): Promise<{ readonly keptIn: 'keychain' | 'memory' }> {
    const keptIn = keepIn === 'keychain' && (await this.#write(accountId, session)) ? 'keychain' : 'memory'
    if (keptIn === 'memory') this.#inMemory.set(accountId, { ...session, keptIn })
    else this.#inMemory.delete(accountId)
    return { keptIn }
  }

  /** @throws ProblemError keychain-locked, keychain-unavailable when it is in a keychain that cannot be reached */
  async forget(accountId: string): Promise<void> {
    this.#inMemory.delete(accountId)
    if (this.#listed(accountId) === undefined) return
    const answer = await this.#keychain.remove(entryOf(accountId))
    if (answer.kind !== 'removed') throw closedProblem(answer)
    await this.#index.change((entries) =>
      entries.filter((entry) => !(entry.kind === 'session-key' && entry.accountId === accountId)),
    )
  }

  /** Listed first: a key that no list names would stay behind unseen. */
  async #write(accountId: string, { key, isAdmin, since }: Omit<KeptSession, 'keptIn'>): Promise<boolean> {
    try {
      await this.#index.change((entries) => [
        ...entries.filter((entry) => !(entry.kind === 'session-key' && entry.accountId === accountId)),
        { kind: 'session-key', accountId, isAdmin, since },
      ])
    } catch (error) {
      // The answer says that it is in memory only.
      if (error instanceof ProblemError) return false
      throw error
    }
    const answer = await this.#keychain.write(entryOf(accountId), { sessionKey: key })
    return answer.kind === 'written'
  }

  #listed(accountId: string) {
    return this.#index.all
      .filter((entry) => entry.kind === 'session-key')
      .find((entry) => entry.accountId === accountId)
  }
}

/** Its name in the keychain. */
export function entryOf(accountId: string): string {
  return `session/${accountId}`
}
