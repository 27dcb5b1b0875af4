import { z } from 'zod'

/** What the machine's clocks say at one moment, in ms. */
const machineTimes = z.object({
  /** Since the epoch; anybody may set it. */
  wallMs: z.number(),
  /** Since some moment before; it stands still while the machine sleeps, where the system can tell. */
  awakeMs: z.number(),
  /** Since the machine started, sleep included. */
  uptimeMs: z.number(),
  /** Different after each start of the machine; `null` where the system does not say. */
  bootId: z.string().nullable(),
})
export type MachineTimes = z.infer<typeof machineTimes>

/** The true time minus the wall clock's is between these, as it was seen at `seen`. */
export const clockBounds = z.object({ lowMs: z.number(), highMs: z.number(), seen: machineTimes })
export type ClockBounds = z.infer<typeof clockBounds>

/** Services take a code of the step before or after: from here on a code may be refused. */
export const wrongClockMs = 10_000

/** What one reply says: its Date header was written between sending and receiving, and counts whole seconds. */
export interface DatedReply {
  /** The Date header, ms since the epoch. */
  readonly dateMs: number
  /** Of the wall clock. */
  readonly sentMs: number
  readonly receivedMs: number
}

/** What a reply says of the clock; `null` for one that took too long or names no time of this century. */
export function boundsOfReply(
  { dateMs, sentMs, receivedMs }: DatedReply,
  seen: MachineTimes,
): ClockBounds | null {
  const tookMs = receivedMs - sentMs
  if (tookMs < 0 || tookMs > 30_000) return null
  if (!(dateMs > Date.UTC(2020, 0) && dateMs < Date.UTC(2100, 0))) return null
  return { lowMs: dateMs - receivedMs, highMs: dateMs + 1000 - sentMs, seen }
}

/** What both say. Where they contradict each other, one of the clocks was set in between: the newer counts. */
export function intersectBounds(older: ClockBounds | null, newer: ClockBounds): ClockBounds {
  if (older === null) return newer
  const lowMs = Math.max(older.lowMs, newer.lowMs)
  const highMs = Math.min(older.highMs, newer.highMs)
  return lowMs < highMs ? { lowMs, highMs, seen: newer.seen } : newer
}

/** No clock of a machine is off by more than this in a second. */
const drift = 100e-6
const slackMs = 2_000

/**
 * What bounds of an earlier moment say now, also of an earlier run of the program.
 *
 * When the wall clock was set in between, the time since the machine's start tells by how much. After sleep or a
 * new start of the machine nothing is known any more: `null`.
 */
export function carryBounds(bounds: ClockBounds, now: MachineTimes): ClockBounds | null {
  const { seen } = bounds
  const elapsedMs = now.uptimeMs - seen.uptimeMs
  if (elapsedMs < 0 || now.bootId !== seen.bootId) return null
  const sleptMs = elapsedMs - (now.awakeMs - seen.awakeMs)
  if (Math.abs(sleptMs) > slackMs) return null
  const setByMs = now.wallMs - seen.wallMs - elapsedMs
  // Without a name for each start, a clock that went on by as long as the machine had run may mean a new one.
  if (now.bootId === null && setByMs >= seen.uptimeMs) return null
  const movedMs = Math.abs(setByMs) > slackMs ? setByMs : 0
  const driftMs = elapsedMs * drift
  return {
    lowMs: bounds.lowMs - movedMs - driftMs,
    highMs: bounds.highMs - movedMs + driftMs,
    seen: now,
  }
}

/** The likeliest offset (true time minus wall clock), and how far it may be wrong. */
export function offsetOf({ lowMs, highMs }: ClockBounds): {
  readonly offsetMs: number
  readonly errorMs: number
} {
  return { offsetMs: (lowMs + highMs) / 2, errorMs: (highMs - lowMs) / 2 }
}
