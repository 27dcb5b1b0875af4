import type { Clock } from '../../domain/base/clock.ts'
import type { FileChange, FileChangeOutcome, FolderSizeOutcome } from '../../domain/files/file-change.ts'
import type { Log } from '../../domain/base/log.ts'
import type { FilePlace, FolderOutcome } from '../../domain/files/transfer.ts'
import { inFolderOrder } from './entry-order.ts'
import { knownProblem, TransferFailure } from './failure.ts'
import { changeFiles } from './file-changes.ts'
import type { FileTree } from './file-tree.ts'
import { measureFolder } from './folder-size.ts'
import { mostShownEntries } from './limits.ts'
import type { Connect } from './session.ts'
import type { SessionPool } from './session-pool.ts'

export interface FileBrowserOptions {
  readonly localTree: FileTree
  readonly connect: Connect
  readonly sessions: SessionPool
  readonly clock: Clock
  readonly log: Log
}

/** A folder, as the window names it: one that it has seen, and a step from there. */
export interface Place {
  /** Empty for the home folder. */
  readonly path: string
  /** What to enter from there: the name of an entry, `..`, or `null` to stay. */
  readonly step: string | null
}

/** Looks into folders, of this computer and of instances, and changes what is in them. */
export class FileBrowser {
  readonly #localTree: FileTree
  readonly #connect: Connect
  readonly #sessions: SessionPool
  readonly #clock: Clock
  readonly #log: Log

  constructor({ localTree, connect, sessions, clock, log }: FileBrowserOptions) {
    this.#localTree = localTree
    this.#connect = connect
    this.#sessions = sessions
    this.#clock = clock
    this.#log = log
  }

  /** Never rejects: what stood against it is in the outcome. */
  async listLocal(place: Place): Promise<FolderOutcome> {
    try {
      return await listing(this.#localTree, place)
    } catch (error) {
      return this.#failed(error, 'local', place.path)
    }
  }

  /** Connects when there is no link to the instance. Never rejects, as `listLocal`. */
  async listRemote(instanceId: number, place: Place): Promise<FolderOutcome> {
    try {
      return await this.#look(instanceId, (tree) => listing(tree, place))
    } catch (error) {
      return this.#failed(error, 'remote', place.path)
    }
  }

  /** Ends early, with what is done so far, when the signal is aborted. */
  async change(place: FilePlace, change: FileChange, signal?: AbortSignal): Promise<FileChangeOutcome> {
    const work = (tree: FileTree): Promise<void> => changeFiles(tree, change, signal)
    try {
      if (place.side === 'local') await work(this.#localTree)
      else await this.#look(place.instanceId, work, signal)
      return { kind: 'done' }
    } catch (error) {
      if (signal?.aborted === true && error === signal.reason) return { kind: 'stopped' }
      return this.#failed(error, place.side, change.folder)
    }
  }

  /** Counts what is in a folder, until the signal is aborted. Never rejects, as `listLocal`. */
  async measure(
    place: FilePlace,
    { folder, name }: { readonly folder: string; readonly name: string },
    signal?: AbortSignal,
  ): Promise<FolderSizeOutcome> {
    const leaving = signal ?? new AbortController().signal
    const work = async (tree: FileTree): Promise<FolderSizeOutcome> => {
      const fault = tree.whyUnusable(name)
      if (fault !== null) throw new TransferFailure({ kind: 'bad-name', side: tree.side, name, fault })
      const path = tree.join(folder, name)
      // A link that has taken its place would lead elsewhere.
      if ((await tree.find(path))?.kind !== 'folder')
        throw new TransferFailure({ kind: 'missing', side: tree.side, path })
      return {
        kind: 'counted',
        size: await measureFolder(tree, path, { clock: this.#clock, signal: leaving }),
      }
    }
    try {
      return place.side === 'local'
        ? await work(this.#localTree)
        : await this.#look(place.instanceId, work, leaving)
    } catch (error) {
      if (leaving.aborted && error === leaving.reason) return { kind: 'stopped' }
      return this.#failed(error, place.side, folder)
    }
  }

  #look<T>(
    instanceId: number,
    work: (tree: FileTree) => Promise<T>,
    signal = new AbortController().signal,
  ): Promise<T> {
    return this.#sessions.use({ instanceId, purpose: 'look', connect: this.#connect, signal }, work)
  }

  #failed(error: unknown, side: FilePlace['side'], path: string): Extract<FolderOutcome, { kind: 'failed' }> {
    const known = knownProblem(error)
    if (known !== null) return { kind: 'failed', problem: known }
    const id = this.#log.error('A folder could not be looked into or changed', error)
    const detail = `an unexpected fault, in the log under ${id}`
    return { kind: 'failed', problem: { kind: 'failed', side, path, detail } }
  }
}

async function listing(tree: FileTree, { path, step }: Place): Promise<FolderOutcome> {
  const start = path === '' ? '.' : path
  const folder = await tree.resolve(step === null ? start : tree.join(start, step))
  // Nothing can be asked for that has no name, or the name of another; servers list such things.
  const byName = new Map((await tree.list(folder)).map((entry) => [entry.name, entry]))
  byName.delete('')
  const entries = inFolderOrder([...byName.values()])
  return {
    kind: 'listed',
    path: folder,
    entries: entries.slice(0, mostShownEntries),
    omitted: Math.max(0, entries.length - mostShownEntries),
  }
}
