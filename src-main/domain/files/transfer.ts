import { z } from 'zod'
import type { NamedSchema, NamedUnion } from '../base/named.ts'
import { hostKey, sshProblem } from '../ssh/ssh.ts'
import { nameFault } from './file-name.ts'

/** `local` is this computer, `remote` the instance. */
const fileSide = z.enum(['local', 'remote'])
export type FileSide = z.infer<typeof fileSide>

/** One entry of a folder. A link is shown as what it is, never as what it points to. */
const fileEntry = z.object({
  name: z.string(),
  kind: z.enum(['file', 'folder', 'link', 'other']),
  /** In bytes. */
  size: z.number(),
  /** Milliseconds since the epoch; SFTP tells whole seconds. */
  modifiedAt: z.number().nullable(),
  /** Permission bits (0o777); `null` where the system has none. */
  mode: z.number().int().nullable(),
})
export type FileEntry = z.infer<typeof fileEntry>

/** Why files could not be read or written. */
const anyTransferProblem = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('connection'), problem: sshProblem }),
  z.object({ kind: z.literal('host-key-changed'), offered: hostKey }),
  /** The connection stands, and the instance's file server answers nothing. */
  z.object({ kind: z.literal('silent') }),
  /** The connection stands, and the file server that was asked for has not begun to answer. */
  z.object({ kind: z.literal('not-started') }),
  /**
   * The connection stands, and no file server comes of it: the server takes no further session, has no SFTP, started a
   * file server that ended, or one that says something else first. `detail` in the server's own words, or empty.
   */
  z.object({
    kind: z.literal('no-files'),
    why: z.enum(['session-refused', 'no-sftp', 'ended', 'garbled']),
    detail: z.string(),
  }),
  /** Nothing can be written there, whoever asks; `path` is what was to be written. */
  z.object({ kind: z.literal('read-only'), side: fileSide, path: z.string() }),
  /** What this .gitignore file leaves out cannot be told in any reasonable time. */
  z.object({ kind: z.literal('slow-gitignore'), path: z.string() }),
  z.object({ kind: z.literal('missing'), side: fileSide, path: z.string() }),
  z.object({ kind: z.literal('denied'), side: fileSide, path: z.string() }),
  /** Something took the name after the user was asked; nothing was replaced. */
  z.object({ kind: z.literal('appeared'), side: fileSide, path: z.string() }),
  z.object({
    kind: z.literal('disk-full'),
    side: fileSide,
    path: z.string(),
    freeBytes: z.number().nullable(),
  }),
  /** Nothing can be called that there. */
  z.object({ kind: z.literal('bad-name'), side: fileSide, name: z.string(), fault: nameFault }),
  /** The name is taken; nothing was changed. */
  z.object({ kind: z.literal('taken'), side: fileSide, name: z.string() }),
  /** The file became shorter while it was read. */
  z.object({ kind: z.literal('shrunk'), side: fileSide, path: z.string() }),
  /** More entries or deeper folders than any real tree has. */
  z.object({ kind: z.literal('too-many'), side: fileSide, path: z.string() }),
  z.object({ kind: z.literal('failed'), side: fileSide, path: z.string(), detail: z.string() }),
])
export type TransferProblem = NamedUnion<z.infer<typeof anyTransferProblem>>
export const transferProblem: NamedSchema<TransferProblem> = anyTransferProblem

/** A folder with what is in it, under the path that it is really at; or why it cannot be shown. */
export const folderOutcome = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('listed'),
    path: z.string(),
    /** Folders first, then by name. */
    entries: z.array(fileEntry).readonly(),
    /** So many more are there than are listed. */
    omitted: z.number().int(),
  }),
  z.object({ kind: z.literal('failed'), problem: transferProblem }),
])
export type FolderOutcome = z.infer<typeof folderOutcome>

/** What is done with files whose name is taken; asked once for all of a transfer. */
export const conflictChoice = z.enum(['replace', 'replace-older', 'keep-both', 'skip'])
export type ConflictChoice = z.infer<typeof conflictChoice>

export const transferOrder = z.object({
  instanceId: z.number().int(),
  direction: z.enum(['upload', 'download']),
  /** The folder that the names are in, on the side that is read. */
  from: z.string().min(1).max(4096),
  names: z.array(z.string().min(1).max(1024)).min(1).max(10_000).readonly(),
  /** The folder that they go to, on the other side. */
  to: z.string().min(1).max(4096),
  /** Uploads leave out what .gitignore files name, and .git itself. */
  honorGitignore: z.boolean(),
})
export type TransferOrder = z.infer<typeof transferOrder>

/** What the user chose in the system's dialog, in one folder of this computer. */
export const chosenPlace = transferOrder.pick({ from: true, names: true })
export type ChosenPlace = z.infer<typeof chosenPlace>

/** Why an entry was left out of a transfer. */
const skipReason = z.discriminatedUnion('kind', [
  z.object({
    kind: z.enum([
      'link',
      'not-a-file',
      'same-name',
      'path-too-long',
      'missing',
      'appeared',
      'shrunk',
      'taken',
      'disk-full',
      'too-many',
      'slow-gitignore',
      'no-reply',
      'disconnected',
    ]),
  }),
  z.object({ kind: z.literal('bad-name'), fault: nameFault }),
  /** Something of another kind has its name on the other side. */
  z.object({ kind: z.literal('other-kind'), taken: fileEntry.shape.kind }),
  z.object({ kind: z.enum(['denied', 'read-only']), side: fileSide }),
  /** In the words of the system or the server. */
  z.object({ kind: z.literal('failed'), detail: z.string() }),
])
export type SkipReason = z.infer<typeof skipReason>

const skippedEntry = z.object({ path: z.string(), reason: skipReason })
export type SkippedEntry = z.infer<typeof skippedEntry>

const transferPhase = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('waiting') }),
  z.object({ kind: z.literal('connecting') }),
  /** The connection was lost. */
  z.object({ kind: z.literal('reconnecting') }),
  /** Looks through folders; so many files were found. */
  z.object({ kind: z.literal('looking'), files: z.number().int() }),
  /** Waits for a {@link conflictChoice}; `paths` names the first of `count` files. */
  z.object({
    kind: z.literal('asking'),
    count: z.number().int(),
    paths: z.array(z.string()).readonly(),
  }),
  z.object({ kind: z.literal('copying') }),
  z.object({ kind: z.literal('done') }),
  /** What was not finished is kept beside its place, and taken up again on retry. */
  z.object({ kind: z.literal('failed'), problem: transferProblem }),
  z.object({ kind: z.literal('cancelled') }),
])
export type TransferPhase = z.infer<typeof transferPhase>

const transferProgress = z.object({
  files: z.number().int(),
  filesDone: z.number().int(),
  bytes: z.number(),
  bytesDone: z.number(),
  /** Over the last seconds; `null` before there is anything to tell. */
  bytesPerSecond: z.number().nullable(),
  remainingSeconds: z.number().nullable(),
})

export const transfer = z.object({
  id: z.string(),
  order: transferOrder,
  phase: transferPhase,
  progress: transferProgress,
  /** The first of them; `skippedCount` says how many there are. */
  skipped: z.array(skippedEntry).readonly(),
  skippedCount: z.number().int(),
})
export type Transfer = z.infer<typeof transfer>

/** Whether nothing more happens to it by itself. */
export function isOver({ kind }: TransferPhase): boolean {
  return kind === 'done' || kind === 'failed' || kind === 'cancelled'
}
