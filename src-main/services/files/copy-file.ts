import type { FileEntry } from '../../domain/files/transfer.ts'
import type { ByteBudget } from './byte-budget.ts'
import { TransferFailure } from './failure.ts'
import type { FileAttributes, FileReader, FileTree, FileWriter } from './file-tree.ts'
import { partName } from './part-name.ts'
import { pieceBytes, pipelinedCopy } from './pipelined-copy.ts'

/** The user does not want it any more: nothing of it is kept. Any other reason to stop leaves the part. */
export class Canceled extends Error {
  constructor() {
    super('canceled')
    this.name = 'Canceled'
  }
}

/** One file: which, and under what name it is to be there. */
export interface FileToCopy {
  readonly source: string
  readonly size: number
  readonly attributes: FileAttributes
  readonly targetFolder: string
  readonly targetName: string
  /** Whether a file of that name may be replaced. */
  readonly replace: boolean
  /** What has the name must still be this; `null` for whatever it is. */
  readonly seen?: FileEntry | null
}

export interface CopyOptions {
  readonly source: FileTree
  /** The instance whose file it is; `null` for this computer. */
  readonly sourceId: number | null
  readonly target: FileTree
  readonly file: FileToCopy
  readonly budget: ByteBudget
  readonly signal: AbortSignal
  /** So many bytes more are in the target; at once for those that were there already. */
  readonly onBytes: (bytes: number) => void
  /**
   * Of parts that nobody else has written to since: so many bytes of each are written without a gap. Kept up to date
   * here, so that after a lost link no more is sent again than was under way.
   */
  readonly written: Map<string, number>
  /** This is in the target under a name of its own, or is not any more. */
  readonly onPart: (part: string, isThere: boolean) => void
}

/**
 * Copies a file under a name of its own, and gives it its real name when it is complete and on the disk. What a
 * try before has left is gone on with.
 *
 * @throws TransferFailure, ChannelEnded, or the signal's reason
 */
export async function copyFile({
  source,
  sourceId,
  target,
  file,
  budget,
  signal,
  onBytes,
  written,
  onPart,
}: CopyOptions): Promise<void> {
  const { size, attributes, targetFolder, targetName } = file
  signal.throwIfAborted()
  const part = target.join(
    targetFolder,
    partName(targetName, {
      instanceId: sourceId,
      path: file.source,
      size,
      modifiedAt: attributes.modifiedAt,
    }),
  )
  const gone = (): void => {
    written.delete(part)
    onPart(part, false)
  }
  let writer: FileWriter | null = null
  let reader: FileReader | null = null
  try {
    reader = await source.openToRead(file.source, size)
    writer = await target.openToWrite(part, size)
    onPart(part, true)
    const start = startAfter(writer.size, size, target.mostWritesAhead(size), written.get(part))
    written.set(part, start)
    onBytes(start)
    await pipelinedCopy({
      reader,
      writer,
      start,
      size,
      budget,
      signal,
      onBytes,
      onWrittenTo: (offset) => written.set(part, offset),
      shrunk: () => new TransferFailure({ kind: 'shrunk', side: source.side, path: file.source }),
    })
    signal.throwIfAborted()
    await writer.finish(size, attributes)
    const path = target.join(targetFolder, targetName)
    // As late as can be: the copy may have taken hours.
    if (file.seen && !isStill(file.seen, await target.find(path)))
      throw new TransferFailure({ kind: 'appeared', side: target.side, path })
    await target.rename(part, path, file.replace)
    gone()
  } catch (error) {
    await leave(writer)
    if (writer !== null && (signal.reason instanceof Canceled || isOfNoUse(error)))
      await target.removeFile(part).then(gone, nobodyLeftToTell)
    throw byItsName(error, part, target.join(targetFolder, targetName))
  } finally {
    await leave(reader)
  }
}

/** Where to go on: where the first gap is; as long as that isn't known, before the last pieces, which come in any order. */
function startAfter(kept: number, size: number, writesAhead: number, written: number | undefined): number {
  if (kept > size) return 0
  // A machine that went down may hold less than it has said.
  if (written !== undefined && written <= kept) return written
  return writesAhead === 1 ? kept : Math.max(0, kept - writesAhead * pieceBytes)
}

/** Whether another try would not begin with the same part. */
function isOfNoUse(error: unknown): boolean {
  if (!(error instanceof TransferFailure)) return false
  return error.problem.kind === 'shrunk' || error.problem.kind === 'appeared'
}

function isStill(seen: FileEntry, now: FileEntry | null): boolean {
  return now?.kind === seen.kind && now.size === seen.size && now.modifiedAt === seen.modifiedAt
}

/** Nobody knows the part by its name. */
function byItsName(error: unknown, part: string, path: string): unknown {
  if (!(error instanceof TransferFailure)) return error
  const { problem } = error
  if (!('path' in problem) || problem.path !== part) return error
  return new TransferFailure({ ...problem, path }, { cause: error })
}

async function leave(file: FileReader | FileWriter | null): Promise<void> {
  await file?.close().catch(nobodyLeftToTell)
}

/** What came before is what the user is told. */
function nobodyLeftToTell(): void {}
