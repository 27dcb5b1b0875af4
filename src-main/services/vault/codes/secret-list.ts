import type { z } from 'zod'
import { assertNever } from '../../../domain/base/assert-never.ts'
import { Latest } from '../../../domain/base/latest.ts'
import { ProblemError } from '../../../domain/base/problem.ts'
import { SerialQueue } from '../../../domain/base/serial-queue.ts'
import type { KeptIn, SecretTrouble } from '../../../domain/vault/vault-view.ts'
import { closedProblem, writeProblem } from '../keychain/keychain-problem.ts'
import type { Keychain } from '../keychain/keychain.ts'
import type { IndexEntries, IndexEntry } from '../vault-index.ts'

export interface SecretListOptions<L, S> {
  readonly keychain: Keychain
  readonly index: IndexEntries
  /** Begins the names in the keychain: `totp` for `totp/<id>`. */
  readonly prefix: string
  readonly secret: z.ZodType<S>
  /** What users call one of them, for problems. */
  readonly what: string
  /** The listing that an entry of the index holds, if it is of this kind. */
  readonly listingOf: (entry: IndexEntry) => L | null
  readonly entryOf: (listing: L) => IndexEntry
}

export type SecretRead<S> =
  { readonly kind: 'found'; readonly secret: S } | { readonly kind: SecretTrouble; readonly detail: string }

/**
 * Secrets of one kind with what is listed of each: in the keychain and its index, or in memory for this run.
 * What is asked of one secret is done one after the other. Methods throw ProblemError `keychain-locked`,
 * `keychain-unavailable`, `secret-missing`, `storage-failed` or `invalid-input` (too long), and have changed
 * nothing then.
 */
export class SecretList<L extends { readonly id: string }, S> {
  readonly #options: SecretListOptions<L, S>
  readonly #inMemory = new Map<string, { readonly listing: L; readonly secret: S }>()
  readonly #queue = new Map<string, SerialQueue>()
  /** What is listed, whenever it changes. */
  readonly listed: Latest<readonly (L & { readonly keptIn: KeptIn })[]>

  constructor(options: SecretListOptions<L, S>) {
    this.#options = options
    this.listed = new Latest(this.#all())
  }

  find(id: string): (L & { readonly keptIn: KeptIn }) | null {
    return this.listed.value.find((listing) => listing.id === id) ?? null
  }

  /** Resolves when it is listed and was read back. */
  async add(listing: L, secret: S, keepIn: KeptIn): Promise<void> {
    await this.#turn(listing.id, async () => {
      if (keepIn === 'memory') this.#inMemory.set(listing.id, { listing, secret })
      else await this.#addToKeychain(listing, secret)
    })
    this.#tell()
  }

  /** Never throws for a closed keychain: who reads several wants to know of each. */
  async tryRead(id: string): Promise<SecretRead<S>> {
    const remembered = this.#inMemory.get(id)
    if (remembered) return { kind: 'found', secret: remembered.secret }
    const { keychain, secret: schema, what } = this.#options
    const missing = { kind: 'missing', detail: what } as const
    if (this.find(id) === null) return missing
    const answer = await keychain.read(this.#account(id), schema)
    if (answer.kind === 'found') return { kind: 'found', secret: answer.value }
    return answer.kind === 'absent' ? missing : answer
  }

  async read(id: string): Promise<S> {
    const answer = await this.tryRead(id)
    switch (answer.kind) {
      case 'found':
        return answer.secret
      case 'missing':
        throw new ProblemError({ kind: 'secret-missing', what: answer.detail })
      case 'locked':
        throw closedProblem({ kind: 'locked', detail: answer.detail })
      case 'unavailable':
        throw closedProblem({ kind: 'unavailable', detail: answer.detail })
      default:
        return assertNever(answer)
    }
  }

  /**
   * Changes a secret and what is listed of it; written and read back when it resolves. `null` from `change`
   * leaves both as they are.
   */
  async change(id: string, change: (secret: S, listing: L) => { secret: S; listing: L } | null): Promise<S> {
    const result = await this.#turn(id, async () => {
      const before = { secret: await this.read(id), listing: this.#listing(id) }
      const after = change(before.secret, before.listing)
      if (after === null) return before.secret
      if (this.#inMemory.has(id)) this.#inMemory.set(id, after)
      else {
        await this.#write(id, after.secret)
        if (JSON.stringify(after.listing) !== JSON.stringify(before.listing)) await this.#list(after.listing)
      }
      return after.secret
    })
    this.#tell()
    return result
  }

  /** Changes only what is listed: the keychain may be closed. */
  async changeListing(id: string, change: (listing: L) => L): Promise<void> {
    await this.#turn(id, async () => {
      const listing = change(this.#listing(id))
      const remembered = this.#inMemory.get(id)
      if (remembered) this.#inMemory.set(id, { ...remembered, listing })
      else await this.#list(listing)
    })
    this.#tell()
  }

  /** Moves what is in memory only to the keychain. */
  async keep(id: string): Promise<void> {
    await this.#turn(id, async () => {
      const remembered = this.#inMemory.get(id)
      if (!remembered) return
      await this.#addToKeychain(remembered.listing, remembered.secret)
      this.#inMemory.delete(id)
    })
    this.#tell()
  }

  /** Also when it was missing: afterwards it is neither kept nor listed. */
  async remove(id: string): Promise<void> {
    await this.#turn(id, async () => {
      if (this.#inMemory.delete(id)) return
      const answer = await this.#options.keychain.remove(this.#account(id))
      if (answer.kind !== 'removed') throw closedProblem(answer)
      await this.#options.index.change((entries) => entries.filter((entry) => !this.#isOf(id, entry)))
    })
    this.#queue.delete(id)
    this.#tell()
  }

  async #addToKeychain(listing: L, secret: S): Promise<void> {
    try {
      await this.#write(listing.id, secret)
      await this.#list(listing)
    } catch (error) {
      // A secret that no list names would stay behind unseen, also one that a slow keychain takes later. Nobody
      // has to wait for it.
      void this.#options.keychain.remove(this.#account(listing.id))
      throw error
    }
  }

  async #write(id: string, secret: S): Promise<void> {
    const { keychain, prefix } = this.#options
    const answer = await keychain.write(this.#account(id), secret)
    if (answer.kind !== 'written') throw writeProblem(answer, prefix)
  }

  /** In the place where it stands, or at the end. */
  async #list(listing: L): Promise<void> {
    const { index, entryOf } = this.#options
    const next = entryOf(listing)
    await index.change((entries) => {
      const at = entries.findIndex((entry) => this.#isOf(listing.id, entry))
      return at < 0 ? [...entries, next] : entries.with(at, next)
    })
  }

  #listing(id: string): L {
    const remembered = this.#inMemory.get(id)
    if (remembered) return remembered.listing
    const { index, listingOf, what } = this.#options
    const listed = index.all.map(listingOf).find((listing) => listing?.id === id)
    if (!listed) throw new ProblemError({ kind: 'secret-missing', what })
    return listed
  }

  #all(): readonly (L & { readonly keptIn: KeptIn })[] {
    const { index, listingOf } = this.#options
    const kept = index.all.map(listingOf).filter((listing) => listing !== null)
    const remembered = [...this.#inMemory.values()].map(({ listing }) => listing)
    return [
      ...kept.map((listing) => ({ ...listing, keptIn: 'keychain' as const })),
      ...remembered.map((listing) => ({ ...listing, keptIn: 'memory' as const })),
    ]
  }

  #tell(): void {
    this.listed.set(this.#all())
  }

  #isOf(id: string, entry: IndexEntry): boolean {
    return this.#options.listingOf(entry)?.id === id
  }

  #account(id: string): string {
    return `${this.#options.prefix}/${id}`
  }

  #turn<T>(id: string, task: () => Promise<T>): Promise<T> {
    const queue = this.#queue.get(id) ?? new SerialQueue()
    this.#queue.set(id, queue)
    return queue.take(task)
  }
}
