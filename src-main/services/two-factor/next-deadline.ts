import type { Clock } from '../../domain/base/clock.ts'

/** Waits for the first of some times, and no longer for those that were set before. */
export class NextDeadline {
  readonly #clock: Clock
  readonly #onReached: () => void
  #waiting = new AbortController()

  constructor(clock: Clock, onReached: () => void) {
    this.#clock = clock
    this.#onReached = onReached
  }

  /** @param times milliseconds since the epoch; what has passed is reached at once */
  set(times: readonly number[]): void {
    this.stop()
    if (times.length === 0) return
    this.#waiting = new AbortController()
    this.#clock.sleep(Math.max(0, Math.min(...times) - this.#clock.now()), this.#waiting.signal).then(
      () => this.#onReached(),
      () => undefined, // other times were set, or none
    )
  }

  /** Nothing is called any more, until times are set again. */
  stop(): void {
    this.#waiting.abort()
  }
}
