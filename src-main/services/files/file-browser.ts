import type { FileChange, FileChangeOutcome, FilePlace } from '../../domain/files/file-change.ts'
import type { Log } from '../../domain/base/log.ts'
import type { FileEntry, FileSide, FolderOutcome } from '../../domain/files/transfer.ts'
import { knownProblem } from './failure.ts'
import { changeFiles } from './file-changes.ts'
import type { FileTree } from './file-tree.ts'
import { mostShownEntries } from './limits.ts'
import type { Connect } from './session.ts'
import type { SessionPool } from './session-pool.ts'

export interface FileBrowserOptions {
  readonly localTree: FileTree
  readonly connect: Connect
  readonly sessions: SessionPool
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
  readonly #log: Log

  constructor({ localTree, connect, sessions, log }: FileBrowserOptions) {
    this.#localTree = localTree
    this.#connect = connect
    this.#sessions = sessions
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

  #look<T>(
    instanceId: number,
    work: (tree: FileTree) => Promise<T>,
    signal = new AbortController().signal,
  ): Promise<T> {
    return this.#sessions.use({ instanceId, purpose: 'look', connect: this.#connect, signal }, work)
  }

  #failed(error: unknown, side: FileSide, path: string): Extract<FolderOutcome, { kind: 'failed' }> {
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
  const entries = [...byName.values()].sort(byKindAndName)
  return {
    kind: 'listed',
    path: folder,
    entries: entries.slice(0, mostShownEntries),
    omitted: Math.max(0, entries.length - mostShownEntries),
  }
}

const collator = new Intl.Collator('en', { numeric: true })

function byKindAndName(a: FileEntry, b: FileEntry): number {
  const order = Number(b.kind === 'folder') - Number(a.kind === 'folder')
  return order === 0 ? collator.compare(a.name, b.name) : order
}
