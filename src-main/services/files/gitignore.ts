import { basename, dirname } from 'node:path'
import type { FileEntry } from '../../domain/files/transfer.ts'
import type { FileTree } from './file-tree.ts'
import type { GitignoreFile, GitignoreThread } from './gitignore-thread.ts'

/** Decides for the entries of one folder; `inside` is for one of its folders. */
export interface IgnoreRules {
  /** Those that are left out. @throws TransferFailure */
  readonly ignored: (entries: readonly FileEntry[]) => Promise<ReadonlySet<FileEntry>>
  /** @param isChosen the folder was chosen by itself: see `IgnoreWish.honorGitignore` */
  readonly inside: (name: string, folder: string, isChosen?: boolean) => Promise<IgnoreRules>
}

/** Far more than a file of patterns has. */
const longestFile = 1024 * 1024

/** Where all is to be copied. */
export const ignoreNothing: IgnoreRules = {
  ignored: () => Promise.resolve(new Set()),
  inside: () => Promise.resolve(ignoreNothing),
}

interface Layer {
  readonly file: GitignoreFile
  /** Names from the layer's folder down to the present one. */
  readonly names: readonly string[]
}

/** What is left out of a folder. */
export interface IgnoreWish {
  /**
   * What .gitignore files name (gitignore(5)), from the repository's root down where that folder is in one, and what is
   * Git's own. Of files above a folder that was chosen, lines that name the folder itself don't count.
   */
  readonly honorGitignore: boolean
  /** What these patterns name, in the same syntax, whatever .gitignore files say; paths count from that folder. */
  readonly excludes: readonly string[]
}

/** What is left out from this folder down. */
export async function readIgnoreRules(
  tree: FileTree,
  folder: string,
  thread: GitignoreThread,
  { honorGitignore, excludes }: IgnoreWish,
): Promise<IgnoreRules> {
  if (!honorGitignore && excludes.length === 0) return ignoreNothing
  const own = excludes.length === 0 ? [] : [{ file: thread.add(folder, excludes.join('\n')), names: [] }]
  if (!honorGitignore) return patternsOf(own)
  return rulesOf(
    tree,
    thread,
    own,
    await layersOf(tree, thread, folder, await layersAbove(tree, thread, folder)),
  )
}

/** Of the folders from a repository's root down to this one, without it; the innermost first. */
async function layersAbove(
  tree: FileTree,
  thread: GitignoreThread,
  folder: string,
): Promise<readonly Layer[]> {
  // Only this computer's files are known by their absolute paths.
  if (tree.side !== 'local') return []
  const above: string[] = []
  let root = folder
  while ((await tree.find(tree.join(root, '.git'))) === null) {
    if (dirname(root) === root) return []
    above.push(root)
    root = dirname(root)
  }
  let layers: readonly Layer[] = []
  for (const at of above.toReversed()) {
    const name = basename(at)
    layers = deeper(await layersOf(tree, thread, dirname(at), layers), name)
  }
  return sparing(layers)
}

/** Without lines that name the present folder. */
async function sparing(layers: readonly Layer[]): Promise<readonly Layer[]> {
  const spared: Layer[] = []
  for (const { file, names } of layers) {
    const path = `${names.join('/')}/`
    const [said] = await file.judge([path])
    spared.push({ file: said === 'ignored' ? file.sparing(path) : file, names })
  }
  return spared
}

function patternsOf(own: readonly Layer[]): IgnoreRules {
  return {
    ignored: (entries) => ignoredBy(own, entries),
    inside: (name) => Promise.resolve(patternsOf(deeper(own, name))),
  }
}

/** @param own have the last word */
function rulesOf(
  tree: FileTree,
  thread: GitignoreThread,
  own: readonly Layer[],
  layers: readonly Layer[],
): IgnoreRules {
  return {
    ignored: async (entries) => {
      const gits = entries.filter(({ name }) => name === '.git')
      const others = entries.filter(({ name }) => name !== '.git')
      return new Set([...gits, ...(await ignoredBy([...own, ...layers], others))])
    },
    inside: async (name, folder, isChosen = false) => {
      const outer = deeper(layers, name)
      const inner = await layersOf(tree, thread, folder, isChosen ? await sparing(outer) : outer)
      return rulesOf(tree, thread, deeper(own, name), inner)
    },
  }
}

function deeper(layers: readonly Layer[], name: string): readonly Layer[] {
  return layers.map(({ file, names }) => ({ file, names: [...names, name] }))
}

async function ignoredBy(
  layers: readonly Layer[],
  entries: readonly FileEntry[],
): Promise<ReadonlySet<FileEntry>> {
  const ignored = new Set<FileEntry>()
  let open = entries
  for (const { file, names } of layers) {
    if (open.length === 0) break
    const said = await file.judge(
      open.map(({ name, kind }) => [...names, name].join('/') + (kind === 'folder' ? '/' : '')),
    )
    for (const [index, entry] of open.entries()) if (said[index] === 'ignored') ignored.add(entry)
    open = open.filter((_, index) => said[index] === 'none')
  }
  return ignored
}

/** The innermost first: it has the last word. */
async function layersOf(
  tree: FileTree,
  thread: GitignoreThread,
  folder: string,
  outer: readonly Layer[],
): Promise<readonly Layer[]> {
  const path = tree.join(folder, '.gitignore')
  const entry = await tree.find(path)
  if (entry?.kind !== 'file') return outer
  const reader = await tree.openToRead(path)
  try {
    const bytes = new Uint8Array(Math.min(entry.size, longestFile))
    const text = new TextDecoder().decode(bytes.subarray(0, await reader.read(0, bytes)))
    return [{ file: thread.add(path, text), names: [] }, ...outer]
  } finally {
    await reader.close()
  }
}
