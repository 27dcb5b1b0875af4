import type { FileEntry } from '../../domain/files/transfer.ts'
import type { FileTree } from './file-tree.ts'
import type { GitignoreFile, GitignoreThread } from './gitignore-thread.ts'

/** Decides for the entries of one folder; `inside` is for one of its folders. */
export interface IgnoreRules {
  /** Those that are left out. @throws TransferFailure */
  readonly ignored: (entries: readonly FileEntry[]) => Promise<ReadonlySet<FileEntry>>
  readonly inside: (name: string, folder: string) => Promise<IgnoreRules>
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

/** What the .gitignore files leave out, from this folder down (gitignore(5)); and what is Git's own. */
export async function readIgnoreRules(
  tree: FileTree,
  folder: string,
  thread: GitignoreThread,
): Promise<IgnoreRules> {
  return rulesOf(tree, thread, await layersOf(tree, thread, folder, []))
}

function rulesOf(tree: FileTree, thread: GitignoreThread, layers: readonly Layer[]): IgnoreRules {
  return {
    ignored: async (entries) => {
      const ignored = new Set(entries.filter(({ name }) => name === '.git'))
      let open = entries.filter((entry) => !ignored.has(entry))
      for (const { file, names } of layers) {
        if (open.length === 0) break
        const said = await file.judge(
          open.map(({ name, kind }) => [...names, name].join('/') + (kind === 'folder' ? '/' : '')),
        )
        for (const [index, entry] of open.entries()) if (said[index] === 'ignored') ignored.add(entry)
        open = open.filter((_, index) => said[index] === 'none')
      }
      return ignored
    },
    inside: async (name, folder) => {
      const outer = layers.map(({ file, names }) => ({ file, names: [...names, name] }))
      return rulesOf(tree, thread, await layersOf(tree, thread, folder, outer))
    },
  }
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
