import type { Clock } from '../../domain/base/clock.ts'

/** A wait that can be cut short. One at a time. */
export class Pause {
  readonly #clock: Clock
  #cut: AbortController | null = null

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Resolves after `ms`, or as soon as it is cut short; rejects with the signal's reason. */
  async wait(ms: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    const cut = new AbortController()
    this.#cut = cut
    try {
      await this.#clock.sleep(ms, AbortSignal.any([signal, cut.signal]))
    } catch (error) {
      signal.throwIfAborted()
      if (!cut.signal.aborted) throw error
    } finally {
      if (this.#cut === cut) this.#cut = null
    }
  }

  /** Without effect when nobody waits. */
  cutShort(): void {
    this.#cut?.abort()
  }
}
