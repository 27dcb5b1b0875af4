import { z } from 'zod'
import { transferProblem } from './transfer.ts'

/** Whose folder: this computer's, or an instance's. */
export const filePlace = z.discriminatedUnion('side', [
  z.object({ side: z.literal('local') }),
  z.object({ side: z.literal('remote'), instanceId: z.number().int() }),
])
export type FilePlace = z.infer<typeof filePlace>

const folder = z.string().min(1).max(4096)
const name = z.string().min(1).max(1024)

/** What can be done to a folder's entries without copying any. */
export const fileChange = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('make-folder'), folder, name }),
  z.object({ kind: z.literal('rename'), folder, name, to: name }),
  /** With all that is in them: on this computer into the system's trash, on an instance for good. */
  z.object({ kind: z.literal('remove'), folder, names: z.array(name).min(1).max(10_000).readonly() }),
])
export type FileChange = z.infer<typeof fileChange>

/** What came of a change to a folder; a failed or stopped one may have been done in part. */
export const fileChangeOutcome = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('done') }),
  z.object({ kind: z.literal('stopped') }),
  z.object({ kind: z.literal('failed'), problem: transferProblem }),
])
export type FileChangeOutcome = z.infer<typeof fileChangeOutcome>
