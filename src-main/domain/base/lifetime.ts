/**
 * The time from the start to the end of what is put together at one place: the program, or one account. Its parts say
 * here what they do all the time, and what they do at the end.
 */
export class Lifetime {
  readonly #tasks: ((signal: AbortSignal) => Promise<unknown>)[] = []
  readonly #ends: (() => void | Promise<void>)[] = []
  readonly #lasts: (() => void)[] = []
  readonly #wakings: (() => void)[] = []
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

  /** @param end begun by `end`, side by side with the others, while all that is followed still runs */
  onEnd(end: () => void | Promise<void>): void {
    this.#ends.push(end)
  }

  /** @param last done when everything else has ended, so that nothing that still goes on misses what it takes away */
  lastly(last: () => void): void {
    this.#lasts.push(last)
  }

  /** @param waking done by `wake` */
  onWake(waking: () => void): void {
    this.#wakings.push(waking)
  }

  /** Everything is put together. */
  start(): void {
    this.#running = this.#tasks.map((task) => task(this.signal))
  }

  /** The computer slept: what was known of others may be hours old. */
  wake(): void {
    for (const waking of this.#wakings) waking()
  }

  /** Ends what is followed. What stands goes on until `end`. */
  stop(): void {
    this.#abort.abort()
  }

  /**
   * Ends everything. Resolves when all of it has ended.
   *
   * @throws what the first part that could not end threw; all others have ended all the same
   */
  async end(): Promise<void> {
    const ended = await Promise.allSettled(this.#ends.map(async (end) => end()))
    this.stop()
    const stopped = await Promise.allSettled(this.#running)
    for (const last of this.#lasts) last()
    for (const one of [...ended, ...stopped]) if (one.status === 'rejected') throw one.reason
  }
}

/**
 * Puts something together that has a lifetime of its own. Where a part of it fails, what stands already is ended.
 *
 * @throws what `open` throws, also where ending fails, too
 */
export async function withLifetime<T>(open: (lifetime: Lifetime) => Promise<T>): Promise<T> {
  const lifetime = new Lifetime()
  try {
    return await open(lifetime)
  } catch (error) {
    await Promise.allSettled([lifetime.end()])
    throw error
  }
}
