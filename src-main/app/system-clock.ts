import { readFileSync } from 'node:fs'
import { uptime } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../domain/base/clock.ts'
import type { MachineTimes } from '../domain/vault/clock-offset.ts'

/** The machine's own time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: async (ms, signal) => {
    await sleep(ms, undefined, { ...(signal && { signal }), ref: false })
  },
}

const bootId = readBootId()

/** The machine's own clocks. */
export function machineTimes(): MachineTimes {
  return {
    wallMs: Date.now(),
    awakeMs: Number(process.hrtime.bigint() / 1_000_000n),
    uptimeMs: uptime() * 1000,
    bootId,
  }
}

/** Linux names each start of the machine. */
function readBootId(): string | null {
  if (process.platform !== 'linux') return null
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch (error) {
    // A container may hide it; then starts are told apart by the clocks.
    if (error instanceof Error) return null
    throw error
  }
}
