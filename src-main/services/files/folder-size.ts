import type { Clock } from '../../domain/base/clock.ts'
import type { FolderSize } from '../../domain/files/file-change.ts'
import { TransferFailure } from './failure.ts'
import type { FileTree } from './file-tree.ts'
import { deepestFolder, longestCountMs, mostCounted } from './limits.ts'

/** Folders that are listed at the same time: others look into folders over the same channel meanwhile. */
const atOnce = 4

/**
 * What a folder holds, with all folders in it: files by their sizes as listed, links not followed, and a file with two
 * names twice. It's counted by listing, and not by `du` of the instance: that way is there wherever files are, it's the
 * same on both sides, and it ends when its user leaves it.
 *
 * @throws TransferFailure when the folder itself can't be listed, ChannelEnded, or the signal's reason
 */
export async function measureFolder(
  tree: Pick<FileTree, 'list' | 'join'>,
  path: string,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<FolderSize> {
  const endsAt = clock.now() + longestCountMs
  const counted = { bytes: 0, files: 0, folders: 0, unread: 0 }
  let cutShort: FolderSize['cutShort'] = null
  const waiting = [{ path, depth: 0 }]

  async function look(folder: { readonly path: string; readonly depth: number }): Promise<void> {
    const entries = await tree.list(folder.path)
    for (const { name, kind, size } of entries) {
      if (kind !== 'folder') {
        counted.files += 1
        if (kind === 'file') counted.bytes += size
        continue
      }
      counted.folders += 1
      if (folder.depth < deepestFolder)
        waiting.push({ path: tree.join(folder.path, name), depth: folder.depth + 1 })
      else cutShort = 'too-many'
    }
    if (counted.files + counted.folders > mostCounted) cutShort = 'too-many'
  }

  async function lookWithin(folder: { readonly path: string; readonly depth: number }): Promise<void> {
    try {
      await look(folder)
    } catch (error) {
      if (!(error instanceof TransferFailure) || folder.depth === 0) throw error
      counted.unread += 1
    }
  }

  while (waiting.length > 0 && cutShort === null) {
    signal.throwIfAborted()
    if (clock.now() >= endsAt) cutShort = 'too-long'
    // The latest first: fewer of them wait.
    else await Promise.all(waiting.splice(-atOnce).map(lookWithin))
  }
  return { ...counted, cutShort }
}
