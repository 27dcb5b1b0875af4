import ignore, { type Ignore } from 'ignore'
import type { FileTree } from './file-tree.ts'

/** Decides for the entries of one folder; `inside` is for one of its folders. */
export interface IgnoreRules {
  readonly isIgnored: (name: string, isFolder: boolean) => boolean
  readonly inside: (name: string, folder: string) => Promise<IgnoreRules>
}

/** Far more than a file of patterns has. */
const longestFile = 1024 * 1024

/** Where all is to be copied. */
export const ignoreNothing: IgnoreRules = {
  isIgnored: () => false,
  inside: () => Promise.resolve(ignoreNothing),
}

interface Layer {
  readonly rules: Ignore
  /** Names from the layer's folder down to the present one. */
  readonly names: readonly string[]
}

/** What the .gitignore files leave out, from this folder down (gitignore(5)); and what is Git's own. */
export async function readIgnoreRules(tree: FileTree, folder: string): Promise<IgnoreRules> {
  return rulesOf(tree, await layersOf(tree, folder, []))
}

function rulesOf(tree: FileTree, layers: readonly Layer[]): IgnoreRules {
  return {
    isIgnored: (name, isFolder) => {
      if (name === '.git') return true
      for (const { rules, names } of layers) {
        const { ignored, unignored } = rules.test([...names, name].join('/') + (isFolder ? '/' : ''))
        if (ignored || unignored) return ignored
      }
      return false
    },
    inside: async (name, folder) => {
      const outer = layers.map(({ rules, names }) => ({ rules, names: [...names, name] }))
      return rulesOf(tree, await layersOf(tree, folder, outer))
    },
  }
}

/** The innermost first: it has the last word. */
async function layersOf(tree: FileTree, folder: string, outer: readonly Layer[]): Promise<readonly Layer[]> {
  const path = tree.join(folder, '.gitignore')
  const entry = await tree.find(path)
  if (entry?.kind !== 'file') return outer
  const reader = await tree.openToRead(path)
  try {
    const bytes = new Uint8Array(Math.min(entry.size, longestFile))
    const text = new TextDecoder().decode(bytes.subarray(0, await reader.read(0, bytes)))
    return [{ rules: ignore().add(text), names: [] }, ...outer]
  } finally {
    await reader.close()
  }
}
