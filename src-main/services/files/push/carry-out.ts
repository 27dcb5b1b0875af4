import type { ProjectState } from '../../../domain/files/project.ts'
import type { SkippedEntry } from '../../../domain/files/transfer.ts'
import type { CopySession } from '../copy-session.ts'
import type { FileTree } from '../file-tree.ts'
import { removeGone, stampOf, type Comparison } from './compare-trees.ts'
import { removeHalves } from './half-files.ts'
import type { Admitted, HeldFiles } from './held-back.ts'
import { stampThere, type PushedFile } from './push-decision.ts'
import type { PushedFiles } from './pushed-files.ts'
import type { SentLines } from './sent-lines.ts'
import type { FolderSync, PushOrder } from './sync.ts'

/** What a push has done, in all its tries. */
export interface Tally {
  /** Paths that were sent. */
  readonly arrived: Set<string>
  readonly removed: Set<string>
  /** Of the last try. */
  skipped: SkippedEntry[]
}

export function countsOf({
  arrived,
  removed,
  skipped,
}: Tally): Omit<NonNullable<ProjectState['last']>, 'at'> {
  return { files: arrived.size, removed: removed.size, skipped: skipped.length }
}

export interface CarryOutOptions {
  readonly sync: Pick<FolderSync, 'send'>
  readonly localTree: FileTree
  readonly pushed: PushedFiles
  readonly order: PushOrder
  readonly session: CopySession
  readonly compared: Comparison & { readonly from: string }
  /** As of `FolderSync.send`. */
  readonly written: Map<string, number>
  /** Of what has arrived, and what is deleted. */
  readonly sent: SentLines
  readonly tally: Tally
  readonly held: HeldFiles
}

/**
 * Sends and deletes what may be, and writes down what becomes of each file, before it's begun and after it has arrived. Half
 * files of pushes before are removed.
 *
 * @throws as `FolderSync.send`, ProblemError storage-failed
 */
export async function carryOut(
  { sync, localTree, pushed, order, session, compared, written, sent, tally, held }: CarryOutOptions,
  { files, gone, lines }: Admitted,
): Promise<void> {
  const { folders, target } = compared
  const sides = { ...compared, localTree, tree: session.tree, signal: order.signal }
  const known = await pushed.all()
  const asBefore = (path: string): PushedFile | null => known.get(path) ?? null
  const ended = await removeHalves(sides, await pushed.halves(), files)
  await pushed.note([
    ...ended.map((path) => ({ path, file: asBefore(path) })),
    ...lines,
    ...files.map((file) => ({ path: file.path, file: asBefore(file.path), half: stampOf(file) })),
  ])
  tally.skipped.push(...compared.skipped)
  let isAllSent = true
  await sync.send(
    order,
    session,
    {
      ...{ folders, target, files, isSeenAgain: true },
      onSent: (file) => {
        tally.arrived.add(file.path)
        const here = stampOf(file)
        sent.add({ path: file.path, file: { here, there: stampThere(here), how: 'sent' } })
      },
      onSkipped: (entry) => {
        isAllSent = false
        tally.skipped.push(entry)
        // It came or changed there just now.
        const file = files.find(({ path }) => path === entry.path)
        if (entry.reason.kind === 'appeared' && file) held.holdConflict(file)
      },
    },
    written,
  )
  // What was skipped may be the new name of what is gone here.
  if (!isAllSent) return held.holdGone(gone)
  await removeGone(sides, gone, (path) => {
    tally.removed.add(path)
    sent.add({ path, file: null })
  })
}
