const smallest = 256 * 1024
const largest = 4 * 1024 * 1024
/** About as much as a screen parses in a millisecond (measured): more on its way than for a round trip would only wait. */
const screenBytesPerMs = 64 * 1024
/** Grants are given in pieces of this size, not for every acknowledgement. */
const grantPiece = 16 * 1024

interface Grant {
  readonly atMs: number
  /** Granted in all. */
  readonly total: number
}

/**
 * The credit of a shell's screen, as a window for its server: what has been granted but not yet been taken
 * by the screen never exceeds `size`. The size adapts by as much as the screen takes, so it doubles within a
 * round trip while a distant server waits for grants that are all on their way, and shrinks as smoothly while the
 * screen is what limits: a step would reach the screen as a burst, and look like a flood. A server that has not used
 * what it has is limited by neither: more credit would only let it send a burst later.
 */
export class FlowControl {
  #size = smallest
  #granted = smallest
  #received = 0
  #taken = 0
  #roundTripMs: number | null = null
  /** Granted before these, so that the server has heard of it. */
  #heard = smallest
  /** That it may not have heard of yet, the oldest first. */
  #underWay: Grant[] = []

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

  /** Of the window now, in bytes. */
  get size(): number {
    return this.#size
  }

  /** How long the way to the server and back took; the least of several counts, and without any the size stays. */
  noteRoundTrip(ms: number): void {
    this.#roundTripMs = Math.min(ms, this.#roundTripMs ?? ms)
  }

  /** The server has sent so many more bytes. */
  receive(bytes: number): void {
    this.#received += bytes
  }

  /**
   * The screen has taken more.
   *
   * @param total bytes of this shell taken so far
   * @returns how many bytes to grant to the server now; 0 for none
   */
  take(total: number, nowMs: number): number {
    const before = this.#taken
    this.#taken = Math.max(before, Math.min(total, this.#received))
    this.#adapt(this.#taken - before, nowMs)
    const wanted = this.#taken + this.#size - this.#granted
    if (wanted < grantPiece && !(wanted > 0 && this.backlog === 0)) return 0
    this.#granted += wanted
    if (this.#roundTripMs !== null) this.#underWay.push({ atMs: nowMs, total: this.#granted })
    return wanted
  }

  #adapt(newlyTaken: number, nowMs: number): void {
    if (this.#isServerWaiting(nowMs) && this.backlog < this.#size / 2)
      this.#size = Math.min(this.#size + newlyTaken, this.#most)
    else if (this.backlog > this.#size * 0.75) this.#size = Math.max(this.#size - newlyTaken, smallest)
  }

  /** The nearer the server, the less has to be on its way for the screen never to wait. */
  get #most(): number {
    return Math.min(largest, Math.max(smallest, (this.#roundTripMs ?? 0) * screenBytesPerMs))
  }

  /** Whether all has come that the server could send by what it had heard of. */
  #isServerWaiting(nowMs: number): boolean {
    if (this.#roundTripMs === null) return false
    const heardAtMs = nowMs - this.#roundTripMs
    // Of what was said later than now, the clock was set back since.
    const next = this.#underWay.findIndex(({ atMs }) => atMs > heardAtMs && atMs <= nowMs)
    const heard = this.#underWay.splice(0, next === -1 ? this.#underWay.length : next)
    this.#heard = heard.at(-1)?.total ?? this.#heard
    return this.#received > this.#heard - grantPiece
  }
}
