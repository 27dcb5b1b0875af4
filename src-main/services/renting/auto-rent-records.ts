import { Latest } from '../../domain/base/latest.ts'
import type { Log } from '../../domain/base/log.ts'
import { SerialQueue } from '../../domain/base/serial-queue.ts'
import type { Journal } from '../storage/journal.ts'
import {
  autoRentalsOf,
  openRentalOf,
  withEntry,
  type AutoRental,
  type AutoRentEntry,
} from './auto-rent-journal.ts'

/** The automatic rentals of the account, as their journal tells them. */
export class AutoRentRecords {
  readonly all = new Latest<ReadonlyMap<string, AutoRental>>(new Map())
  readonly #journal: Journal<AutoRentEntry>
  readonly #log: Log
  readonly #queue = new SerialQueue()
  /** What is true and isn't on the disk yet, the oldest first. */
  #unwritten: readonly AutoRentEntry[] = []

  constructor({ journal, log }: { readonly journal: Journal<AutoRentEntry>; readonly log: Log }) {
    this.#journal = journal
    this.#log = log
  }

  /** @throws ProblemError storage-failed */
  async open(): Promise<void> {
    const all = autoRentalsOf(await this.#journal.readAll())
    // Nobody needs to be told of what they stopped themselves.
    this.all.set(new Map([...all].filter(([, { outcome }]) => outcome?.kind !== 'stopped')))
    await this.#journal.compact(({ id }) => this.all.value.has(id))
  }

  get(id: string): AutoRental | undefined {
    return this.all.value.get(id)
  }

  /** Those that have not ended. */
  unended(): readonly AutoRental[] {
    return [...this.all.value.values()].filter(({ outcome }) => outcome === null)
  }

  /** Whether it isn't known of one yet what became of its last rental; besides this one. */
  isAnyRenting(besides?: string): boolean {
    return this.unended().some((one) => one.id !== besides && openRentalOf(one) !== null)
  }

  /** On the disk when it resolves, with all that is true already. @throws ProblemError storage-failed */
  append(entry: AutoRentEntry): Promise<void> {
    return this.#queue.take(async () => {
      const rest = this.#unwritten
      await this.#journal.append(...rest, entry)
      // More may be noted meanwhile.
      this.#unwritten = this.#unwritten.slice(rest.length)
      this.#apply(entry)
    })
  }

  /** What has happened is true, also while it can't be written: that is tried again. */
  async note(entry: AutoRentEntry): Promise<void> {
    this.#unwritten = [...this.#unwritten, entry]
    this.#apply(entry)
    await this.writeRest()
  }

  /** Writes what couldn't be written before. */
  writeRest(): Promise<void> {
    return this.#queue.take(async () => {
      const rest = this.#unwritten
      if (rest.length === 0) return
      try {
        await this.#journal.append(...rest)
        this.#unwritten = this.#unwritten.slice(rest.length)
      } catch (error) {
        this.#log.error('The journal of automatic rentals could not be written', error)
      }
    })
  }

  #apply(entry: AutoRentEntry): void {
    const all = new Map(this.all.value)
    const next = withEntry(all.get(entry.id), entry)
    if (next === undefined) all.delete(entry.id)
    else all.set(entry.id, next)
    this.all.set(all)
  }
}
