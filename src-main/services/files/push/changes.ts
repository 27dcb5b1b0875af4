import type { Clock } from '../../../domain/base/clock.ts'

/** After a change, for those that come with it: editors write a file in several steps. */
const quietMs = 300
/** However long changes go on coming. */
const longestQuietMs = 3_000

/** Counts changes, and waits for the next one or for quiet. */
export class Changes {
  readonly #clock: Clock
  #count = 1
  #wake = (): void => undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Those so far; it begins with what changed before. */
  get count(): number {
    return this.#count
  }

  readonly note = (): void => {
    this.#count += 1
    this.#wake()
  }

  /** Resolves with the next change, after so long without one, or when the signal is aborted. */
  async next(ms: number, signal: AbortSignal): Promise<void> {
    const over = new AbortController()
    this.#wake = () => over.abort()
    await this.#clock.sleep(ms, AbortSignal.any([signal, over.signal])).catch(() => undefined) // a change, or the end
  }

  /** Resolves when nothing has changed for a moment, or when that takes too long. */
  async settled(signal: AbortSignal): Promise<void> {
    const since = this.#clock.now()
    for (
      let seen = -1;
      seen !== this.#count && this.#clock.now() - since < longestQuietMs && !signal.aborted;
    ) {
      seen = this.#count
      await this.#clock.sleep(quietMs, signal).catch(() => undefined) // the end
    }
  }
}
