import { wholeListAt, type InstancesSnapshot, type WatchedInstance } from '../../domain/instances/instance.ts'

/** Lists in a row without an instance, this far apart at least, before it counts as gone. */
const listsUntilGone = 2
const goneAfterMs = 5_000

/**
 * What the lists of this run show of one instance since `since`. A list that lacks it may be a fault of the
 * service: only a second one confirms that it is gone, and one of which a record can't be read confirms nothing.
 */
export class InstancePresence {
  readonly #id: number
  readonly #since: number
  #seenAt: number | null = null
  #missing: { readonly lists: number; readonly firstAt: number; readonly lastAt: number } | null = null
  #instance: WatchedInstance | undefined

  /** @param since lists that came before it say nothing; ms since the epoch */
  constructor(id: number, since: number) {
    this.#id = id
    this.#since = since
  }

  look(snapshot: Pick<InstancesSnapshot, 'instances' | 'unreadable' | 'fetchedAt'>): void {
    const { instances } = snapshot
    const fetchedAt = wholeListAt(snapshot)
    if (instances === null || fetchedAt === null || fetchedAt < this.#since) return
    this.#instance = instances.find(({ id }) => id === this.#id)
    if (this.#instance !== undefined) this.#missing = null
    else if (fetchedAt !== this.#seenAt)
      this.#missing = {
        lists: (this.#missing?.lists ?? 0) + 1,
        firstAt: this.#missing?.firstAt ?? fetchedAt,
        lastAt: fetchedAt,
      }
    this.#seenAt = fetchedAt
  }

  /** As the latest list has it. */
  get instance(): WatchedInstance | undefined {
    return this.#instance
  }

  /** When the latest list that counts came, ms since the epoch. */
  get seenAt(): number | null {
    return this.#seenAt
  }

  /** For how long the lists have not had it, in ms; `null` when the latest one has it. */
  get missingMs(): number | null {
    return this.#missing && this.#missing.lastAt - this.#missing.firstAt
  }

  get isGone(): boolean {
    return (
      this.#missing !== null && this.#missing.lists >= listsUntilGone && (this.missingMs ?? 0) >= goneAfterMs
    )
  }
}
