import type { FileEntry, SkippedEntry } from '../../../domain/files/transfer.ts'
import type { PlannedFile, PlannedFolder } from '../copy-plan.ts'
import type { FileTree } from '../file-tree.ts'
import { partName } from '../part-name.ts'
import { shortenedPath } from '../shortened.ts'
import type { FoundFile } from './find-files.ts'

export interface PlanFilesOptions {
  readonly source: FileTree
  readonly sourceId: number
  /** Without links and dots. */
  readonly from: string
  readonly target: FileTree
  /** A folder that is there. */
  readonly base: string
  /** Below it, for the files. */
  readonly below: readonly string[]
  readonly files: readonly FoundFile[]
}

interface FilesPlan {
  readonly files: readonly PlannedFile[]
  readonly folders: readonly PlannedFolder[]
  readonly skipped: readonly SkippedEntry[]
}

const noAttributes = { mode: null, modifiedAt: null }

/** What it takes to have files at the same paths below a folder. Nothing is changed. @throws TransferFailure */
export async function planFiles(options: PlanFilesOptions): Promise<FilesPlan> {
  const { source, sourceId, from, target, base, below } = options
  const files: PlannedFile[] = []
  const folders: PlannedFolder[] = []
  const skipped: SkippedEntry[] = []
  /** What is in folders on the way, by the key of its path; `null` for one that is to be made. */
  const known = new Map<string, ReadonlyMap<string, FileEntry> | null>()
  const used = new Set<string>()
  const keyOf = (names: readonly string[]): string => names.map(target.nameKey).join('/')

  async function enter(
    names: readonly string[],
    path: string,
  ): Promise<ReadonlyMap<string, FileEntry> | null> {
    const key = keyOf(names)
    const before = known.get(key)
    if (before !== undefined) return before
    const entry = await target.find(path)
    if (entry === null) folders.push({ target: path, attributes: noAttributes })
    const list = entry === null ? null : await target.list(path)
    const entries = list && new Map(list.map((each) => [target.nameKey(each.name), each]))
    known.set(key, entries)
    return entries
  }

  for (const file of options.files) {
    const { path: shown, size, mode, modifiedAt, fault } = file
    const skip = (reason: SkippedEntry['reason']): void =>
      void skipped.push({ path: shortenedPath(shown), reason })
    if (fault !== null) {
      skip(fault)
      continue
    }
    const parents = shown.split('/')
    const name = parents.pop() ?? ''
    const names = [...below, ...parents]
    const key = keyOf([...names, name])
    // Where names differ only as this computer doesn't tell them apart.
    if (
      used.has(key) ||
      known.has(key) ||
      names.some((_, index) => used.has(keyOf(names.slice(0, index + 1))))
    ) {
      skip({ kind: 'same-name' })
      continue
    }
    used.add(key)
    let folder = base
    let taken: FileEntry | null = null
    let kept = 0
    const path = [from, ...parents, name].reduce((outer, inner) => source.join(outer, inner))
    for (const [index, each] of names.entries()) {
      folder = target.join(folder, each)
      const entries = await enter(names.slice(0, index + 1), folder)
      if (index < names.length - 1) continue
      taken = entries?.get(target.nameKey(name)) ?? null
      const half = partName(name, { instanceId: sourceId, path, size, modifiedAt })
      kept = entries?.get(target.nameKey(half))?.size ?? 0
    }
    if (taken !== null && taken.kind !== 'file') {
      skip({ kind: 'other-kind', taken: taken.kind })
      continue
    }
    files.push({
      source: path,
      path: shown,
      size,
      attributes: { mode, modifiedAt },
      targetFolder: folder,
      targetName: name,
      taken,
      kept: kept <= size ? kept : 0,
    })
  }
  return { files, folders, skipped }
}
