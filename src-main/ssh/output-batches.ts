import type { Clock } from '../domain/clock.ts'

const batchMs = 4
const batchBytes = 64 * 1024

/**
 * Puts pieces of output together for the port: the first piece after a pause goes at once (an echo), then
 * what comes within 4 ms or until 64 KiB goes together. Each batch is a copy of its exact size: posting a
 * view would copy the whole buffer behind it.
 */
export class OutputBatches {
  readonly #post: (bytes: Uint8Array) => void
  readonly #clock: Clock
  #pieces: Buffer[] = []
  #size = 0
  #isCollecting = false

  constructor(post: (bytes: Uint8Array) => void, clock: Clock) {
    this.#post = post
    this.#clock = clock
  }

  push(piece: Buffer): void {
    this.#pieces.push(piece)
    this.#size += piece.length
    if (!this.#isCollecting) {
      this.flush()
      void this.#collect()
    } else if (this.#size >= batchBytes) this.flush()
  }

  flush(): void {
    if (this.#size === 0) return
    const batch = new Uint8Array(this.#size)
    let at = 0
    for (const piece of this.#pieces) {
      batch.set(piece, at)
      at += piece.length
    }
    this.#pieces = []
    this.#size = 0
    this.#post(batch)
  }

  /** Collects until a batch's time passes without output. */
  async #collect(): Promise<void> {
    this.#isCollecting = true
    await this.#clock.sleep(batchMs)
    while (this.#size > 0) {
      this.flush()
      await this.#clock.sleep(batchMs)
    }
    this.#isCollecting = false
  }
}
