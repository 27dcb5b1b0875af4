import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '#domain/base/clock.ts'
import { quiet } from './fake-clock.ts'

interface Sleeper {
  readonly until: number
  readonly wake: () => void
}

/**
 * Time that goes on only where somebody waits for it: `quickly` skips to the next one who sleeps as soon as nothing
 * else is under way, so that hours pass in moments, and always in the same order.
 */
export class SkippingClock implements Clock {
  readonly #sleepers = new Set<Sleeper>()
  readonly #skip: (ms: number) => Promise<void>
  readonly #isBusy: () => boolean
  readonly now: () => number

  /**
   * @param options.skip moves on the time that `now` tells
   * @param options.isBusy whether something is under way that takes real time, such as a request
   */
  constructor(options: {
    readonly now: () => number
    readonly skip: (ms: number) => Promise<void>
    readonly isBusy: () => boolean
  }) {
    this.now = options.now
    this.#skip = options.skip
    this.#isBusy = options.isBusy
  }

  get sleeping(): number {
    return this.#sleepers.size
  }

  readonly sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const stop = (): void => {
        this.#sleepers.delete(sleeper)
        reject(signal?.reason instanceof Error ? signal.reason : new Error('aborted'))
      }
      const sleeper: Sleeper = {
        until: this.now() + ms,
        wake: () => {
          signal?.removeEventListener('abort', stop)
          resolve()
        },
      }
      if (signal?.aborted) return stop()
      signal?.addEventListener('abort', stop, { once: true })
      this.#sleepers.add(sleeper)
    })

  /** Does the work, and skips whatever it or anybody else waits for meanwhile. */
  async quickly<T>(work: Promise<T>): Promise<T> {
    let isOver = false
    const over = (): void => void (isOver = true)
    work.then(over, over)
    await quiet()
    while (!isOver) {
      if (this.#isBusy()) await sleep(1)
      else await this.#next(Number.POSITIVE_INFINITY)
      await quiet()
    }
    return work
  }

  /** Lets so much time pass, waking each sleeper at its moment. */
  async pass(ms: number): Promise<void> {
    const target = this.now() + ms
    await quiet()
    while (this.#isBusy() || (await this.#next(target))) await (this.#isBusy() ? sleep(1) : quiet())
    if (target > this.now()) await this.#skip(target - this.now())
    await quiet()
  }

  /** Wakes who is next, if that is not later than `limit`; answers whether there was somebody. */
  async #next(limit: number): Promise<boolean> {
    let first: Sleeper | undefined
    for (const one of this.#sleepers) if (first === undefined || one.until < first.until) first = one
    if (first === undefined || first.until > limit) return false
    if (first.until > this.now()) await this.#skip(first.until - this.now())
    this.#sleepers.delete(first)
    first.wake()
    return true
  }
}

/** A service's own time, to be skipped, and a `fetch` during which it stands still until an answer is there as a whole. */
export function skippingTimeOf(clock: {
  readonly now: () => number
  readonly advance: (seconds: number) => Promise<void>
}): { readonly clock: SkippingClock; readonly fetch: typeof fetch } {
  let underWay = 0
  return {
    clock: new SkippingClock({
      now: clock.now,
      skip: (ms) => clock.advance(ms / 1000),
      isBusy: () => underWay > 0,
    }),
    fetch: async (...request) => {
      underWay += 1
      try {
        const response = await fetch(...request)
        return new Response(await response.arrayBuffer(), response)
      } finally {
        underWay -= 1
      }
    },
  }
}
