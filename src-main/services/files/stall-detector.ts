import type { Clock } from '../../domain/base/clock.ts'

/** How long a server that was asked something may say nothing at all. */
export interface Patience {
  readonly clock: Clock
  readonly ms: number
  /** Resolves once all that was sent before has got there, and the answer back; `null` when that cannot be asked. */
  readonly ask: () => Promise<void> | null
}

/** So often it is looked whether answers come; counted, because a computer that slept was not waiting. */
const checks = 4

/** So many times longer a server is waited for that may not have been asked yet. */
const longerInLine = 10

/**
 * Tells a server that does not answer from a link that is slow: what is asked stands in line behind what is uploaded,
 * megabytes of it in this computer's own buffers. Requests and answers of a connection keep their order (RFC 4254), so
 * time counts in full only when an answer to a later question, which the server's sshd gives by itself, is back. In
 * part it counts always: there are servers that answer no such question.
 */
export class StallDetector {
  readonly #patience: Patience
  #checksWithoutAnswer = 0

  constructor(patience: Patience) {
    this.#patience = patience
  }

  /** An answer to anything is a sign of life. */
  end(): void {
    this.#checksWithoutAnswer = 0
  }

  /**
   * Resolves `true` once nothing was answered for too long, and `false` as soon as a look shows that nothing is waited
   * for any more, at once where the signal is aborted.
   *
   * @param waitsFor how many times the patience it may take; `null` when nothing is waited for
   */
  async isTooLong(waitsFor: () => number | null, signal: AbortSignal): Promise<boolean> {
    const { clock, ms } = this.#patience
    this.#checksWithoutAnswer = 0
    let isBack = this.#ask()
    while (waitsFor() !== null) {
      // Cut short by the end of what is waited for.
      await clock.sleep(ms / checks, signal).catch(() => undefined)
      const patience = waitsFor()
      if (patience === null || signal.aborted) return false
      const counts = isBack()
      this.#checksWithoutAnswer += counts ? 1 : 1 / longerInLine
      if (this.#checksWithoutAnswer > checks * patience) return true
      if (counts) isBack = this.#ask()
    }
    return false
  }

  #ask(): () => boolean {
    const answer = this.#patience.ask()
    let isBack = answer === null
    void answer?.then(() => {
      isBack = true
    })
    return () => isBack
  }
}
