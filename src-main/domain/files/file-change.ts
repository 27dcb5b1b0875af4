import { z } from 'zod'
import { mostNamedEntries, transferProblem } from './transfer.ts'

/** Of one side: a path that main has listed. */
export const folderPath = z.string().min(1).max(4096)
export const entryName = z.string().min(1).max(1024)

/** What can be done to a folder's entries without copying any. */
export const fileChange = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('make-folder'), folder: folderPath, name: entryName }),
  z.object({ kind: z.literal('rename'), folder: folderPath, name: entryName, to: entryName }),
  /** With all that is in them: on this computer into the system's trash, on an instance for good. */
  z.object({
    kind: z.literal('remove'),
    folder: folderPath,
    names: z.array(entryName).min(1).max(mostNamedEntries).readonly(),
  }),
])
export type FileChange = z.infer<typeof fileChange>

/** What came of a change to a folder; a failed or stopped one may have been done in part. */
export const fileChangeOutcome = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('done') }),
  z.object({ kind: z.literal('stopped') }),
  z.object({ kind: z.literal('failed'), problem: transferProblem }),
])
export type FileChangeOutcome = z.infer<typeof fileChangeOutcome>

/** What a folder holds, with all folders in it. */
const folderSize = z.object({
  /** Of all files together. */
  bytes: z.number(),
  files: z.number().int(),
  folders: z.number().int(),
  /** Folders that couldn't be read. */
  unread: z.number().int(),
  /** Why the rest wasn't counted: there's more than Slipway counts, or it took too long; `null` when all was. */
  cutShort: z.enum(['too-many', 'too-long']).nullable(),
})
export type FolderSize = z.infer<typeof folderSize>

/** What came of counting a folder. */
export const folderSizeOutcome = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('counted'), size: folderSize }),
  z.object({ kind: z.literal('stopped') }),
  z.object({ kind: z.literal('failed'), problem: transferProblem }),
])
export type FolderSizeOutcome = z.infer<typeof folderSizeOutcome>
