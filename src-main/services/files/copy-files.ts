import type { SkippedEntry, TransferProblem } from '../../domain/files/transfer.ts'
import { ByteBudget } from './byte-budget.ts'
import { copyFile } from './copy-file.ts'
import type { PlannedFile, PlannedFolder } from './copy-plan.ts'
import { TransferFailure, skipReason } from './failure.ts'
import type { FileTree } from './file-tree.ts'

/** What copying tells while it goes on. */
export interface CopyEvents {
  readonly copying: (total: { readonly files: number; readonly bytes: number }) => void
  readonly bytes: (more: number) => void
  readonly fileDone: (file: PlannedFile) => void
  readonly skipped: (entry: SkippedEntry) => void
  /** A file is half there, under a name of its own; or is not any more. */
  readonly part: (path: string, isThere: boolean) => void
}

export interface CopyFilesOptions {
  readonly source: FileTree
  /** As of `PlanOptions`. */
  readonly sourceId?: number | null
  readonly target: FileTree
  /** All of them; what has the name of one is replaced, unless `nameFor` gives it another. */
  readonly files: readonly PlannedFile[]
  /** Those to be made, each after the one that it is in. */
  readonly folders: readonly PlannedFolder[]
  /** The folder whose disk takes them. */
  readonly disk: string
  /** Another name for one whose name is taken; `null` when it is there already. Without it, it is replaced. */
  readonly nameFor?: (file: PlannedFile) => Promise<string | null>
  /** What is replaced must still be what was seen of it when the copy was planned. */
  readonly isSeenAgain?: boolean
  readonly signal: AbortSignal
  readonly events: CopyEvents
  /** As of `CopyOptions`. */
  readonly written: Map<string, number>
  /** To the instance and back; `null` when it is not known. */
  readonly roundTripMs: () => number | null
}

/** Files that are copied at the same time: small ones wait for answers most of their time. */
const lanes = 24
/** As much as the channel's window holds. */
const mostUnderWay = 16 * 1024 * 1024
/** Keeps an instance near by busy; OpenSSH's server takes twice as long when it has to queue up more. */
const leastUnderWay = 2 * 1024 * 1024
/** As much as an instance sends or takes in a millisecond (330 MB/s). */
const bytesPerMs = 330_000

/**
 * Copies files that were planned, and makes folders. A file that cannot be copied is skipped and told; only what stands
 * against all of them ends it.
 *
 * @throws TransferFailure, ChannelEnded, or the signal's reason
 */
export async function copyFiles(options: CopyFilesOptions): Promise<void> {
  const { source, sourceId = null, target, files, folders, signal, events, nameFor } = options
  const { isSeenAgain = false } = options
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  events.copying({ files: files.length, bytes })
  await requireSpace(target, options.disk, bytes - files.reduce((sum, { kept }) => sum + kept, 0))
  for (const { target: folder } of folders) {
    signal.throwIfAborted()
    await target.makeFolder(folder)
  }

  const budget = new ByteBudget(underWayFor(options.roundTripMs()))
  const queue = files.values()
  const failures: TransferProblem[] = []
  const stop = new AbortController()
  const either = AbortSignal.any([signal, stop.signal])
  async function lane(): Promise<void> {
    for (const file of queue) {
      try {
        await copyOne(file)
        events.fileDone(file)
      } catch (error) {
        if (!(error instanceof TransferFailure) || standsAgainstAll(error.problem)) {
          stop.abort(error)
          throw error
        }
        failures.push(error.problem)
        events.skipped({ path: file.path, reason: skipReason(error.problem) })
      }
    }
  }
  async function copyOne(file: PlannedFile): Promise<void> {
    const { taken } = file
    const isRenamed = taken !== null && nameFor !== undefined
    const targetName = isRenamed ? await nameFor(file) : file.targetName
    if (targetName === null) return events.bytes(file.size)
    const replace = taken !== null && !isRenamed
    let counted = 0
    const onBytes = (more: number): void => {
      counted += more
      events.bytes(more)
    }
    try {
      await copyFile({
        source,
        sourceId,
        target,
        file: { ...file, targetName, replace, seen: isSeenAgain ? taken : null },
        budget,
        signal: either,
        onBytes,
        written: options.written,
        onPart: events.part,
      })
    } catch (error) {
      events.bytes(-counted)
      throw error
    }
  }

  const results = await Promise.allSettled(Array.from({ length: lanes }, lane))
  signal.throwIfAborted()
  // The reason to stop: the other lanes' errors only follow from it.
  if (stop.signal.aborted) throw stop.signal.reason
  for (const result of results) if (result.status === 'rejected') throw result.reason
  // The innermost first: what is done in a folder changes its time.
  for (const { target: folder, attributes } of folders.toReversed())
    await target.setAttributes(folder, attributes)
  const [first] = failures
  if (first && failures.length === files.length) throw new TransferFailure(first)
}

function underWayFor(roundTripMs: number | null): number {
  if (roundTripMs === null) return mostUnderWay
  return Math.min(mostUnderWay, Math.max(leastUnderWay, roundTripMs * bytesPerMs))
}

/** Before anything is written: a disk that is filled to the brim hurts more than a transfer that is refused. */
async function requireSpace(target: FileTree, path: string, bytes: number): Promise<void> {
  const freeBytes = await target.freeBytes(path)
  if (freeBytes !== null && freeBytes < bytes)
    throw new TransferFailure({ kind: 'disk-full', side: target.side, path, freeBytes })
}

function standsAgainstAll({ kind }: TransferProblem): boolean {
  switch (kind) {
    case 'connection':
    case 'host-key-changed':
    case 'silent':
    case 'disk-full':
      return true
    default:
      return false
  }
}
