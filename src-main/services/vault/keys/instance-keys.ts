import { z } from 'zod'
import { assertNever } from '../../../domain/base/assert-never.ts'
import type { Clock } from '../../../domain/base/clock.ts'
import { Latest } from '../../../domain/base/latest.ts'
import { instanceKeySecret, ProblemError } from '../../../domain/base/problem.ts'
import type { InstanceKeyView } from '../../../domain/vault/vault-view.ts'
import type { SecretAnswer } from './api-keys.ts'
import { closedProblem, writeProblem } from '../keychain/keychain-problem.ts'
import type { Keychain } from '../keychain/keychain.ts'
import type { IndexEntries, IndexEntry } from '../vault-index.ts'

const instanceKeyEntry = z.object({ instanceKey: z.string() })

/** How long a new instance may be missing from the list without being gone. */
const listingGraceMs = 10 * 60_000

type ListedKey = InstanceKeyView & { readonly owner: string }

/**
 * Restricted keys, each good for starting, stopping, and destroying one instance (service API 4.4). `owner` names whose
 * instance it is, whichever of the account's own keys is used.
 */
export class InstanceKeys {
  readonly #keychain: Keychain
  readonly #index: IndexEntries
  readonly #clock: Clock
  readonly #remember: (secret: string) => void
  /** Keys that last for this run only, because there was no keychain. */
  readonly #inMemory = new Map<string, ListedKey & { readonly value: string }>()
  /** Which there are, without the keys. */
  readonly listed: Latest<readonly ListedKey[]>

  constructor({
    keychain,
    index,
    clock,
    remember,
  }: {
    readonly keychain: Keychain
    readonly index: IndexEntries
    readonly clock: Clock
    /** Told of each key that is read, so that it can be kept out of the log. */
    readonly remember: (secret: string) => void
  }) {
    this.#keychain = keychain
    this.#index = index
    this.#clock = clock
    this.#remember = remember
    this.listed = new Latest(this.#list())
  }

  async read(owner: string, instanceId: number): Promise<SecretAnswer> {
    const remembered = this.#inMemory.get(entryOf(owner, instanceId))
    if (remembered !== undefined) return { kind: 'found', value: remembered.value }
    const answer = await this.#keychain.read(entryOf(owner, instanceId), instanceKeyEntry)
    if (answer.kind === 'found') return { kind: 'found', value: answer.value.instanceKey }
    if (answer.kind === 'absent') return { kind: this.#isIndexed(owner, instanceId) ? 'missing' : 'absent' }
    return answer
  }

  /**
   * The key, to be shown or copied.
   *
   * @throws ProblemError secret-missing, keychain-locked, keychain-unavailable
   */
  async valueOf(owner: string, instanceId: number): Promise<string> {
    const answer = await this.read(owner, instanceId)
    switch (answer.kind) {
      case 'found':
        this.#remember(answer.value)
        return answer.value
      case 'absent':
      case 'missing':
        throw new ProblemError({ kind: 'secret-missing', what: instanceKeySecret })
      case 'locked':
      case 'unavailable':
        throw closedProblem(answer)
      default:
        return assertNever(answer)
    }
  }

  /** The key where it can be read now; `null` where it isn't kept, or the keychain is closed. */
  async valueIfThere(owner: string, instanceId: number): Promise<string | null> {
    const answer = await this.read(owner, instanceId)
    if (answer.kind !== 'found') return null
    this.#remember(answer.value)
    return answer.value
  }

  /**
   * Keeps the key of an instance that the account has just rented.
   *
   * @throws ProblemError keychain-locked, invalid-input (too long for a keychain) or storage-failed: nothing
   *   was kept
   */
  async keep(
    owner: string,
    instanceId: number,
    instanceKey: string,
  ): Promise<{ readonly keptIn: 'keychain' | 'memory' }> {
    const answer = await this.#keychain.write(entryOf(owner, instanceId), { instanceKey })
    switch (answer.kind) {
      case 'written':
        await this.#note(owner, instanceId)
        return { keptIn: 'keychain' }
      case 'unavailable':
        this.#inMemory.set(entryOf(owner, instanceId), {
          owner,
          instanceId,
          keptIn: 'memory',
          value: instanceKey,
        })
        this.#tell()
        return { keptIn: 'memory' }
      case 'locked':
      case 'too-long':
        throw writeProblem(answer, 'instanceKey')
      default:
        return assertNever(answer)
    }
  }

  /**
   * Removes the keys of instances that are gone: such a key opens nothing any more. One that was kept only
   * minutes ago stays, because the service may be late in listing a new instance.
   *
   * @param listed the instances that the service listed for the account just now
   * @throws ProblemError keychain-locked, keychain-unavailable, storage-failed; the next call tries again
   */
  async forgetGone(owner: string, listed: ReadonlySet<number>): Promise<void> {
    const nowMs = this.#clock.now()
    const isGone = ({ instanceId, since }: InstanceKeyEntry): boolean =>
      !listed.has(instanceId) && since < nowMs - listingGraceMs
    await this.#forget(owner, this.#index.all.filter(isKeyOf(owner)).filter(isGone))
  }

  /**
   * Removes the key of one instance, which goes on having it.
   *
   * @throws ProblemError keychain-locked, keychain-unavailable, storage-failed: it is there as before then
   */
  async remove(owner: string, instanceId: number): Promise<void> {
    const own = this.#index.all.filter(isKeyOf(owner))
    await this.#forget(
      owner,
      own.filter((entry) => entry.instanceId === instanceId),
    )
    this.#inMemory.delete(entryOf(owner, instanceId))
    this.#tell()
  }

  /**
   * Removes all keys of the owner, who leaves.
   *
   * @throws ProblemError keychain-locked, keychain-unavailable, storage-failed
   */
  async forgetAll(owner: string): Promise<void> {
    await this.#forget(owner, this.#index.all.filter(isKeyOf(owner)))
    for (const entry of [...this.#inMemory.keys()])
      if (entry.startsWith(entriesOf(owner))) this.#inMemory.delete(entry)
    this.#tell()
  }

  async #forget(owner: string, gone: readonly InstanceKeyEntry[]): Promise<void> {
    for (const { instanceId } of gone) {
      const answer = await this.#keychain.remove(entryOf(owner, instanceId))
      if (answer.kind !== 'removed') throw closedProblem(answer)
      await this.#index.change((entries) => entries.filter((entry) => !isKeyTo(owner, instanceId)(entry)))
      this.#tell()
    }
  }

  #tell(): void {
    this.listed.set(this.#list())
  }

  #list(): readonly ListedKey[] {
    const kept = this.#index.all
      .filter(isInstanceKey)
      .filter(({ owner, instanceId }) => !this.#inMemory.has(entryOf(owner, instanceId)))
      .map(({ owner, instanceId }) => ({ owner, instanceId, keptIn: 'keychain' as const }))
    const inMemory = [...this.#inMemory.values()].map(({ owner, instanceId, keptIn }) => ({
      owner,
      instanceId,
      keptIn,
    }))
    return [...kept, ...inMemory]
  }

  #isIndexed(owner: string, instanceId: number): boolean {
    return this.#index.all.some(isKeyTo(owner, instanceId))
  }

  async #note(owner: string, instanceId: number): Promise<void> {
    try {
      const since = this.#clock.now()
      await this.#index.change((entries) => [
        ...entries.filter((entry) => !isKeyTo(owner, instanceId)(entry)),
        { kind: 'instance-key', owner, instanceId, since },
      ])
      this.#tell()
    } catch (error) {
      // A secret that no list names would stay behind unseen.
      await this.#keychain.remove(entryOf(owner, instanceId))
      throw error
    }
  }
}

/** The same of one account. @param owner throws `no-account` where there is none */
export function accountInstanceKeys(keys: InstanceKeys, owner: () => string) {
  return {
    keep: async (instanceId: number, value: string) => keys.keep(owner(), instanceId, value),
    valueIfThere: async (instanceId: number) => keys.valueIfThere(owner(), instanceId),
    forgetGone: async (listed: ReadonlySet<number>) => keys.forgetGone(owner(), listed),
  }
}

type InstanceKeyEntry = Extract<IndexEntry, { kind: 'instance-key' }>

const isKeyTo =
  (owner: string, instanceId: number) =>
  (entry: IndexEntry): boolean =>
    entry.kind === 'instance-key' && entry.owner === owner && entry.instanceId === instanceId

const isInstanceKey = (entry: IndexEntry): entry is InstanceKeyEntry => entry.kind === 'instance-key'

const isKeyOf =
  (owner: string) =>
  (entry: IndexEntry): entry is InstanceKeyEntry =>
    isInstanceKey(entry) && entry.owner === owner

/** Its name in the keychain. Ids are unique within a service only. */
export function entryOf(owner: string, instanceId: number): string {
  return `${entriesOf(owner)}${instanceId}`
}

function entriesOf(owner: string): string {
  return `instance-key/${owner}/`
}
