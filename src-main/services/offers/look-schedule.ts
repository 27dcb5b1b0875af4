import type { Problem } from '../../domain/base/problem.ts'
import { mostWatches } from '../../domain/offers/offer-watch.ts'

/** Between two looks at the same search, in ms: never less. */
const lookPauseMs = 60_000
/** Between any two looks, in ms: so long that all searches have their turn in a minute, and never come together. */
const lookSpacingMs = lookPauseMs / mostWatches
/** After this computer slept, in ms, when its network may not be back. */
const wakePauseMs = 10_000
const longestPauseMs = 15 * 60_000

/** When which search is looked at. Times are in ms since the epoch. */
export class LookSchedule {
  readonly #now: () => number
  readonly #dueAt = new Map<string, number>()
  /** Of all searches. */
  #notBefore = Number.NEGATIVE_INFINITY
  /** Looks of any search in a row that the service did not answer. */
  #failures = 0

  constructor(now: () => number) {
    this.#now = now
  }

  /** @param lastAt when it was looked at last, also in an earlier run; `null`: never */
  add(id: string, lastAt: number | null): void {
    this.#dueAt.set(id, Math.max(this.#now(), (lastAt ?? Number.NEGATIVE_INFINITY) + lookPauseMs))
  }

  remove(id: string): void {
    this.#dueAt.delete(id)
  }

  dueAt(id: string): number | null {
    const dueAt = this.#dueAt.get(id)
    return dueAt === undefined ? null : Math.max(dueAt, this.#notBefore)
  }

  /** Which is next, among these. */
  next(ids: readonly string[]): { readonly id: string; readonly at: number } | null {
    this.#followClock()
    return ids
      .flatMap((id) => {
        const at = this.dueAt(id)
        return at === null ? [] : [{ id, at }]
      })
      .reduce<{ readonly id: string; readonly at: number } | null>((first, one) => {
        if (first === null) return one
        const isEarlier = one.at === first.at ? this.#own(one.id) < this.#own(first.id) : one.at < first.at
        return isEarlier ? one : first
      }, null)
  }

  /** It is looked at now. */
  begun(id: string): void {
    const now = this.#now()
    this.#dueAt.set(id, now + lookPauseMs)
    this.#notBefore = now + lookSpacingMs
  }

  answered(): void {
    this.#failures = 0
  }

  /** A search that the service refuses waits alone; what else fails would fail for all of them. @param chance 0 to below 1 */
  failed(id: string, problem: Problem, chance: number): void {
    const now = this.#now()
    if (problem.kind === 'refused') {
      this.#dueAt.set(id, now + longestPauseMs)
      return
    }
    this.#failures += 1
    const backedOffMs = Math.min(lookPauseMs * 2 ** (this.#failures - 1), longestPauseMs) * (1 + chance / 4)
    const askedMs = problem.kind === 'rate-limited' ? (problem.retryAfterSeconds ?? 0) * 1000 : 0
    this.#notBefore = now + Math.max(backedOffMs, askedMs)
  }

  /** The computer slept. */
  woke(): void {
    this.#notBefore = Math.max(this.#notBefore, this.#now() + wakePauseMs)
  }

  #own(id: string): number {
    return this.#dueAt.get(id) ?? 0
  }

  /** A clock that was set back makes no pause longer than the longest one. */
  #followClock(): void {
    const latest = this.#now() + longestClockMs
    for (const [id, dueAt] of this.#dueAt) if (dueAt > latest) this.#dueAt.set(id, this.#now() + lookPauseMs)
    if (this.#notBefore > latest) this.#notBefore = this.#now() + lookPauseMs
  }
}

/** A service may ask for a pause of a day; what is farther away is a clock's doing. */
const longestClockMs = 24 * 3_600_000
