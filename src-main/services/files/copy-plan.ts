import type { Clock } from '../../domain/base/clock.ts'
import type { FileEntry, SkippedEntry, SkipReason } from '../../domain/files/transfer.ts'
import { TransferFailure } from './failure.ts'
import type { FileAttributes, FileTree } from './file-tree.ts'
import { ignoreNothing, readIgnoreRules, type IgnoreRules, type IgnoreWish } from './gitignore.ts'
import { GitignoreThread } from './gitignore-thread.ts'
import { deepestFolder, entryCost, longestPathBytes, mostPlanned, mostPlannedCharacters } from './limits.ts'
import { partName } from './part-name.ts'
import { shortenedPath } from './shortened.ts'

/** A file that is to be copied. */
export interface PlannedFile {
  readonly source: string
  /** As shown, from the folder that was chosen. */
  readonly path: string
  readonly size: number
  readonly attributes: FileAttributes
  readonly targetFolder: string
  readonly targetName: string
  /** The file that has the name now. */
  readonly taken: FileEntry | null
  /** Bytes of it that a try before has left there. */
  readonly kept: number
}

/** A folder that is to be made. */
export interface PlannedFolder {
  readonly target: string
  readonly attributes: FileAttributes
}

/** What a copy is going to do, and what it leaves out. */
export interface Plan {
  readonly files: readonly PlannedFile[]
  /** Those to be made, each after the one that it is in. */
  readonly folders: readonly PlannedFolder[]
  readonly skipped: readonly SkippedEntry[]
  /** What stands for the text of each .gitignore file that was read, by its path; and of the patterns, by the folder's. */
  readonly ignoring: ReadonlyMap<string, string>
}

/** What a plan has to know of where a copy goes. */
export type PlanTarget = Pick<FileTree, 'list' | 'join' | 'nameKey' | 'whyUnusable'>

export interface PlanOptions extends IgnoreWish {
  readonly source: FileTree
  /** The instance whose files these are; without it, they're of this computer. */
  readonly sourceId?: number | null
  readonly target: PlanTarget
  readonly from: string
  /** What is copied of `from`, chosen by itself; `null` for all in it, as far as it isn't left out. */
  readonly names: readonly string[] | null
  readonly to: string
  /** `to` and what it is in, as far as that isn't there yet; the outermost first. */
  readonly toBeMade?: readonly string[]
  readonly clock: Clock
  readonly signal: AbortSignal
  /** So many files so far. */
  readonly onFound: (files: number) => void
  /** A folder of the source, whose entries are about to be planned. */
  readonly onFolder?: (path: string) => void
}

/**
 * Looks through what is to be copied, and through where it goes. Nothing is changed.
 *
 * @throws TransferFailure, ChannelEnded, or the signal's reason
 */
export async function planCopy(options: PlanOptions): Promise<Plan> {
  const { source, sourceId = null, target, from, to, toBeMade = [], clock, signal, onFound } = options
  const isChosen = options.names !== null
  const files: PlannedFile[] = []
  const folders: PlannedFolder[] = toBeMade.map((folder) => ({ target: folder, attributes: noAttributes }))
  const skipped: SkippedEntry[] = []
  let characters = 0

  /** @throws TransferFailure too-many, when all that is planned would take too much memory */
  function count(path: string, shown: string): void {
    characters += path.length + shown.length + entryCost
    if (files.length + folders.length > mostPlanned || characters > mostPlannedCharacters)
      throw new TransferFailure({ kind: 'too-many', side: source.side, path })
  }

  async function walk(entries: readonly Found[], place: Place): Promise<void> {
    signal.throwIfAborted()
    const used = new Set<string>()
    // What was chosen by itself is wanted.
    const areChosen = isChosen && place.names.length === 0
    const rules = areChosen ? ignoreNothing : place.rules
    const ignored = await rules.ignored(entries.map(({ entry }) => entry))
    for (const { entry, source: path } of entries) {
      const names = [...place.names, entry.name]
      const shown = names.join('/')
      const skip = (reason: SkipReason): void => void skipped.push({ path: shortenedPath(shown), reason })
      const isFolder = entry.kind === 'folder'
      if (ignored.has(entry)) continue
      count(path, shown)
      const unusable = source.whyUnusable(entry.name) ?? target.whyUnusable(entry.name)
      const key = target.nameKey(entry.name)
      const taken = place.taken.get(key) ?? null
      const attributes = { mode: entry.mode, modifiedAt: entry.modifiedAt }
      if (unusable !== null) skip({ kind: 'bad-name', fault: unusable })
      else if (entry.kind === 'link') skip({ kind: 'link' })
      else if (entry.kind === 'other') skip({ kind: 'not-a-file' })
      else if (used.has(key)) skip({ kind: 'same-name' })
      else if (taken !== null && taken.kind !== entry.kind) skip({ kind: 'other-kind', taken: taken.kind })
      else if (isTooLong(path) || isTooLong(target.join(place.target, entry.name)))
        skip({ kind: 'path-too-long' })
      else if (isFolder) {
        const inner = target.join(place.target, entry.name)
        if (names.length > deepestFolder)
          throw new TransferFailure({ kind: 'too-many', side: source.side, path })
        if (taken === null) folders.push({ target: inner, attributes })
        options.onFolder?.(path)
        await walk(await foundIn(source, path), {
          names,
          target: inner,
          taken: taken === null ? new Map() : await takenNames(inner),
          rules: await place.rules.inside(entry.name, path, areChosen),
        })
      } else {
        const { size, modifiedAt } = entry
        const half = partName(entry.name, { instanceId: sourceId, path, size, modifiedAt })
        const part = place.taken.get(target.nameKey(half))
        files.push({
          source: path,
          path: shown,
          size,
          attributes,
          targetFolder: place.target,
          targetName: entry.name,
          taken,
          kept: part !== undefined && part.size <= size ? part.size : 0,
        })
        onFound(files.length)
      }
      used.add(key)
    }
  }

  async function takenNames(folder: string): Promise<ReadonlyMap<string, FileEntry>> {
    return new Map((await target.list(folder)).map((entry) => [target.nameKey(entry.name), entry]))
  }

  const gitignore = new GitignoreThread(clock, signal)
  try {
    const { names } = options
    if (names === null) options.onFolder?.(from)
    await walk(names === null ? await foundIn(source, from) : await chosenEntries(options, names), {
      names: [],
      target: to,
      taken: toBeMade.length > 0 ? new Map() : await takenNames(to),
      rules: await readIgnoreRules(source, from, gitignore, options),
    })
  } finally {
    await gitignore.end()
  }
  return { files, folders, skipped, ignoring: gitignore.taken }
}

/** Whether what has the name is taken for the file itself: by its size and its time, which SFTP tells in whole seconds. */
export function isEqual(
  { size, attributes }: Pick<PlannedFile, 'size' | 'attributes'>,
  taken: Pick<FileEntry, 'size' | 'modifiedAt'> | null,
): boolean {
  return taken?.size === size && inSeconds(taken.modifiedAt) === inSeconds(attributes.modifiedAt)
}

function inSeconds(at: number | null): number | null {
  return at === null ? null : Math.floor(at / 1_000)
}

function isTooLong(path: string): boolean {
  return Buffer.byteLength(path) > longestPathBytes
}

const noAttributes: FileAttributes = { mode: null, modifiedAt: null }

interface Found {
  readonly entry: FileEntry
  readonly source: string
}

interface Place {
  readonly names: readonly string[]
  readonly target: string
  readonly taken: ReadonlyMap<string, FileEntry>
  readonly rules: IgnoreRules
}

async function foundIn(source: FileTree, folder: string): Promise<readonly Found[]> {
  return (await source.list(folder)).map((entry) => ({ entry, source: source.join(folder, entry.name) }))
}

/** A link that was chosen by itself is followed; one that is found in a folder is not. */
async function chosenEntries(
  { source, from }: PlanOptions,
  names: readonly string[],
): Promise<readonly Found[]> {
  return Promise.all(
    names.map(async (name) => {
      const path = source.join(from, name)
      // The window sends names that main has listed; a path among them would lead elsewhere.
      if (source.whyUnusable(name) !== null) return { entry: nothingUsable(name), source: path }
      const entry = await source.find(path)
      if (entry === null) throw new TransferFailure({ kind: 'missing', side: source.side, path })
      if (entry.kind !== 'link') return { entry, source: path }
      const real = await source.resolve(path)
      const linked = await source.find(real)
      if (linked === null) throw new TransferFailure({ kind: 'missing', side: source.side, path: real })
      return { entry: { ...linked, name }, source: real }
    }),
  )
}

function nothingUsable(name: string): FileEntry {
  return { name, kind: 'other', size: 0, modifiedAt: null, mode: null }
}
