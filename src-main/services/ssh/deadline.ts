import type { Clock } from '../../domain/base/clock.ts'

/** A deadline that can be stopped, and started anew from the full time. */
export interface Deadline {
  /** @param ms in place of its own time */
  readonly start: (ms?: number) => void
  readonly stop: () => void
}

/** One that does not run yet. */
export function createDeadline(clock: Clock, ms: number, onPassed: () => void): Deadline {
  let running: AbortController | null = null
  const stop = (): void => {
    running?.abort()
    running = null
  }
  return {
    start: (instead = ms) => {
      stop()
      const own = new AbortController()
      running = own
      clock.sleep(instead, own.signal).then(onPassed, () => undefined) // stopped in time
    },
    stop,
  }
}

/** What `work` comes to, unless the time passes first: then it rejects with what `lateness` makes. */
export async function within<T>(
  clock: Clock,
  ms: number,
  work: Promise<T>,
  lateness: () => Error,
): Promise<T> {
  const late = Promise.withResolvers<never>()
  const deadline = createDeadline(clock, ms, () => late.reject(lateness()))
  deadline.start()
  try {
    return await Promise.race([work, late.promise])
  } finally {
    deadline.stop()
  }
}

/** What `work` comes to, unless the signal is aborted first: then it rejects with the signal's reason. */
export function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason)
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
