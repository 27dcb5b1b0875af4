import { relative } from 'node:path'
import type { SkippedEntry, TransferProblem } from '../../../domain/files/transfer.ts'
import { copyFiles } from '../copy-files.ts'
import { isEqual } from '../copy-plan.ts'
import { TransferFailure } from '../failure.ts'
import type { FolderSync, PushOrder, PushOutcome, SyncOptions } from '../push/sync.ts'
import { findTargetFolder } from '../push/target-folder.ts'
import { findFiles, type Found, type FoundFile } from './find-files.ts'
import { planFiles } from './plan-files.ts'

type PushDone = Extract<PushOutcome, { readonly kind: 'done' }>

/** How far copying is. */
interface CopyProgress {
  readonly files: number
  readonly filesDone: number
  /** In bytes. */
  readonly bytes: number
  readonly bytesDone: number
}

interface Place {
  readonly instanceId: number
  /** A folder there; from the home on if it's relative. */
  readonly remote: string
  readonly signal: AbortSignal
}

/** Files that go to an instance for a job, and come back. */
export interface JobFiles {
  /** As `FolderSync.push`, with what came of it. @throws TransferFailure, or the signal's reason */
  readonly upload: (
    order: Place & {
      readonly local: string
      readonly exclude: readonly string[]
      readonly honorGitignore: boolean
      readonly onProgress: (progress: CopyProgress) => void
    },
  ) => Promise<Pick<PushDone, 'skipped' | 'skippedCount' | 'unsentCount'>>
  /** As `findFiles`; nothing where the folder isn't there. @throws also ConnectFailed, SshFailure */
  readonly find: (order: Place & { readonly patterns: readonly string[] }) => Promise<Found>
  /**
   * Copies files to the same paths below a folder of this computer, which is made; one that is there already is kept where
   * it's equal by size and time, else replaced once its copy is complete.
   *
   * @throws as `find`
   */
  readonly fetch: (
    order: Place & {
      readonly files: readonly FoundFile[]
      /** Paths of those that are replaced, however equal they are by size and time. */
      readonly differing: ReadonlySet<string>
      /** A folder that is there. */
      readonly base: string
      /** In it. */
      readonly local: string
      readonly onProgress: (progress: CopyProgress) => void
    },
  ) => Promise<{ readonly skipped: readonly SkippedEntry[] }>
}

export function createJobFiles(sync: FolderSync, { localTree, clock }: SyncOptions): JobFiles {
  const orderOf = ({ instanceId, remote, signal }: Place, local: string): PushOrder => ({
    ...{ instanceId, local, remote, signal },
    ...{ honorGitignore: false, excludes: [] },
  })
  return {
    upload: async ({ exclude, honorGitignore, local, onProgress, ...place }) => {
      const outcome = await sync.push({
        ...orderOf(place, local),
        ...{ honorGitignore, excludes: exclude },
        onProgress: ({ kind, ...progress }) => {
          if ('filesDone' in progress) onProgress(progress)
        },
      })
      if (outcome.kind === 'failed') throw new TransferFailure(outcome.problem)
      return outcome
    },

    find: ({ patterns, ...place }) =>
      sync.overLink(orderOf(place, '.'), async ({ tree }) => {
        const { path, toBeMade } = await findTargetFolder(tree, place.remote)
        if (toBeMade.length > 0) return { files: [], unmatched: patterns }
        const { signal } = place
        return findFiles({ tree, target: localTree, folder: path, patterns, clock, signal })
      }),

    fetch: async ({ files, differing, base, local, onProgress, ...place }) => {
      const written = new Map<string, number>()
      return sync.overLink(orderOf(place, local), async ({ tree, roundTripMs }) => {
        const { path: from, toBeMade } = await findTargetFolder(tree, place.remote)
        if (toBeMade.length > 0) throw new TransferFailure(missing(place.remote))
        const top = await localTree.resolve(base)
        const below = relative(base, local).split(/[\\/]/)
        const of = { source: tree, sourceId: place.instanceId, target: localTree }
        const plan = await planFiles({ ...of, from, base: top, below, files })
        const wanted = plan.files.filter((file) => differing.has(file.path) || !isEqual(file, file.taken))
        const skipped = [...plan.skipped]
        const total = { files: wanted.length, bytes: wanted.reduce((sum, { size }) => sum + size, 0) }
        let done = { filesDone: 0, bytesDone: 0 }
        const tell = (): void => onProgress({ ...total, ...done })
        await copyFiles({
          ...{ ...of, files: wanted, folders: plan.folders, disk: top },
          ...{ signal: place.signal, written, roundTripMs },
          events: {
            copying: tell,
            bytes: (more) => {
              done = { ...done, bytesDone: done.bytesDone + more }
              tell()
            },
            fileDone: () => {
              done = { ...done, filesDone: done.filesDone + 1 }
              tell()
            },
            skipped: (entry) => void skipped.push(entry),
            part: () => undefined,
          },
        })
        return { skipped }
      })
    },
  }
}

function missing(path: string): TransferProblem {
  return { kind: 'missing', side: 'remote', path }
}
