import { z } from 'zod'
import type { JobState } from './instance-jobs.ts'

const bytes = z.number().int().min(0)

const state = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('none') }),
  z.object({ kind: z.literal('running'), bytes }),
  z.object({
    kind: z.literal('exited'),
    code: z.number().int().min(0).max(255),
    isCanceled: z.boolean(),
    bytes,
  }),
  z.object({ kind: z.literal('lost'), why: z.enum(['restarted', 'vanished']), bytes }),
  z.object({
    kind: z.literal('refused'),
    why: z.enum(['read-only', 'disk-full', 'no-procfs', 'busy-folder', 'failed']),
  }),
])

/** What the script on an instance said of a job. The instance is a stranger's: whatever doesn't fit is no answer. */
export function readState(line: string): JobState {
  const noAnswer = { kind: 'refused', why: 'no-answer' } as const
  try {
    return state.safeParse(JSON.parse(line)).data ?? noAnswer
  } catch (error) {
    if (error instanceof SyntaxError) return noAnswer
    throw error
  }
}
