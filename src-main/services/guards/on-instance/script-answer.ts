import { z } from 'zod'
import { actionKind } from '../../../domain/instances/instance.ts'
import { busyReason, watcherRefusal } from '../../../domain/guards/watcher.ts'

/** A number of seconds that an instance tells: no year of a rental is longer. */
const seconds = z.number().int().min(0).max(1_000_000_000)
const name = z.string().max(64)

const rule = z.object({
  owner: name,
  id: name,
  action: actionKind,
  seconds,
  elapsed: seconds,
  waits: busyReason.or(z.literal('')),
  phase: z.enum(['waiting', 'warned', 'acting', 'done']),
})

const armed = z.object({
  armed: z.literal(true),
  /** Whether the process that watches is there. */
  running: z.boolean(),
  /** When it looked last, and now: seconds since the instance's start. */
  uptime: seconds,
  now: seconds,
  /** Of each computer that gave it rules, the revision it gave. */
  orders: z.array(z.object({ owner: name, revision: name })).max(64),
  rules: z.array(rule).max(64),
})
const refused = z.object({ armed: z.literal(false), why: watcherRefusal.or(z.literal('not-armed')) })

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
