import type { Clock } from '../../domain/base/clock.ts'
import { numberedName } from '../../domain/files/file-name.ts'
import { instanceOf, type ConflictChoice, type TransferOrder } from '../../domain/files/transfer.ts'
import { copyFiles, type CopyEvents, type CopyFilesOptions } from './copy-files.ts'
import { isEqual, planCopy, type PlannedFile } from './copy-plan.ts'

/** What a run tells while it goes on. */
export interface RunEvents extends CopyEvents {
  readonly looking: (files: number) => void
  /** Asks what to do with files whose names are taken; `paths` are all of them. */
  readonly ask: (paths: readonly string[]) => Promise<ConflictChoice>
}

export interface RunOptions extends Pick<
  CopyFilesOptions,
  'source' | 'target' | 'signal' | 'written' | 'roundTripMs'
> {
  readonly order: Pick<TransferOrder, 'source' | 'from' | 'names' | 'to' | 'honorGitignore'>
  readonly clock: Clock
  readonly events: RunEvents
}

/**
 * Copies files and folders from one side to the other. A file that cannot be copied is skipped and told; only
 * what stands against all of them ends the run.
 *
 * @throws TransferFailure, ChannelEnded, or the signal's reason
 */
export async function runCopy(options: RunOptions): Promise<void> {
  const { source, target, order, clock, signal, events } = options
  const [from, to] = await Promise.all([source.resolve(order.from), target.resolve(order.to)])
  const sourceId = instanceOf(order.source)
  const wish = { ...order, from, to, excludes: [] }
  const plan = await planCopy({ ...wish, source, sourceId, target, clock, signal, onFound: events.looking })
  for (const entry of plan.skipped) events.skipped(entry)

  const isThere = (file: PlannedFile): boolean => isEqual(file, file.taken)
  const different = plan.files.filter((file) => !isThere(file))
  const conflicts = different.filter(({ taken }) => taken !== null)
  const choice = conflicts.length === 0 ? 'skip' : await events.ask(conflicts.map(({ path }) => path))
  signal.throwIfAborted()

  /** `null` when a try before has copied it already. */
  async function freeName(file: PlannedFile): Promise<string | null> {
    for (let number = 2; ; number += 1) {
      const name = numberedName(file.targetName, number)
      const taken = await target.find(target.join(file.targetFolder, name))
      if (taken === null) return name
      if (isThere({ ...file, taken })) return null
    }
  }
  const files = different.filter((file) => isWanted(file, choice))
  await copyFiles({
    ...options,
    ...{ sourceId, files, folders: plan.folders, disk: to },
    ...(choice === 'keep-both' && { nameFor: freeName }),
  })
}

function isWanted({ taken, attributes }: PlannedFile, choice: ConflictChoice): boolean {
  if (taken === null) return true
  if (choice === 'replace-older') return (taken.modifiedAt ?? 0) < (attributes.modifiedAt ?? 0)
  return choice !== 'skip'
}
