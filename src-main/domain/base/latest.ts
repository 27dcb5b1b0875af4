/**
 * A value that others watch. Watchers get the value at once and then the newest one whenever they are ready
 * for it: what came in between is skipped, so that a slow watcher never builds a queue.
 */
export class Latest<T> {
  #value: T
  #version = 0
  readonly #wakers = new Set<() => void>()

  constructor(initial: T) {
    this.#value = initial
  }

  get value(): T {
    return this.#value
  }

  set(value: T): void {
    this.#value = value
    this.#version += 1
    for (const wake of [...this.#wakers]) wake()
  }

  /** Ends when the signal is aborted. */
  async *watch(signal?: AbortSignal): AsyncGenerator<T, void, void> {
    let seen = -1
    while (!signal?.aborted) {
      if (seen !== this.#version) {
        seen = this.#version
        yield this.#value
        continue
      }
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          this.#wakers.delete(wake)
          signal?.removeEventListener('abort', wake)
          resolve()
        }
        this.#wakers.add(wake)
        signal?.addEventListener('abort', wake)
      })
    }
  }
}
