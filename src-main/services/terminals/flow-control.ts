const smallest = 256 * 1024
const largest = 4 * 1024 * 1024
/** About as much as a screen shows in a millisecond (measured): more on its way than for a round trip would only wait. */
const screenBytesPerMs = 40 * 1024
/**
 * Of what the screen takes in a round trip, while it has nothing to do. Not more: output may also be late because a
 * processor is busy on its way, and what was granted beyond comes as a burst (with 2: 100 to 172 ms for Ctrl-C from 50 ms
 * away, where two processors did everything).
 */
const growth = 1.25
/** Grants are given in pieces of this size, not for every acknowledgement. */
const grantPiece = 16 * 1024

interface Total {
  readonly atMs: number
  /** Bytes from the beginning. */
  readonly total: number
}

/**
 * The credit of a shell's screen, as a window for its server: what has been granted but not yet been taken
 * by the screen never exceeds `size`. That is as much as the screen takes while the server hears of it, so that the
 * screen never waits, and a bit on top, which is all that stands before the screen and that Ctrl-C has to wait for.
 * While a distant server waits for grants that are all on their way and the screen has nothing to do, it is more, and so
 * it grows with each round trip; not by a step, which would reach the screen as a burst. A server that has not used what
 * it has is limited by neither: more credit would only let it send a burst later.
 */
export class FlowControl {
  #size = smallest
  /** What the screen had taken, the oldest first, since the last round trip began. */
  #progress: Total[] = []
  /** What it had taken before that. */
  #takenBefore = 0
  #granted = smallest
  #received = 0
  #taken = 0
  #roundTripMs: number | null = null
  /** Granted before these, so that the server has heard of it. */
  #heard = smallest
  /** That it may not have heard of yet, the oldest first. */
  #underWay: Total[] = []

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
    this.#taken = Math.max(this.#taken, Math.min(total, this.#received))
    this.#adapt(nowMs)
    const wanted = this.#taken + this.#size - this.#granted
    if (wanted < grantPiece && !(wanted > 0 && this.backlog === 0)) return 0
    this.#granted += wanted
    if (this.#roundTripMs !== null) this.#underWay.push({ atMs: nowMs, total: this.#granted })
    return wanted
  }

  #adapt(nowMs: number): void {
    const perRoundTrip = this.#takenPerRoundTrip(nowMs)
    const isStarved = this.#isServerWaiting(nowMs) && this.backlog < smallest / 2
    this.#size = Math.min(Math.floor(smallest + perRoundTrip * (isStarved ? growth : 1)), this.#most)
  }

  /** What the screen has taken in the time of the last one; 0 as long as that is not known. */
  #takenPerRoundTrip(nowMs: number): number {
    if (this.#roundTripMs === null) return 0
    const begunAtMs = nowMs - this.#roundTripMs
    this.#progress.push({ atMs: nowMs, total: this.#taken })
    this.#takenBefore = lastBefore(this.#progress, begunAtMs) ?? this.#takenBefore
    return this.#taken - this.#takenBefore
  }

  /** The nearer the server, the less has to be on its way for the screen never to wait. */
  get #most(): number {
    return Math.min(largest, Math.max(smallest, (this.#roundTripMs ?? 0) * screenBytesPerMs))
  }

  /** Whether all has come that the server could send by what it had heard of. */
  #isServerWaiting(nowMs: number): boolean {
    if (this.#roundTripMs === null) return false
    this.#heard = lastBefore(this.#underWay, nowMs - this.#roundTripMs) ?? this.#heard
    return this.#received > this.#heard - grantPiece
  }
}

/** Takes out those that are not after a time. @returns the last one's total */
function lastBefore(totals: Total[], atMs: number): number | undefined {
  const next = totals.findIndex((one) => one.atMs > atMs)
  return totals.splice(0, next === -1 ? totals.length : next).at(-1)?.total
}
