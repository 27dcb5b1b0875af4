import { TransferFailure } from './failure.ts'
import type { FileReader, FileTree, FileWriter } from './file-tree.ts'

export interface SpreadOptions {
  /** Files of this size and more, in bytes. */
  readonly leastBytes: number
  /** Further ways to the same files; none where there are none. Asked for each such file when it is opened. */
  readonly more: () => Promise<readonly FileTree[]>
}

/** As much as may be under way at once, on all ways together. */
const spreadWrites = 64

/**
 * A tree whose large files are read and written over several ways at once, in turns: over its own until the others are
 * open, and then over those only. Where they do not lead to the very same file, its own goes on alone.
 */
export function spreadTree(tree: FileTree, { leastBytes, more }: SpreadOptions): FileTree {
  async function openedAlso<File>(
    open: (other: FileTree) => Promise<File>,
    isSame: (other: FileTree) => Promise<boolean>,
  ): Promise<readonly File[]> {
    const others = await more()
    const files = await Promise.allSettled(
      others.map(async (other) => ((await isSame(other)) ? [await open(other)] : [])),
    )
    // One that isn't to be had is done without; what else is wrong shows over the others, or over the tree's own way.
    return files.flatMap((file) => (file.status === 'fulfilled' ? file.value : []))
  }

  return {
    ...tree,
    writesAhead: (size) => (size < leastBytes ? tree.writesAhead(size) : spreadWrites),
    openToRead: async (path, size = 0) => {
      const own = await tree.openToRead(path)
      if (size < leastBytes) return own
      const isSame = async (other: FileTree): Promise<boolean> => {
        const [mine, theirs] = await Promise.all([tree.find(path), other.find(path)])
        return mine?.size === theirs?.size && mine?.modifiedAt === theirs?.modifiedAt
      }
      const others = openedAlso((other) => other.openToRead(path), isSame)
      const ways = waysTo<FileReader>(own, others)
      return {
        read: (offset, into) => ways.next().read(offset, into),
        close: async () => {
          await Promise.all([own.close(), ways.closeFurther()])
        },
      }
    },
    openToWrite: async (path, size = 0) => {
      const own = await tree.openToWrite(path)
      if (size < leastBytes) return own
      // Elsewhere it would be made anew.
      const isSame = async (other: FileTree): Promise<boolean> => (await other.find(path)) !== null
      const others = openedAlso((other) => other.openToWrite(path), isSame)
      const ways = waysTo<FileWriter>(own, others)
      return {
        size: own.size,
        write: (offset, bytes) => ways.next().write(offset, bytes),
        finish: async (finalSize, attributes) => {
          await Promise.all([ways.closeFurther(), requireAll(tree, path, finalSize)])
          await own.finish(finalSize, attributes)
        },
        close: async () => {
          await Promise.all([own.close(), ways.closeFurther()])
        },
      }
    },
  }
}

interface Ways<File> {
  /** The one whose turn it is. */
  readonly next: () => File
  /** Those that are not open yet are not waited for, and closed when they are. */
  readonly closeFurther: () => Promise<void>
}

function waysTo<File extends { readonly close: () => Promise<void> }>(
  own: File,
  others: Promise<readonly File[]>,
): Ways<File> {
  let further: readonly File[] = []
  let turn = 0
  let isOver = false
  void others.then((opened) => {
    if (!isOver) further = opened
    // Nobody is left to tell.
    else for (const file of opened) file.close().catch(() => undefined)
  })
  return {
    next: () => {
      turn += 1
      return further[turn % further.length] ?? own
    },
    closeFurther: async () => {
      isOver = true
      const open = further
      further = []
      await Promise.all(open.map((file) => file.close()))
    },
  }
}

/** What was written over other ways is there over the tree's own as well. @throws TransferFailure */
async function requireAll(tree: FileTree, path: string, size: number): Promise<void> {
  const there = await tree.find(path)
  if (there !== null && there.size >= size) return
  const detail = 'less of it is there than was written'
  throw new TransferFailure({ kind: 'failed', side: tree.side, path, detail })
}
