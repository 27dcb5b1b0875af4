import { z } from 'zod'
import { assertNever } from '../../../domain/base/assert-never.ts'
import type { Clock } from '../../../domain/base/clock.ts'
import { SerialQueue } from '../../../domain/base/serial-queue.ts'
import { closedProblem, writeProblem } from '../keychain/keychain-problem.ts'
import type { Closed, Keychain } from '../keychain/keychain.ts'
import type { IndexEntries } from '../vault-index.ts'

/** `missing`: it was kept once and is gone from a keychain that is open. `absent`: there never was one. */
export type SecretAnswer =
  { readonly kind: 'found'; readonly value: string } | { readonly kind: 'absent' | 'missing' } | Closed

/** An API key and the origin of the service that it is for. */
export interface BoundKey {
  readonly apiKey: string
  readonly origin: string
}

/** `elsewhere`: there is one, and it is for another origin than it was asked for. */
export type ApiKeyAnswer = SecretAnswer | { readonly kind: 'elsewhere'; readonly origin: string }

/** Entries that were written before keys were bound to an origin have none. */
const apiKeyEntry = z.object({ apiKey: z.string(), origin: z.string().optional() })

/**
 * The key of each account of the rental service, given out for the origin only that it was kept for: the accounts' file
 * is a plain one, and who changes an address in it must not be sent the key.
 */
export class ApiKeys {
  readonly #keychain: Keychain
  readonly #index: IndexEntries
  readonly #clock: Clock
  /** Keys that last for this run only; each comes before the one in the keychain. */
  readonly #inMemory = new Map<string, BoundKey>()
  /** Those of them that the keychain was asked to keep without an answer: they may still get there. */
  readonly #mayArrive = new Set<string>()
  readonly #queue = new SerialQueue()

  constructor({ keychain, index, clock }: { keychain: Keychain; index: IndexEntries; clock: Clock }) {
    this.#keychain = keychain
    this.#index = index
    this.#clock = clock
  }

  /** @param origin where the key is about to be sent */
  async read(keyId: string, origin: string): Promise<ApiKeyAnswer> {
    const remembered = this.#inMemory.get(keyId)
    if (remembered !== undefined) return answerFor(origin, remembered)
    const answer = await this.#keychain.read(entryOf(keyId), apiKeyEntry)
    if (answer.kind === 'found') {
      const { apiKey } = answer.value
      if (answer.value.origin === undefined) await this.#bind(keyId, { apiKey, origin })
      return answerFor(origin, { apiKey, origin: answer.value.origin ?? origin })
    }
    if (answer.kind === 'absent') return { kind: this.#isIndexed(keyId) ? 'missing' : 'absent' }
    return answer
  }

  /**
   * Keeps the key for its origin, in the keychain if that is asked for and there is one; the answer says where.
   *
   * @throws ProblemError keychain-locked: nothing was kept, and the user chooses between unlocking and memory;
   *   invalid-input: too long for a keychain; storage-failed
   */
  async keep(
    keyId: string,
    key: BoundKey,
    keepIn: 'keychain' | 'memory',
  ): Promise<{ readonly keptIn: 'keychain' | 'memory' }> {
    if (keepIn === 'memory') return this.#keepInMemory(keyId, key)
    const answer = await this.#keychain.write(entryOf(keyId), key)
    switch (answer.kind) {
      case 'written':
        await this.#list(keyId)
        this.#inMemory.delete(keyId)
        return { keptIn: 'keychain' }
      case 'unavailable':
        this.#mayArrive.add(keyId)
        return this.#keepInMemory(keyId, key)
      case 'locked':
      case 'too-long':
        throw writeProblem(answer, 'apiKey')
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
  async forget(keyId: string): Promise<void> {
    if (this.#isIndexed(keyId)) {
      await this.#queue.take(() => this.#remove(keyId))
    } else if (this.#mayArrive.has(keyId)) {
      // After what may still arrive, and nobody has to wait for it.
      void this.#keychain.remove(entryOf(keyId))
    }
    this.#mayArrive.delete(keyId)
    this.#inMemory.delete(keyId)
  }

  async #remove(keyId: string): Promise<void> {
    const answer = await this.#keychain.remove(entryOf(keyId))
    if (answer.kind !== 'removed') throw closedProblem(answer)
    await this.#index.change((entries) =>
      entries.filter((entry) => !(entry.kind === 'api-key' && entry.keyId === keyId)),
    )
  }

  /** A keychain that does not take it now is asked again at the next start. */
  async #bind(keyId: string, key: BoundKey): Promise<void> {
    await this.#queue.take(async () => {
      // One that was removed meanwhile must not come back.
      if (this.#isIndexed(keyId)) await this.#keychain.write(entryOf(keyId), key)
    })
  }

  #keepInMemory(keyId: string, key: BoundKey): { readonly keptIn: 'memory' } {
    this.#inMemory.set(keyId, key)
    return { keptIn: 'memory' }
  }

  #isIndexed(keyId: string): boolean {
    return this.#index.all.some((entry) => entry.kind === 'api-key' && entry.keyId === keyId)
  }

  async #list(keyId: string): Promise<void> {
    if (this.#isIndexed(keyId)) return
    try {
      const since = this.#clock.now()
      await this.#index.change((entries) => [...entries, { kind: 'api-key', keyId, since }])
    } catch (error) {
      // A secret that no list names would stay behind unseen.
      await this.#keychain.remove(entryOf(keyId))
      throw error
    }
  }
}

function answerFor(origin: string, key: BoundKey): ApiKeyAnswer {
  return key.origin === origin
    ? { kind: 'found', value: key.apiKey }
    : { kind: 'elsewhere', origin: key.origin }
}

/** Its name in the keychain. */
export function entryOf(keyId: string): string {
  return `apikey/${keyId}`
}
