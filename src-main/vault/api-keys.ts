import { z } from 'zod'
import { assertNever } from '../domain/assert-never.ts'
import type { Clock } from '../domain/clock.ts'
import { closedProblem } from './closed-problem.ts'
import type { Closed, Keychain } from './keychain.ts'
import type { IndexEntries } from './vault-index.ts'
import { writeProblem } from './write-problem.ts'

/** `missing`: it was kept once and is gone from a keychain that is open. `absent`: there never was one. */
export type SecretAnswer =
  { readonly kind: 'found'; readonly value: string } | { readonly kind: 'absent' | 'missing' } | Closed

const apiKeyEntry = z.object({ apiKey: z.string() })

/** The key of each account of the rental service. */
export class ApiKeys {
  readonly #keychain: Keychain
  readonly #index: IndexEntries
  readonly #clock: Clock
  /** Keys that last for this run only; each comes before the one in the keychain. */
  readonly #inMemory = new Map<string, string>()
  /** Those of them that the keychain was asked to keep without an answer: they may still get there. */
  readonly #mayArrive = new Set<string>()

  constructor({ keychain, index, clock }: { keychain: Keychain; index: IndexEntries; clock: Clock }) {
    this.#keychain = keychain
    this.#index = index
    this.#clock = clock
  }

  async read(accountId: string): Promise<SecretAnswer> {
    const remembered = this.#inMemory.get(accountId)
    if (remembered !== undefined) return { kind: 'found', value: remembered }
    const answer = await this.#keychain.read(entryOf(accountId), apiKeyEntry)
    if (answer.kind === 'found') return { kind: 'found', value: answer.value.apiKey }
    if (answer.kind === 'absent') return { kind: this.#isIndexed(accountId) ? 'missing' : 'absent' }
    return answer
  }

  /**
   * Keeps the key, in the keychain if that is asked for and there is one; the answer says where.
   *
   * @throws ProblemError keychain-locked: nothing was kept, and the user chooses between unlocking and memory;
   *   invalid-input: too long for a keychain; storage-failed
   */
  async keep(
    accountId: string,
    apiKey: string,
    keepIn: 'keychain' | 'memory',
  ): Promise<{ readonly keptIn: 'keychain' | 'memory' }> {
    if (keepIn === 'memory') return this.#keepInMemory(accountId, apiKey)
    const answer = await this.#keychain.write(entryOf(accountId), { apiKey })
    switch (answer.kind) {
      case 'written':
        await this.#list(accountId)
        this.#inMemory.delete(accountId)
        return { keptIn: 'keychain' }
      case 'unavailable':
        this.#mayArrive.add(accountId)
        return this.#keepInMemory(accountId, apiKey)
      case 'locked':
      case 'too-long':
        throw writeProblem(answer, 'apiKey', 'This key')
      default:
        return assertNever(answer)
    }
  }

  /**
   * A key that is in memory only goes at once: the keychain may be waiting for its password.
   *
   * @throws ProblemError keychain-locked or keychain-unavailable when the key is in a keychain that cannot be
   *   reached: nothing is forgotten then, in memory neither; storage-failed
   */
  async forget(accountId: string): Promise<void> {
    if (this.#isIndexed(accountId)) {
      const answer = await this.#keychain.remove(entryOf(accountId))
      if (answer.kind !== 'removed') throw closedProblem(answer)
      await this.#index.change((entries) =>
        entries.filter((entry) => !(entry.kind === 'api-key' && entry.accountId === accountId)),
      )
    } else if (this.#mayArrive.has(accountId)) {
      // After what may still arrive, and nobody has to wait for it.
      void this.#keychain.remove(entryOf(accountId))
    }
    this.#mayArrive.delete(accountId)
    this.#inMemory.delete(accountId)
  }

  #keepInMemory(accountId: string, apiKey: string): { readonly keptIn: 'memory' } {
    this.#inMemory.set(accountId, apiKey)
    return { keptIn: 'memory' }
  }

  #isIndexed(accountId: string): boolean {
    return this.#index.all.some((entry) => entry.kind === 'api-key' && entry.accountId === accountId)
  }

  async #list(accountId: string): Promise<void> {
    if (this.#isIndexed(accountId)) return
    try {
      const since = this.#clock.now()
      await this.#index.change((entries) => [...entries, { kind: 'api-key', accountId, since }])
    } catch (error) {
      // A secret that no list names would stay behind unseen.
      await this.#keychain.remove(entryOf(accountId))
      throw error
    }
  }
}

/** Its name in the keychain. */
export function entryOf(accountId: string): string {
  return `apikey/${accountId}`
}
