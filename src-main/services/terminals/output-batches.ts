import type { Clock } from '../../domain/base/clock.ts'

const batchMs = 4
/** Twice as much at once makes a flood no faster (measured). */
const batchBytes = 64 * 1024

/** With less than this before it a screen would soon wait: it parses as much in a millisecond. */
const lowBytes = 32 * 1024

/** So long after a full batch there is a flood, in which nobody waits for single pieces. */
const floodMs = 50

/**
 * Puts pieces of output together for the port. A screen that has (nearly) nothing left to do gets at once what
 * came from the network together: an echo. A busy one, and any in a flood, gets it within 4 ms, or when 64 KiB are
 * there: handing over packets of 4 KB, as a pseudo-terminal makes them, costs more than it gains. Each batch is a copy of
 * its exact size: posting a view would copy the whole buffer behind it.
 */
export class OutputBatches {
  readonly #post: (bytes: Uint8Array) => void
  readonly #clock: Clock
  #pieces: Buffer[] = []
  #size = 0
  #posted = 0
  #taken = 0
  #fullAtMs = -Infinity
  #isFlushDueNow = false
  #isFlushDueLater = false

  constructor(post: (bytes: Uint8Array) => void, clock: Clock) {
    this.#post = post
    this.#clock = clock
  }

  /** Bytes given to `post` so far. */
  get posted(): number {
    return this.#posted
  }

  /** Takes a piece that came; it is copied when it is posted. */
  push(piece: Buffer): void {
    this.#pieces.push(piece)
    this.#size += piece.length
    if (this.#size >= batchBytes) {
      this.#fullAtMs = this.#clock.now()
      this.flush()
    } else if (this.#isScreenWaiting()) this.#flushNow()
    else this.#flushLater()
  }

  /** @param total bytes that the screen has taken so far */
  take(total: number): void {
    this.#taken = total
    if (this.#isScreenWaiting()) this.flush()
  }

  /** Posts what is there, without waiting for more. */
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
    this.#posted += batch.length
    this.#post(batch)
  }

  #isScreenWaiting(): boolean {
    const sinceFullMs = this.#clock.now() - this.#fullAtMs
    // Before 0 the clock was set back.
    if (sinceFullMs >= 0 && sinceFullMs < floodMs) return false
    return this.#posted - this.#taken < lowBytes
  }

  /** Once the pieces are there that the network has brought with this one. */
  #flushNow(): void {
    if (this.#isFlushDueNow) return
    this.#isFlushDueNow = true
    queueMicrotask(() => {
      this.#isFlushDueNow = false
      this.flush()
    })
  }

  #flushLater(): void {
    if (this.#isFlushDueLater) return
    this.#isFlushDueLater = true
    void this.#clock.sleep(batchMs).then(() => {
      this.#isFlushDueLater = false
      this.flush()
    })
  }
}
