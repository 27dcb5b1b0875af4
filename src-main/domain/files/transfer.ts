import { z } from 'zod'
import type { NamedSchema, NamedUnion } from '../base/named.ts'
import { hostKey, sshProblem } from '../ssh/ssh.ts'
import { nameFault } from './file-name.ts'

/** Whose folder: this computer's, or an instance's. */
export const filePlace = z.discriminatedUnion('side', [
  z.object({ side: z.literal('local') }),
  z.object({ side: z.literal('remote'), instanceId: z.number().int() }),
])
export type FilePlace = z.infer<typeof filePlace>
export const thisComputer: FilePlace = { side: 'local' }

/**
 * `local` is this computer, `remote` the instance. In a copy between two instances `remote` is the one that files go to,
 * and `source` the one that they come from.
 */
const fileSide = z.enum(['local', 'remote', 'source'])
export type FileSide = z.infer<typeof fileSide>
/** Of the two instances of a copy between them, which one. */
const whose = { side: fileSide.optional() }

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
  /** Set-user-ID, set-group-ID and sticky bits (0o7000), where they are told. No copy takes them over. */
  special: z.number().int().optional(),
  /** `user`, `user:group`, or their numbers, where a folder's listing tells it. A stranger's text, only to be shown. */
  owner: z.string().optional(),
})
export type FileEntry = z.infer<typeof fileEntry>

/** Why files could not be read or written. */
const anyTransferProblem = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('connection'), problem: sshProblem, ...whose }),
  z.object({ kind: z.literal('host-key-changed'), offered: hostKey, ...whose }),
  /** The connection stands, and the instance's file server answers nothing. */
  z.object({ kind: z.literal('silent'), ...whose }),
  /** The connection stands, and the file server that was asked for has not begun to answer. */
  z.object({ kind: z.literal('not-started'), ...whose }),
  /**
   * The connection stands, and no file server comes of it: the server takes no further session, has no SFTP, started a
   * file server that ended, or one that says something else first. `detail` in the server's own words, or empty.
   */
  z.object({
    kind: z.literal('no-files'),
    why: z.enum(['session-refused', 'no-sftp', 'ended', 'garbled']),
    detail: z.string(),
    ...whose,
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
export type FolderOutcome =
  | {
      readonly kind: 'listed'
      readonly path: string
      /** Folders first, then by name. */
      readonly entries: readonly FileEntry[]
      /** So many more are there than are listed. */
      readonly omitted: number
    }
  | { readonly kind: 'failed'; readonly problem: TransferProblem }

/** How many of a folder's entries one transfer or change can name: each of them is told with every progress. */
export const mostNamedEntries = 10_000

/** What is done with files whose name is taken; asked once for all of a transfer. */
export const conflictChoice = z.enum(['replace', 'replace-older', 'keep-both', 'skip'])
export type ConflictChoice = z.infer<typeof conflictChoice>

const anyTransferOrder = z.object({
  /** Whose files are copied. */
  source: filePlace,
  /** Whose they become; at least one of both is an instance's. */
  target: filePlace,
  /** The folder that the names are in, in the source. */
  from: z.string().min(1).max(4096),
  names: z.array(z.string().min(1).max(1024)).min(1).max(mostNamedEntries).readonly(),
  /** The folder that they go to, in the target. */
  to: z.string().min(1).max(4096),
  /** Uploads leave out what .gitignore files name, and .git itself. */
  honorGitignore: z.boolean(),
})
/** Between a place and itself nothing is copied. */
export const transferOrder = anyTransferOrder.refine(({ source, target }) => !isSamePlace(source, target))
export type TransferOrder = z.infer<typeof transferOrder>

export function isSamePlace(one: FilePlace, other: FilePlace): boolean {
  return instanceOf(one) === instanceOf(other)
}

/** `null` for this computer. */
export function instanceOf(place: FilePlace): number | null {
  return place.side === 'local' ? null : place.instanceId
}

/** The instances of a transfer: one, or the source and the target of a copy between two. */
export function instancesOf({ source, target }: Pick<TransferOrder, 'source' | 'target'>): readonly number[] {
  return [source, target].map(instanceOf).filter((id) => id !== null)
}

/** What the user chose in the system's dialog, in one folder of this computer. */
export const chosenPlace = anyTransferOrder.pick({ from: true, names: true })
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
      /** No file has a name that was asked for by a pattern. */
      'no-match',
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

export const skippedEntry = z.object({ path: z.string(), reason: skipReason })
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
  /** By its user, who alone resumes it: half a file stays where it is. */
  z.object({ kind: z.literal('paused') }),
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
  /** A notification tells once when it ends, or needs its user. */
  notifies: z.boolean(),
})
export type Transfer = z.infer<typeof transfer>

/** Whether nothing more happens to it by itself. */
export function isOver({ kind }: TransferPhase): boolean {
  return kind === 'done' || kind === 'failed' || kind === 'cancelled'
}

/** Whether it has a place in the queue, which its user chooses: it does nothing now, and may later. */
export function isQueued({ kind }: TransferPhase): boolean {
  return kind === 'waiting' || kind === 'paused'
}

/** The queue that one has its place in: what is queued on its instance, or on one of its two, in order. */
export function queueOf<Each extends Pick<Transfer, 'order' | 'phase'>>(
  { order }: Pick<Transfer, 'order'>,
  all: readonly Each[],
): readonly Each[] {
  const ids = instancesOf(order)
  return all.filter((one) => isQueued(one.phase) && instancesOf(one.order).some((id) => ids.includes(id)))
}
