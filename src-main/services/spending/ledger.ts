import type { AccountState } from '../../domain/accounts/account.ts'
import type { Clock } from '../../domain/base/clock.ts'
import { Latest } from '../../domain/base/latest.ts'
import type { Log } from '../../domain/base/log.ts'
import { monthOf, startOf, type LedgerLine } from '../../domain/spending/ledger-line.ts'
import { ticks } from '../instances/ticks.ts'
import type { InstanceWatch } from '../instances/watch.ts'
import type { JsonFile, JsonFileShape } from '../storage/json-file.ts'
import { countOn, emptyBook, openBook, sightingOf, type OpenBook } from './count.ts'
import type { LedgerFiles } from './ledger-files.ts'

export const spendingFile: JsonFileShape<OpenBook> = { schema: openBook, fallback: emptyBook }

export interface LedgerOptions {
  readonly file: JsonFile<OpenBook>
  readonly files: LedgerFiles
  readonly watch: Pick<InstanceWatch, 'snapshot'>
  /** What the user, or else the service, calls an instance. */
  readonly labelOf: (instanceId: number) => string | null
  readonly account: Pick<Latest<AccountState>, 'value'>
  readonly clock: Clock
  readonly log: Log
}

const tickMs = 60_000
/** What was counted is written at least so often: more than that no crash takes. */
const keepEveryMs = 5 * 60_000
/** Lines that wait for a disk that takes none; more would grow without an end. */
const mostWaiting = 10_000

/** Keeps what each instance cost, hour by hour. */
export class Ledger {
  /** Changes when something was counted, at most once a minute while nothing but amounts grow; it's when that was, in ms. */
  readonly counted = new Latest(0)
  readonly #options: LedgerOptions
  #book: OpenBook
  /** What is on the disk, or was to be. */
  #kept: OpenBook
  readonly #toKeep: Latest<OpenBook>
  /** How many lines went into files. */
  #appended = 0
  /** The present month's lines in its file, while they are asked for. */
  #cache: {
    readonly month: string
    readonly appended: number
    readonly usedAt: number
    readonly lines: readonly LedgerLine[]
  } | null = null

  constructor(options: LedgerOptions) {
    this.#options = options
    this.#book = options.file.value
    this.#kept = this.#book
    this.#toKeep = new Latest(this.#book)
  }

  /** Until the signal is aborted; all that was counted is on the disk when it resolves. */
  async follow(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#count(signal), this.#keepCounted(signal)])
    if (this.#book !== this.#kept || this.#book.closed.length > 0) await this.#keep()
  }

  /** The lines of a month so far. @throws ProblemError storage-failed */
  async linesOf(month: string): Promise<readonly LedgerLine[]> {
    // Before the file is read: what is written meanwhile is there twice, which counts once.
    const waiting = [...this.#book.closed, ...this.#book.open]
    const appended = this.#appended
    const lines =
      this.#cache?.month === month && this.#cache.appended === appended
        ? this.#cache.lines
        : await this.#options.files.read(month)
    const usedAt = this.#options.clock.now()
    if (month === monthOf(usedAt)) this.#cache = { month, appended, usedAt, lines }
    return [...lines, ...waiting.filter((line) => monthOf(startOf(line)) === month)]
  }

  async #count(signal: AbortSignal): Promise<void> {
    const { watch, clock } = this.#options
    for await (const _ of ticks(watch.snapshot, { clock, everyMs: tickMs, signal })) this.#look()
  }

  #look(): void {
    const { watch, labelOf, account } = this.#options
    const { instances, fetchedAt } = watch.snapshot.value
    // A list is looked at once: what is charged after it, the next one tells.
    if (instances === null || fetchedAt === null || fetchedAt === this.#book.seenAt) return
    const { sightings, open } = this.#book
    const { value } = account
    this.#book = countOn(this.#book, {
      at: fetchedAt,
      sightings: instances.map((one) => sightingOf(one, labelOf(one.id))),
      creditUsd: value.kind === 'connected' ? (value.user?.credit ?? null) : null,
    })
    const isOther =
      this.#book.closed.length > 0 || JSON.stringify(this.#book.sightings) !== JSON.stringify(sightings)
    if (this.#cache !== null && fetchedAt - this.#cache.usedAt > keepEveryMs) this.#cache = null
    const keptAt = this.#toKeep.value.seenAt ?? 0
    if (isOther || Math.abs(fetchedAt - keptAt) >= keepEveryMs) this.#toKeep.set(this.#book)
    // Who looks at the page while the first line comes sees it at once.
    const isMore = this.#book.open.length > open.length
    if (isOther || isMore || Math.abs(fetchedAt - this.counted.value) >= tickMs) this.counted.set(fetchedAt)
  }

  /** On its own: a slow disk makes no gap. */
  async #keepCounted(signal: AbortSignal): Promise<void> {
    for await (const book of this.#toKeep.watch(signal)) if (book !== this.#kept) await this.#keep()
  }

  /** Never throws: what was counted stays in memory, and is written with what is counted next. */
  async #keep(): Promise<void> {
    const { file, files, log } = this.#options
    const closed = new Set(this.#book.closed)
    try {
      if (closed.size > 0) {
        await files.append([...closed])
        this.#appended += closed.size
        this.#book = { ...this.#book, closed: this.#book.closed.filter((line) => !closed.has(line)) }
      }
    } catch (error) {
      log.error('What instances cost could not be written down; it is tried again', error)
      this.#book = { ...this.#book, closed: this.#book.closed.slice(-mostWaiting) }
    }
    this.#kept = this.#book
    try {
      await file.write(this.#kept)
    } catch (error) {
      log.error('What instances have cost in this hour could not be saved; it is tried again', error)
    }
  }
}
