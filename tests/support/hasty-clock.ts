import type { Clock } from '#domain/base/clock.ts'
import { systemClock } from '../../src-main/app/system-clock.ts'

/** Real time, whose waits a test cuts short where nothing is left to come but their end. */
export interface HastyClock extends Clock {
  /** From now on every wait takes a hundredth of what is left of it. */
  readonly hurry: () => void
  /** What begins to wait from now on waits as long as it says. */
  readonly calm: () => void
}

const factor = 100

/**
 * Begins calm: a deadline that goes a hundred times as fast while a real server still has to answer in time is over
 * before that whenever the machine has much else to do.
 */
export function hastyClock(): HastyClock {
  let isHasty = false
  let hurried = Promise.withResolvers<undefined>()
  const sleep = async (ms: number, signal?: AbortSignal): Promise<void> => {
    if (isHasty) return systemClock.sleep(ms / factor, signal)
    const done = new AbortController()
    const either = signal ? AbortSignal.any([signal, done.signal]) : done.signal
    const begun = systemClock.now()
    const leftMs = (): number => Math.max(0, begun + ms - systemClock.now())
    try {
      await Promise.race([
        systemClock.sleep(ms, either),
        hurried.promise.then(() => systemClock.sleep(leftMs() / factor, either)),
      ])
    } finally {
      done.abort()
    }
  }
  return {
    now: systemClock.now,
    sleep,
    hurry: () => {
      isHasty = true
      hurried.resolve(undefined)
    },
    calm: () => {
      isHasty = false
      hurried = Promise.withResolvers()
    },
  }
}
