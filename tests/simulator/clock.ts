/** The one clock of a simulator: the machine's clock plus whatever a test has advanced it by. */
export interface Clock {
  /** Simulated time in milliseconds since the epoch. */
  now(): number
  /** Simulated time in seconds since the epoch, as the service gives it in its replies. */
  nowSeconds(): number
  /** Runs `action` when the simulated time reaches `atMs`; the answer takes it back. */
  schedule(atMs: number, action: () => Promise<void>): () => void
  /** Moves the clock forward and waits until everything that fell due has happened. */
  advance(seconds: number): Promise<void>
  /** Drops all that is scheduled, and takes nothing more. */
  stop(): void
}

interface Alarm {
  readonly atMs: number
  readonly action: () => Promise<void>
  timer: NodeJS.Timeout | undefined
}

/** The end of the last year that the Date header can hold (RFC 9110, 5.6.7). */
export const LATEST_MS = Date.UTC(10_000, 0) - 1000

/** setTimeout takes no longer delay than this; a longer wait is continued when it is over. */
export const LONGEST_DELAY_MS = 2 ** 31 - 1

/** Creates the clock. `machineNow` is the clock of the machine, in milliseconds since the epoch. */
export function createClock(machineNow: () => number = Date.now): Clock {
  const alarms = new Set<Alarm>()
  let advancedMs = 0
  let isStopped = false
  const now = (): number => machineNow() + advancedMs

  function start(alarm: Alarm): void {
    clearTimeout(alarm.timer)
    const delayMs = Math.min(Math.max(0, alarm.atMs - now()), LONGEST_DELAY_MS)
    alarm.timer = setTimeout(() => {
      if (alarm.atMs > now()) start(alarm)
      else void ring(alarm)
    }, delayMs)
  }

  async function ring(alarm: Alarm): Promise<void> {
    clearTimeout(alarm.timer)
    if (alarms.delete(alarm)) await alarm.action()
  }

  return {
    now,
    nowSeconds: () => now() / 1000,
    schedule(atMs, action) {
      if (isStopped) return () => undefined
      const alarm: Alarm = { atMs, action, timer: undefined }
      alarms.add(alarm)
      start(alarm)
      return () => {
        clearTimeout(alarm.timer)
        alarms.delete(alarm)
      }
    },
    async advance(seconds) {
      advancedMs += seconds * 1000
      for (;;) {
        const due = [...alarms].filter((alarm) => alarm.atMs <= now()).sort((a, b) => a.atMs - b.atMs)
        if (due.length === 0) break
        await Promise.all(due.map(ring))
      }
      for (const alarm of alarms) start(alarm)
    },
    stop() {
      isStopped = true
      for (const alarm of alarms) clearTimeout(alarm.timer)
      alarms.clear()
    },
  }
}
