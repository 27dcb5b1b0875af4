const smallest = 256 * 1024
const largest = 4 * 1024 * 1024
/** Grants are given in pieces of this size, not for every acknowledgement. */
const grantPiece = 16 * 1024
/** A screen with less than this before it is idle as far as the network is concerned. */
const idleBacklog = 64 * 1024

/**
 * The credit of a shell's screen, as a window for its server: what has been granted but not yet been taken
 * by the screen never exceeds `size`. The size adapts by as much as the screen takes, so it doubles within a
 * round trip while the screen is idle (the window of a distant server is all on its way), and shrinks as
 * smoothly while the screen is what limits: a step would reach the screen as a burst, and look like a flood.
 */
export class ScreenCredit {
  #size = smallest
  #granted = smallest
  #received = 0
  #taken = 0

  /** For the first window of the channel. */
  static readonly first = smallest

  /** Bytes received that the screen has not taken yet. */
  get backlog(): number {
    return this.#received - this.#taken
  }

  /** Bytes received beyond what was granted; not above 0 for a server that keeps to its window. */
  get overrun(): number {
    return this.#received - this.#granted
  }

  get size(): number {
    return this.#size
  }

  receive(bytes: number): void {
    this.#received += bytes
  }

  /**
   * The screen has taken more.
   *
   * @param total bytes of this shell taken so far
   * @returns how many bytes to grant to the server now; 0 for none
   */
  take(total: number): number {
    const before = this.#taken
    this.#taken = Math.max(before, Math.min(total, this.#received))
    this.#adapt(this.#taken - before)
    const wanted = this.#taken + this.#size - this.#granted
    if (wanted < grantPiece && !(wanted > 0 && this.backlog === 0)) return 0
    this.#granted += wanted
    return wanted
  }

  #adapt(newlyTaken: number): void {
    if (this.backlog < idleBacklog) this.#size = Math.min(this.#size + newlyTaken, largest)
    else if (this.backlog > this.#size * 0.75) this.#size = Math.max(this.#size - newlyTaken, smallest)
  }
}
