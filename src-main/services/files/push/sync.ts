import type { Clock } from '../../../domain/base/clock.ts'
import type { Log } from '../../../domain/base/log.ts'
import type { SkippedEntry, TransferProblem } from '../../../domain/files/transfer.ts'
import type { Connections } from '../../ssh/connection/connections.ts'
import { copyFiles } from '../copy-files.ts'
import { isEqual, planCopy, type Plan, type PlannedFile, type PlanTarget } from '../copy-plan.ts'
import type { CopySession } from '../copy-session.ts'
import { knownProblem, skipReason, TransferFailure } from '../failure.ts'
import type { FileTree } from '../file-tree.ts'
import type { IgnoreWish } from '../gitignore.ts'
import { mostNamed } from '../limits.ts'
import { partNamePattern } from '../part-name.ts'
import type { Connect, ConnectApart } from '../session.ts'
import type { SessionPool } from '../session-pool.ts'
import { shortenedPath } from '../shortened.ts'
import { overLink } from './over-link.ts'
import { stampThere } from './push-decision.ts'
import { findTargetFolder, type TargetFolder } from './target-folder.ts'

export interface SyncOptions {
  readonly localTree: FileTree
  readonly sessions: SessionPool
  readonly connections: {
    readonly acquire: (...how: Parameters<Connections['acquire']>) => ReturnType<Connect>
    readonly openApart: ConnectApart
    readonly regain: Connect
  }
  readonly clock: Clock
  readonly log: Log
}

/** A folder of this computer, and the one of an instance that is to be like it. */
export interface PushOrder extends IgnoreWish {
  readonly instanceId: number
  /** A folder of this computer. */
  readonly local: string
  /** Absolute, or from the home folder (`~/app`); made where it isn't there yet. */
  readonly remote: string
  /** `quiet`: it fails where the user would have to be asked for the connection. */
  readonly manner?: 'asking' | 'quiet'
  /** Whether a lost link is waited for; by default it is, as long as only that stands against it. */
  readonly isRegained?: boolean
  /** With a `Canceled` as its reason, half files are removed; with any other they stay for the next push. */
  readonly signal: AbortSignal
  readonly onProgress?: (progress: PushProgress) => void
}

/** Where a push stands. */
export type PushProgress =
  | { readonly kind: 'connecting' | 'reconnecting' }
  /** So many files were found here. */
  | { readonly kind: 'looking'; readonly files: number }
  | {
      readonly kind: 'copying'
      readonly files: number
      readonly filesDone: number
      /** In bytes. */
      readonly bytes: number
      readonly bytesDone: number
    }

/** What came of a push. */
export type PushOutcome =
  | {
      readonly kind: 'done'
      /** Those that were sent, because they differed, as far as the instance has said that they arrived. */
      readonly files: number
      readonly bytes: number
      /** What couldn't be sent, the first of it by name, then what is never sent; and how many there are of both. */
      readonly skipped: readonly SkippedEntry[]
      readonly skippedCount: number
      /** Those of them that couldn't be sent: neither links nor special files. */
      readonly unsentCount: number
    }
  /** What was sent before stays, and a later push goes on from there. */
  | { readonly kind: 'failed'; readonly problem: TransferProblem }

/** How a push is planned. */
export interface PlanHow {
  /** What is there; by default, what is looked at there. */
  readonly look?: (tree: FileTree, target: TargetFolder) => PlanTarget
  /** A folder here, none of which is left out. */
  readonly onFolder?: (path: string) => void
}

/** What differs between two folders. */
export interface PlannedPush {
  /** The folder here, without links. */
  readonly from: string
  readonly target: TargetFolder
  readonly plan: Plan
}

/** What is to be done with a plan, for `FolderSync.send`. */
export interface Sending {
  readonly files: readonly PlannedFile[]
  readonly folders: Plan['folders']
  readonly target: TargetFolder
  /** Whether what is replaced must still be as the plan has seen it. */
  readonly isSeenAgain: boolean
  /** It has its name there. Comes once more for one that was written here meanwhile, as it was sent then. */
  readonly onSent?: (file: PlannedFile) => void
  readonly onSkipped: (entry: SkippedEntry) => void
}

/** What Slipway itself puts into a folder: half files of downloads, and outputs of jobs (`services/jobs/job-folders.ts`). */
const ownFiles: readonly string[] = [partNamePattern, '/slipway-outputs/']

/** For what is written without a pause, such as a log: a later push sends it once more. */
const mostRounds = 3

/**
 * Sends what differs from a folder of this computer to a folder of an instance, over the transfers' sessions. Files are
 * equal by size and time (in whole seconds, as SFTP tells them; a copy takes the time over). Nothing is deleted there.
 * Links and special files are left out and told; a link within the folder there is never followed.
 */
export class FolderSync {
  readonly #options: SyncOptions
  /** Pushes that send now. */
  readonly #sending = new Map<symbol, number>()

  constructor(options: SyncOptions) {
    this.#options = options
  }

  /** Instances that files are being pushed to now. */
  get connected(): readonly number[] {
    return [...this.#sending.values()]
  }

  /**
   * Pushes without a question: whatever has the name of a file that differs is replaced. What is broken off by a lost
   * link goes on when there is one again, up to five times in a row; a later call sends what is still missing.
   *
   * @returns also how it failed, where that was to be expected: see {@link TransferProblem}
   * @throws the signal's reason once that is aborted; else only what is a bug
   */
  async push(order: PushOrder): Promise<PushOutcome> {
    const written = new Map<string, number>()
    // Of all tries.
    const sent = new Set<string>()
    let bytes = 0
    try {
      return await this.overLink(order, async (session) => {
        const { plan, target } = await this.plan(order, session)
        const files = plan.files.filter((file) => !isEqual(file, file.taken))
        const unsent: SkippedEntry[] = []
        const others: SkippedEntry[] = []
        let skippedCount = 0
        let unsentCount = 0
        const onSkipped = ({ path, reason }: SkippedEntry): void => {
          const isUnsent = reason.kind !== 'link' && reason.kind !== 'not-a-file'
          skippedCount += 1
          if (isUnsent) unsentCount += 1
          const named = isUnsent ? unsent : others
          if (named.length < mostNamed) named.push({ path: shortenedPath(path), reason })
        }
        for (const entry of plan.skipped) onSkipped(entry)
        const onSent = ({ path, size }: PlannedFile): void => {
          sent.add(path)
          bytes += size
        }
        const sending = { files, folders: plan.folders, target, isSeenAgain: false, onSent, onSkipped }
        await this.send(order, session, sending, written)
        const skipped = [...unsent, ...others].slice(0, mostNamed)
        return { kind: 'done', files: sent.size, bytes, skipped, skippedCount, unsentCount }
      })
    } catch (error) {
      order.signal.throwIfAborted()
      const problem = knownProblem(error)
      if (problem === null) throw error
      return { kind: 'failed', problem }
    }
  }

  /** As {@link overLink} of the order's instance. */
  overLink<T>(order: PushOrder, work: (session: CopySession) => Promise<T>): Promise<T> {
    const { sessions, connections, clock, log } = this.#options
    const { instanceId, signal, manner = 'asking', isRegained = true, onProgress } = order
    return overLink(
      {
        ...{ instanceId, sessions, clock, log, signal },
        connect: (id, until) => connections.acquire(id, until, manner),
        connectApart: connections.openApart,
        regain: isRegained ? connections.regain : null,
        onTry: (kind) => onProgress?.({ kind }),
      },
      work,
    )
  }

  /** Looks through both folders; nothing is changed. @throws as `planCopy` */
  async plan(order: PushOrder, { tree }: Pick<CopySession, 'tree'>, how: PlanHow = {}): Promise<PlannedPush> {
    const [from, target] = await Promise.all([
      this.#options.localTree.resolve(order.local),
      findTargetFolder(tree, order.remote),
    ])
    const there = how.look?.(tree, target) ?? tree
    return { from, target, plan: await this.#planTo(order, from, target, there, how) }
  }

  /**
   * Looks through the folder here, and takes what is there from `known`. No connection is needed.
   *
   * @param known of a folder whose path is empty
   */
  async planHere(
    order: PushOrder,
    known: PlanTarget,
    how: Pick<PlanHow, 'onFolder'>,
  ): Promise<Pick<PlannedPush, 'from' | 'plan'>> {
    const from = await this.#options.localTree.resolve(order.local)
    return { from, plan: await this.#planTo(order, from, { path: '', toBeMade: [] }, known, how) }
  }

  #planTo(
    { honorGitignore, excludes, signal, onProgress }: PushOrder,
    from: string,
    { path: to, toBeMade }: Pick<TargetFolder, 'path' | 'toBeMade'>,
    target: PlanTarget,
    { onFolder }: Pick<PlanHow, 'onFolder'>,
  ): Promise<Plan> {
    const { localTree, clock } = this.#options
    return planCopy({
      ...{ source: localTree, target, from, names: null, to, toBeMade },
      ...{ honorGitignore, excludes: [...ownFiles, ...excludes], clock, signal },
      ...(onFolder && { onFolder }),
      onFound: (files) => onProgress?.({ kind: 'looking', files }),
    })
  }

  /**
   * A file that is written here while it is sent is sent again, up to three times in all.
   *
   * @param written as of `CopyOptions`, for all tries of one push
   * @throws as `copyFiles`
   */
  async send(
    { instanceId, signal, onProgress }: PushOrder,
    { tree, roundTripMs }: CopySession,
    { files, folders, target, isSeenAgain, onSent, onSkipped }: Sending,
    written: Map<string, number>,
  ): Promise<void> {
    const source = this.#options.localTree
    let total = { files: 0, bytes: 0 }
    let filesDone = 0
    let bytesDone = 0
    const tell = (): void => onProgress?.({ kind: 'copying', ...total, filesDone, bytesDone })
    const push = Symbol('push')
    this.#sending.set(push, instanceId)
    try {
      let rest = files
      for (let round = 1; round === 1 || (rest.length > 0 && round <= mostRounds); round += 1) {
        const arrived: PlannedFile[] = []
        const shrunk = new Set<string>()
        let failed = 0
        const mayShrink = round < mostRounds
        await copyFiles({
          ...{ source, target: tree, files: rest, folders: round === 1 ? folders : [], disk: target.disk },
          ...{ isSeenAgain, signal, written, roundTripMs },
          events: {
            copying: (more) => {
              total = { files: total.files + more.files, bytes: total.bytes + more.bytes }
              tell()
            },
            bytes: (more) => {
              bytesDone += more
              tell()
            },
            fileDone: (file) => {
              filesDone += 1
              arrived.push(file)
              onSent?.(file)
              tell()
            },
            skipped: (entry) => {
              failed += 1
              if (mayShrink && entry.reason.kind === 'shrunk') shrunk.add(entry.path)
              else onSkipped(entry)
            },
            part: () => undefined,
          },
        }).catch((error: unknown) => {
          // Each by itself, which was told: what else was to be sent is there, or these are sent again.
          const isTold = failed === rest.length && (round > 1 || shrunk.size > 0)
          if (signal.aborted || !isTold) throw error
        })
        rest = [
          ...(await asTheyAre(
            source,
            rest.filter(({ path }) => shrunk.has(path)),
            onSkipped,
          )),
          ...(await writtenSince(source, arrived, onSkipped)),
        ]
      }
    } finally {
      this.#sending.delete(push)
    }
  }
}

/** Those that aren't what was sent any more, as they are now. */
async function writtenSince(
  source: FileTree,
  sent: readonly PlannedFile[],
  onSkipped: Sending['onSkipped'],
): Promise<readonly PlannedFile[]> {
  const there = sent.map((file): PlannedFile => {
    const stamp = stampThere({ size: file.size, modifiedAt: file.attributes.modifiedAt })
    return { ...file, taken: { name: file.targetName, kind: 'file', mode: null, ...stamp } }
  })
  const now = await asTheyAre(source, there, onSkipped)
  const before = new Map(sent.map((file) => [file.path, file]))
  return now.filter((file) => {
    const { size, attributes } = before.get(file.path) ?? file
    return file.size !== size || file.attributes.modifiedAt !== attributes.modifiedAt
  })
}

/** As they are here now, without those that are gone, or can't be looked at. */
async function asTheyAre(
  source: FileTree,
  files: readonly PlannedFile[],
  onSkipped: Sending['onSkipped'],
): Promise<readonly PlannedFile[]> {
  const found: PlannedFile[] = []
  for (const file of files) {
    try {
      const now = await source.find(file.source)
      if (now?.kind !== 'file') continue
      const { size, mode, modifiedAt } = now
      found.push({ ...file, size, attributes: { mode, modifiedAt }, kept: 0 })
    } catch (error) {
      if (!(error instanceof TransferFailure)) throw error
      onSkipped({ path: file.path, reason: skipReason(error.problem) })
    }
  }
  return found
}
