import type { Clock } from '#domain/base/clock.ts'
import { systemClock } from '../../src-main/app/system-clock.ts'

/** Gives what is stopped all the time that it needs to end: how long it is waited for is not asked here. */
export const patientClock: Clock = {
  now: systemClock.now,
  sleep: (ms, signal) => systemClock.sleep(ms >= 1_000 ? 20 * ms : ms, signal),
}
