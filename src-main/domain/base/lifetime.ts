/**
 * The time from the start to the end of what is put together at one place: the program, or one account. Its parts say
 * here what they do all the time, and what they do at the end.
 */
export class Lifetime {
  readonly #tasks: ((signal: AbortSignal) => Promise<unknown>)[] = []
  readonly #ends: (() => void | Promise<void>)[] = []
  readonly #abort = new AbortController()
  #running: readonly Promise<unknown>[] = []

  /** Aborted when nothing is followed anymore. */
  get signal(): AbortSignal {
    return this.#abort.signal
  }

  /** @param task begun by `start`, in the order in which they were named here; it ends by the signal */
  follow(task: (signal: AbortSignal) => Promise<unknown>): void {
    this.#tasks.push(task)
  }

  /** @param end begun by `end`, side by side with the others, while all that is followed still runs; last named first */
  onEnd(end: () => void | Promise<void>): void {
    this.#ends.push(end)
  }

  /** Everything is put together. */
  start(): void {
    this.#running = this.#tasks.map((task) => task(this.signal))
  }

  /** Ends what is followed. What stands goes on until `end`. */
  stop(): void {
    this.#abort.abort()
  }

  /** Ends everything. Resolves when all of it has ended. */
  async end(): Promise<void> {
    await Promise.all(this.#ends.toReversed().map(async (end) => end()))
    this.stop()
    await Promise.all(this.#running)
  }
}
