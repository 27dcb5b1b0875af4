import { TransferFailure } from '../failure.ts'
import type { FileTree } from '../file-tree.ts'

/** The folder of an instance that a push goes to. */
export interface TargetFolder {
  /** Without links and dots, as far as it is there. */
  readonly path: string
  /** It and what it is in, as far as that isn't there yet; the outermost first. */
  readonly toBeMade: readonly string[]
  /** The innermost of it that is there. */
  readonly disk: string
}

/**
 * Finds the folder, and changes nothing.
 *
 * @param wish absolute, or from the home folder, with `~/` or without
 * @throws TransferFailure, also where something else has the name; ChannelEnded
 */
export async function findTargetFolder(tree: FileTree, wish: string): Promise<TargetFolder> {
  const { names, isFromRoot } = partsOf(wish)
  const toBeMade: string[] = []
  let folder = await tree.resolve(isFromRoot ? '/' : '.')
  let disk = folder
  for (const name of names) {
    const fault = tree.whyUnusable(name)
    if (fault !== null) throw new TransferFailure({ kind: 'bad-name', side: tree.side, name, fault })
    const inner = tree.join(folder, name)
    const entry = toBeMade.length > 0 ? null : await tree.find(inner)
    if (entry === null) {
      toBeMade.push(inner)
      folder = inner
      continue
    }
    // The user named it: a link on the way to the folder leads there, unlike one within it.
    folder = entry.kind === 'link' ? await tree.resolve(inner) : inner
    const kind = entry.kind === 'link' ? (await tree.find(folder))?.kind : entry.kind
    if (kind !== 'folder') throw new TransferFailure({ kind: 'taken', side: tree.side, name })
    disk = folder
  }
  return { path: folder, toBeMade, disk }
}

/**
 * Whether one of two folders of an instance is the other one or in it, as far as that's to be seen without a connection:
 * what counts from the home folder is never compared with what counts from the root.
 */
export function doOverlap(one: string, other: string): boolean {
  const [a, b] = [partsOf(one), partsOf(other)]
  const shared = Math.min(a.names.length, b.names.length)
  return (
    a.isFromRoot === b.isFromRoot && a.names.slice(0, shared).join('/') === b.names.slice(0, shared).join('/')
  )
}

function partsOf(wish: string): { readonly names: readonly string[]; readonly isFromRoot: boolean } {
  const path = wish.replace(/^~(?:\/+|$)/, '')
  const names = path.split('/').filter((name) => name !== '' && name !== '.')
  return { names, isFromRoot: path.startsWith('/') }
}
