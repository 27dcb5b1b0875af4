import type { Clock } from '#domain/base/clock.ts'

interface Sleeper {
  readonly until: number
  readonly wake: () => void
}

/** A clock that a test moves by hand. `now` begins at a fixed time. */
export class FakeClock implements Clock {
  #now = Date.UTC(2026, 0, 1)
  readonly #sleepers = new Set<Sleeper>()

  readonly now = (): number => this.#now

  readonly sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const fail = (): void => {
        this.#sleepers.delete(sleeper)
        reject(signal?.reason instanceof Error ? signal.reason : new Error('aborted'))
      }
      const sleeper: Sleeper = {
        until: this.#now + ms,
        wake: () => {
          signal?.removeEventListener('abort', fail)
          resolve()
        },
      }
      if (signal?.aborted) return fail()
      signal?.addEventListener('abort', fail, { once: true })
      this.#sleepers.add(sleeper)
    })

  /** Sets the time back, as a correction over the network does; who sleeps goes on sleeping as long as before. */
  setBack(ms: number): void {
    this.#now -= ms
    for (const sleeper of [...this.#sleepers]) {
      this.#sleepers.delete(sleeper)
      this.#sleepers.add(Object.assign(sleeper, { until: sleeper.until - ms }))
    }
  }

  /** Sets the time on without waking anybody: the machine slept. */
  sleepThrough(ms: number): void {
    this.setBack(-ms)
  }

  /** Moves time on, waking sleepers in the order of their times and letting each run before the next. */
  async advance(ms: number): Promise<void> {
    const target = this.#now + ms
    await settle()
    for (;;) {
      const next = [...this.#sleepers]
        .filter(({ until }) => until <= target)
        .sort((a, b) => a.until - b.until)[0]
      if (!next) break
      this.#now = Math.max(this.#now, next.until)
      this.#sleepers.delete(next)
      next.wake()
      await settle()
    }
    this.#now = target
    await settle()
  }
}

/** Lets everything that is ready run: promise chains, and I/O that has already arrived. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

/** Lets everything run that is ready, and work on files come to its end, which takes long on a machine that is busy. */
export async function quiet(): Promise<void> {
  for (let turnsAtRest = 0; turnsAtRest < 10;) {
    await new Promise((resolve) => setImmediate(resolve))
    turnsAtRest = process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq'))
      ? 0
      : turnsAtRest + 1
  }
}
