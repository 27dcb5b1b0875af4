import { z } from 'zod'
import { actionKind } from '../../../domain/instances/instance.ts'
import { busyReason, watchedCondition, watcherRefusal } from '../../../domain/guards/watcher.ts'

/** A number of seconds that an instance tells: no year of a rental is longer. */
const seconds = z.number().int().min(0).max(1_000_000_000)
const name = z.string().max(64)

const rule = z.object({
  owner: name,
  id: name,
  action: actionKind,
  condition: watchedCondition,
  seconds,
  elapsed: seconds,
  /** Seconds until it acts as things stand: 0 when it's due. A warning may hold it up, so it isn't the rest of `seconds`. */
  left: seconds,
  waits: busyReason.or(z.literal('')),
  phase: z.enum(['waiting', 'warned', 'acting', 'done']),
  /** How often it has asked the service to act, and the HTTP status of the last reply: 0 without one. */
  tries: z.number().int().min(0).max(1_000_000),
  answer: z.number().int().min(0).max(999),
})

/** A rule that has begun to act. It isn't carried out again. */
const deed = z.object({
  owner: name,
  id: name,
  action: actionKind,
  /** Seconds since the epoch by the instance's clock, which may be wrong. */
  at: z.number().int().min(0).max(100_000_000_000),
  elapsed: seconds,
})
/** The last ones, the oldest first, also of rules that are set no more. */
const acted = z.array(deed).max(20).default([])

const armed = z.object({
  armed: z.literal(true),
  /** Of the script that watches. */
  version: z.number().int().min(0).max(1_000_000),
  /** Whether the process that watches is there. */
  running: z.boolean(),
  /** When it looked last, and now: seconds since the instance's start. */
  uptime: seconds,
  now: seconds,
  /** Of each computer that gave it rules, the revision it gave. */
  orders: z.array(z.object({ owner: name, revision: name })).max(64),
  rules: z.array(rule).max(64),
  /** Whether the service told the instance's key from a made-up one when the rules were armed. */
  proven: z.boolean(),
  acted,
})
const refused = z.object({
  armed: z.literal(false),
  why: watcherRefusal.or(z.literal('not-armed')),
  /** Whether a script is there, and with it what it did; it is not on an instance that was made from scratch. */
  placed: z.boolean().default(true),
  acted,
})

export type ScriptAnswer =
  | z.infer<typeof armed>
  | z.infer<typeof refused>
  /** It isn't what the script says. */
  | null

const answer = z.union([armed, refused])

/** What the script on an instance said. The instance is a stranger's: whatever doesn't fit is `null`. */
export function readAnswer(line: string): ScriptAnswer {
  try {
    return answer.safeParse(JSON.parse(line)).data ?? null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}
