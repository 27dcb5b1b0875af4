import type { Clock } from '../../domain/base/clock.ts'
import { numberedName } from '../../domain/files/file-name.ts'
import type {
  ConflictChoice,
  SkippedEntry,
  TransferOrder,
  TransferProblem,
} from '../../domain/files/transfer.ts'
import { ByteBudget } from './byte-budget.ts'
import { copyFile } from './copy-file.ts'
import { TransferFailure, skipReason } from './failure.ts'
import type { FileTree } from './file-tree.ts'
import { planCopy, type PlannedFile } from './copy-plan.ts'

/** What a run tells while it goes on. */
export interface RunEvents {
  readonly looking: (files: number) => void
  /** Asks what to do with files whose names are taken; `paths` are all of them. */
  readonly ask: (paths: readonly string[]) => Promise<ConflictChoice>
  readonly copying: (total: { readonly files: number; readonly bytes: number }) => void
  readonly bytes: (more: number) => void
  readonly fileDone: () => void
  readonly skipped: (entry: SkippedEntry) => void
  /** A file is half there, under a name of its own; or is not any more. */
  readonly part: (path: string, isThere: boolean) => void
}

export interface RunOptions {
  readonly source: FileTree
  readonly target: FileTree
  readonly order: Pick<TransferOrder, 'from' | 'names' | 'to' | 'honorGitignore'>
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly events: RunEvents
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
 * Copies files and folders from one side to the other. A file that cannot be copied is skipped and told; only
 * what stands against all of them ends the run.
 *
 * @throws TransferFailure, ChannelEnded, or the signal's reason
 */
export async function runCopy(options: RunOptions): Promise<void> {
  const { source, target, order, clock, signal, events } = options
  const [from, to] = await Promise.all([source.resolve(order.from), target.resolve(order.to)])
  const plan = await planCopy({ ...order, source, target, from, to, clock, signal, onFound: events.looking })
  for (const entry of plan.skipped) events.skipped(entry)

  const isThere = ({ taken, size, attributes }: PlannedFile): boolean =>
    taken?.size === size && inSeconds(taken.modifiedAt) === inSeconds(attributes.modifiedAt)
  const files = plan.files.filter((file) => !isThere(file))
  const conflicts = files.filter(({ taken }) => taken !== null)
  const choice = conflicts.length === 0 ? 'skip' : await events.ask(conflicts.map(({ path }) => path))
  signal.throwIfAborted()

  const wanted = files.filter((file) => isWanted(file, choice))
  const bytes = wanted.reduce((sum, { size }) => sum + size, 0)
  events.copying({ files: wanted.length, bytes })
  await requireSpace(target, to, bytes - wanted.reduce((sum, { kept }) => sum + kept, 0))
  for (const { target: folder } of plan.folders) {
    signal.throwIfAborted()
    await target.makeFolder(folder)
  }

  const budget = new ByteBudget(underWayFor(options.roundTripMs()))
  const queue = wanted.values()
  const failures: TransferProblem[] = []
  const stop = new AbortController()
  const either = AbortSignal.any([signal, stop.signal])
  async function lane(): Promise<void> {
    for (const file of queue) {
      try {
        await copyOne(file)
        events.fileDone()
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
    const replace = file.taken !== null && choice !== 'keep-both'
    const targetName = file.taken !== null && choice === 'keep-both' ? await freeName(file) : file.targetName
    if (targetName === null) return events.bytes(file.size)
    let counted = 0
    const onBytes = (more: number): void => {
      counted += more
      events.bytes(more)
    }
    try {
      await copyFile({
        source,
        target,
        file: { ...file, targetName, replace },
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
  /** `null` when a try before has copied it already. */
  async function freeName(file: PlannedFile): Promise<string | null> {
    for (let number = 2; ; number += 1) {
      const name = numberedName(file.targetName, number)
      const taken = await target.find(target.join(file.targetFolder, name))
      if (taken === null) return name
      if (isThere({ ...file, taken })) return null
    }
  }

  const results = await Promise.allSettled(Array.from({ length: lanes }, lane))
  signal.throwIfAborted()
  // The reason to stop: the other lanes' errors only follow from it.
  if (stop.signal.aborted) throw stop.signal.reason
  for (const result of results) if (result.status === 'rejected') throw result.reason
  const [first] = failures
  if (first && failures.length === wanted.length) throw new TransferFailure(first)
  // The innermost first: what is done in a folder changes its time.
  for (const { target: folder, attributes } of plan.folders.toReversed())
    await target.setAttributes(folder, attributes)
}

function underWayFor(roundTripMs: number | null): number {
  if (roundTripMs === null) return mostUnderWay
  return Math.min(mostUnderWay, Math.max(leastUnderWay, roundTripMs * bytesPerMs))
}

function isWanted({ taken, attributes }: PlannedFile, choice: ConflictChoice): boolean {
  if (taken === null) return true
  if (choice === 'replace-older') return (taken.modifiedAt ?? 0) < (attributes.modifiedAt ?? 0)
  return choice !== 'skip'
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

/** SFTP tells times in whole seconds. */
function inSeconds(at: number | null): number | null {
  return at === null ? null : Math.floor(at / 1_000)
}
