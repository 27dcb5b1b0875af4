import type { Clock } from '../../domain/clock.ts'
import type { Log } from '../../domain/log.ts'
import type { FileEntry, FileSide, FolderOutcome } from '../../domain/transfer.ts'
import { createDeadline, type Deadline } from '../deadline.ts'
import { connectionProblem } from './failure.ts'
import type { FileTree } from './file-tree.ts'
import { openSftpSession, type Connect, type SftpSession } from './session.ts'

export interface FileBrowserOptions {
  readonly localTree: FileTree
  readonly connect: Connect
  readonly clock: Clock
  readonly log: Log
}

export interface Place {
  /** Empty for the home folder. */
  readonly path: string
  /** What to enter from there: the name of an entry, `..`, or `null` to stay. */
  readonly step: string | null
}

interface Kept {
  readonly session: Promise<SftpSession>
  readonly end: AbortController
  readonly idle: Deadline
}

/** More than anybody reads. */
const mostListed = 2_000
/** How long a channel is kept for the next look. */
const idleMs = 60_000

/** Looks into folders, of this computer and of instances. */
export class FileBrowser {
  readonly #options: FileBrowserOptions
  readonly #kept = new Map<number, Kept>()

  constructor(options: FileBrowserOptions) {
    this.#options = options
  }

  async listLocal(place: Place): Promise<FolderOutcome> {
    try {
      return await listing(this.#options.localTree, place)
    } catch (error) {
      return this.#failed(error, 'local', place)
    }
  }

  async listRemote(instanceId: number, place: Place): Promise<FolderOutcome> {
    const kept = this.#keep(instanceId)
    kept.idle.stop()
    try {
      const session = await kept.session
      try {
        return await listing(session.tree, place)
      } catch (error) {
        if (session.isOver()) this.#drop(instanceId, kept)
        throw await session.explain(error)
      }
    } catch (error) {
      return this.#failed(error, 'remote', place)
    } finally {
      if (this.#kept.get(instanceId) === kept) kept.idle.start()
    }
  }

  dispose(): void {
    for (const [instanceId, kept] of this.#kept) this.#drop(instanceId, kept)
  }

  #keep(instanceId: number): Kept {
    const existing = this.#kept.get(instanceId)
    if (existing) return existing
    const { connect, clock } = this.#options
    const end = new AbortController()
    const session = openSftpSession(connect, instanceId, clock, end.signal)
    const idle = createDeadline(clock, idleMs, () => this.#drop(instanceId, kept))
    const kept: Kept = { session, end, idle }
    this.#kept.set(instanceId, kept)
    // The next look tries anew.
    session.catch(() => this.#drop(instanceId, kept))
    return kept
  }

  #drop(instanceId: number, kept: Kept): void {
    if (this.#kept.get(instanceId) === kept) this.#kept.delete(instanceId)
    kept.idle.stop()
    kept.end.abort(new Error('not looked at any more'))
    kept.session.then(
      (session) => session.close(),
      () => undefined, // told where it was asked for
    )
  }

  #failed(error: unknown, side: FileSide, { path }: Place): FolderOutcome {
    const known = connectionProblem(error)
    if (known !== null) return { kind: 'failed', problem: known }
    const id = this.#options.log.error('A folder could not be listed', error)
    const detail = `an unexpected fault, in the log under ${id}`
    return { kind: 'failed', problem: { kind: 'failed', side, path, detail } }
  }
}

async function listing(tree: FileTree, { path, step }: Place): Promise<FolderOutcome> {
  const start = path === '' ? '.' : path
  const folder = await tree.resolve(step === null ? start : tree.join(start, step))
  const entries = [...(await tree.list(folder))].sort(byKindAndName)
  return {
    kind: 'listed',
    path: folder,
    entries: entries.slice(0, mostListed),
    omitted: Math.max(0, entries.length - mostListed),
  }
}

const collator = new Intl.Collator('en', { numeric: true })

function byKindAndName(a: FileEntry, b: FileEntry): number {
  const order = Number(b.kind === 'folder') - Number(a.kind === 'folder')
  return order === 0 ? collator.compare(a.name, b.name) : order
}
