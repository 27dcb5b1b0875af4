import type { FileEntry } from '../../domain/files/transfer.ts'
import { TransferFailure } from './failure.ts'
import type { FileTree } from './file-tree.ts'
import { deepestFolder } from './limits.ts'
import type { Told } from './remote-file.ts'

/** What of a tree is needed to remove what is in it. */
export interface Remover extends Pick<FileTree, 'list' | 'removeFile' | 'join'> {
  /** Only when it is empty. */
  readonly removeFolder: (path: string) => Promise<void>
  readonly told: Told
}

/** Answers that are waited for at the same time. */
const atOnce = 32

/** Removes a file, a link, or a folder from its innermost entries on, until the signal is aborted. */
export async function removeDeep(
  remover: Remover,
  path: string,
  kind: FileEntry['kind'],
  signal?: AbortSignal,
): Promise<void> {
  const { list, removeFile, removeFolder, join, told } = remover

  async function removeFolderAt(folder: string, depth: number): Promise<void> {
    signal?.throwIfAborted()
    if (depth > deepestFolder) throw new TransferFailure({ kind: 'too-many', side: 'remote', path: folder })
    const entries = await list(folder)
    const queue = entries.filter((entry) => entry.kind !== 'folder').values()
    async function lane(): Promise<void> {
      for (const { name } of queue) {
        signal?.throwIfAborted()
        const file = join(folder, name)
        await told(file, () => removeFile(file))
      }
    }
    const lanes = await Promise.allSettled(Array.from({ length: atOnce }, lane))
    for (const result of lanes) if (result.status === 'rejected') throw result.reason
    for (const entry of entries) {
      const inner = join(folder, entry.name)
      if (entry.kind === 'folder') await told(inner, () => removeFolderAt(inner, depth + 1))
    }
    await removeFolder(folder)
  }

  if (kind === 'folder') await removeFolderAt(path, 0)
  else await removeFile(path)
}
