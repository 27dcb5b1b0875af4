import type { SkippedEntry } from '../../../domain/files/transfer.ts'
import type { Plan, PlannedFile } from '../copy-plan.ts'
import type { FileTree } from '../file-tree.ts'
import { TransferFailure } from '../failure.ts'
import { decide, isSame, type Decision, type FileStamp, type PushedFile } from './push-decision.ts'
import type { PushedLine } from './pushed-files.ts'
import type { TargetFolder } from './target-folder.ts'

/** Answers that are waited for at the same time. */
const atOnce = 16

/** A file that was pushed and is gone here, and how it is there. */
export interface GoneFile {
  readonly path: string
  readonly there: FileStamp
}

/** How two folders differ, by what was pushed before. */
export interface Comparison {
  readonly target: TargetFolder
  /** Nothing is in their way there. */
  readonly added: readonly PlannedFile[]
  readonly changed: readonly PlannedFile[]
  readonly conflicts: readonly PlannedFile[]
  readonly changedThere: readonly PlannedFile[]
  readonly gone: readonly GoneFile[]
  /** To be made there, each after the one that it is in. */
  readonly folders: Plan['folders']
  readonly skipped: readonly SkippedEntry[]
  readonly ignoring: Plan['ignoring']
  /** What is known now, and wasn't. */
  readonly lines: readonly PushedLine[]
}

export interface CompareOptions {
  readonly localTree: FileTree
  /** Of the instance. */
  readonly tree: FileTree
  /** The folder here, without links. */
  readonly from: string
  readonly plan: Plan
  readonly target: TargetFolder
  readonly pushed: ReadonlyMap<string, PushedFile>
  /** Of what was pushed, what is looked for where it isn't here any more; by default all. */
  readonly mayBeGone?: (path: string) => boolean
  readonly signal: AbortSignal
}

/** Decides for each file of a plan, and for what was pushed and isn't in it. @throws as a FileTree */
export async function compareTrees(options: CompareOptions): Promise<Comparison> {
  const { plan, target, pushed } = options
  const added: PlannedFile[] = []
  const changed: PlannedFile[] = []
  const conflicts: PlannedFile[] = []
  const changedThere: PlannedFile[] = []
  const lines: PushedLine[] = []
  const lists: Partial<Record<Decision, PlannedFile[]>> = {
    ...{ new: added, changed, conflict: conflicts, 'changed-there': changedThere },
  }
  for (const file of plan.files) {
    const last = pushed.get(file.path) ?? null
    const here = stampOf(file)
    const { taken } = file
    const there = taken === null ? null : { size: taken.size, modifiedAt: taken.modifiedAt }
    const decision = decide(here, there, last)
    if (decision === 'found' && there !== null)
      lines.push({ path: file.path, file: { here, there, how: last?.how === 'sent' ? 'sent' : 'found' } })
    else lists[decision]?.push(file)
  }
  const gone: GoneFile[] = []
  for (const { path, there } of await goneFiles(options)) {
    if (there !== null && decide(null, there, pushed.get(path) ?? null) === 'gone') gone.push({ path, there })
    else lines.push({ path, file: null })
  }
  return { ...{ target, added, changed, conflicts, changedThere, gone, lines }, ...plan }
}

/** The path on that side of what a project calls `path`; the folder itself is called by nothing. */
export function pathIn({ join }: Pick<FileTree, 'join'>, root: string, path: string): string {
  return path === '' ? root : path.split('/').reduce((folder, name) => join(folder, name), root)
}

/** How a file is here. */
export function stampOf({ size, attributes }: Pick<PlannedFile, 'size' | 'attributes'>): FileStamp {
  return { size, modifiedAt: attributes.modifiedAt }
}

/** Paths that were pushed of what isn't here any more. What is only left out now is still here. */
export async function pathsGone({
  localTree,
  from,
  plan,
  pushed,
  mayBeGone = () => true,
  signal,
}: Omit<CompareOptions, 'tree' | 'target'>): Promise<readonly string[]> {
  const planned = new Set(plan.files.map(({ path }) => path))
  const gone: string[] = []
  await inLanes(
    [...pushed.keys()].filter((path) => !planned.has(path) && mayBeGone(path)),
    signal,
    async (path) => {
      const here = await localTree.find(pathIn(localTree, from, path))
      if (here === null) gone.push(path)
    },
  )
  return gone.toSorted()
}

interface FoundThere {
  readonly path: string
  readonly there: FileStamp | null
}

async function goneFiles(options: CompareOptions): Promise<readonly FoundThere[]> {
  const found: FoundThere[] = []
  const look = lookWithin(options.tree, options.target)
  await inLanes(await pathsGone(options), options.signal, async (path) => {
    found.push({ path, there: await look(path) })
  })
  return found.toSorted((one, other) => (one.path < other.path ? -1 : 1))
}

/** Finds files in a folder there; never over a link in it. */
export function lookWithin(
  tree: FileTree,
  target: TargetFolder,
): (path: string) => Promise<FileStamp | null> {
  const folders = new Map<string, Promise<boolean>>()
  const isFolder = (path: string): Promise<boolean> => {
    const asked = folders.get(path) ?? tree.find(path).then((entry) => entry?.kind === 'folder')
    folders.set(path, asked)
    return asked
  }
  return async (path) => {
    if (target.toBeMade.length > 0) return null
    const names = path.split('/')
    let folder = target.path
    for (const name of names.slice(0, -1)) {
      folder = tree.join(folder, name)
      if (!(await isFolder(folder))) return null
    }
    const entry = await tree.find(tree.join(folder, names.at(-1) ?? ''))
    return entry?.kind === 'file' ? { size: entry.size, modifiedAt: entry.modifiedAt } : null
  }
}

/** Deletes what is gone here, as far as it still is and is the same there, and folders that are left empty by that. */
export async function removeGone(
  { localTree, tree, from, target, signal }: Omit<CompareOptions, 'plan' | 'pushed'>,
  gone: readonly GoneFile[],
  onRemoved: (path: string) => void,
): Promise<void> {
  const look = lookWithin(tree, target)
  const emptied = new Set<string>()
  await inLanes(gone, signal, async ({ path, there }) => {
    const now = await look(path)
    if (now === null || !isSame(now, there)) return
    // It may have been put back: a branch was changed and changed again, or a disk is back.
    if ((await localTree.find(pathIn(localTree, from, path))) !== null) return
    const names = path.split('/')
    await tree.removeFile(pathIn(tree, target.path, path))
    onRemoved(path)
    for (let depth = names.length - 1; depth > 0; depth -= 1) emptied.add(names.slice(0, depth).join('/'))
  })
  // The innermost first.
  for (const path of [...emptied].toSorted((one, other) => other.split('/').length - one.split('/').length)) {
    signal.throwIfAborted()
    if ((await localTree.find(pathIn(localTree, from, path))) !== null) continue
    const there = pathIn(tree, target.path, path)
    await removeIfEmpty(tree, there).catch(itStays)
  }
}

async function removeIfEmpty(
  tree: Pick<FileTree, 'list' | 'removeEmptyFolder'>,
  folder: string,
): Promise<void> {
  if ((await tree.list(folder)).length === 0) await tree.removeEmptyFolder(folder)
}

/** Something came into it, or it's gone or closed to the user there. */
function itStays(error: unknown): void {
  if (!(error instanceof TransferFailure)) throw error
}

/** Does the work for each, some at the same time. @throws what the first that failed threw, or the signal's reason */
export async function inLanes<T>(
  items: readonly T[],
  signal: AbortSignal,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items.values()
  async function lane(): Promise<void> {
    for (const item of queue) {
      signal.throwIfAborted()
      await work(item)
    }
  }
  const lanes = await Promise.allSettled(Array.from({ length: atOnce }, lane))
  for (const result of lanes) if (result.status === 'rejected') throw result.reason
}
