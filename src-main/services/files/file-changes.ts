import { assertNever } from '../../domain/base/assert-never.ts'
import type { FileChange } from '../../domain/files/file-change.ts'
import { TransferFailure } from './failure.ts'
import type { FileTree } from './file-tree.ts'

/**
 * Changes what is in a folder. Nothing that is there loses its name to something else.
 *
 * @throws TransferFailure, ChannelEnded, or the signal's reason
 */
export async function changeFiles(tree: FileTree, change: FileChange, signal?: AbortSignal): Promise<void> {
  switch (change.kind) {
    case 'make-folder':
      await requireFree(tree, change.folder, change.name)
      return tree.makeFolder(tree.join(change.folder, change.name))
    case 'rename':
      return rename(tree, change)
    case 'remove':
      return remove(tree, change, signal)
    default:
      return assertNever(change)
  }
}

async function rename(
  tree: FileTree,
  { folder, name, to }: Extract<FileChange, { kind: 'rename' }>,
): Promise<void> {
  requireName(tree, name)
  if (name === to) return
  await requireFree(tree, folder, to, name)
  // The same but for its case: where a folder takes both for one, the name is its own.
  const isOwn = tree.nameKey(name) === tree.nameKey(to)
  await tree.rename(tree.join(folder, name), tree.join(folder, to), isOwn)
}

async function remove(
  tree: FileTree,
  { folder, names }: Extract<FileChange, { kind: 'remove' }>,
  signal?: AbortSignal,
): Promise<void> {
  for (const name of names) requireName(tree, name)
  for (const name of names) {
    signal?.throwIfAborted()
    const path = tree.join(folder, name)
    const entry = await tree.find(path)
    // Somebody else was first.
    if (entry !== null) await tree.remove(path, entry.kind, signal)
  }
}

/** The window sends names that the user types, or that main has listed; a path would lead elsewhere. */
function requireName(tree: FileTree, name: string): void {
  const fault = tree.whyUnusable(name)
  if (fault !== null) throw new TransferFailure({ kind: 'bad-name', side: tree.side, name, fault })
}

/** @param own the entry that may have the name already, in another case */
async function requireFree(tree: FileTree, folder: string, name: string, own?: string): Promise<void> {
  requireName(tree, name)
  const taken = new TransferFailure({ kind: 'taken', side: tree.side, name })
  if (own === undefined || tree.nameKey(own) !== tree.nameKey(name)) {
    if ((await tree.find(tree.join(folder, name))) !== null) throw taken
  } else if ((await tree.list(folder)).some((entry) => entry.name === name)) throw taken
}
