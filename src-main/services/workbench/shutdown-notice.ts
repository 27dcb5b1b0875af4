import { Latest } from '../../domain/base/latest.ts'

/** Tells the pages that Slipway is about to end, and waits until each has kept what it still holds. */
export class ShutdownNotice {
  readonly #isNear = new Latest(false)
  readonly #listening = new Set<Promise<undefined>>()

  /** Yields when the end is near. Whoever listens has done what there was to do when they stop, by the signal. */
  async *watch(signal?: AbortSignal): AsyncGenerator<'ending', void, void> {
    const { promise, resolve } = Promise.withResolvers<undefined>()
    this.#listening.add(promise)
    try {
      for await (const isNear of this.#isNear.watch(signal)) if (isNear) yield 'ending'
    } finally {
      this.#listening.delete(promise)
      resolve(undefined)
    }
  }

  /** Resolves when all who listen have done. */
  async tell(): Promise<void> {
    this.#isNear.set(true)
    await Promise.all(this.#listening)
  }
}
