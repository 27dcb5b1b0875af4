import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../domain/base/clock.ts'

/** The machine's own time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: async (ms, signal) => {
    await sleep(ms, undefined, { ...(signal && { signal }), ref: false })
  },
}
