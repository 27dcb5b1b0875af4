import { isDeepStrictEqual } from 'node:util'
import { TransferFailure } from './failure.ts'
import type { FileReader, FileTree, FileWriter } from './file-tree.ts'

export interface SpreadOptions {
  /** Files of this size and more, in bytes. */
  readonly leastBytes: number
  /** Further ways to the same files; none where there are none. Asked for each such file when it is opened. */
  readonly more: () => Promise<readonly FileTree[]>
}

/** As much as may be under way at once on all further ways together; while there are none, the tree's own number. */
const spreadWrites = 64

/**
 * A tree whose large files are read and written over several ways at once, in turns: over its own until the others are
 * open, and then over those only. Where they do not lead to the very same file, its own goes on alone.
 */
export function spreadTree(tree: FileTree, { leastBytes, more }: SpreadOptions): FileTree {
  async function openedAlso<File>(
    others: readonly FileTree[],
    open: (other: FileTree) => Promise<File>,
  ): Promise<readonly File[]> {
    const files = await Promise.allSettled(others.map(open))
    // One that isn't to be had is done without; what else is wrong shows over the others, or over the tree's own way.
    return files.flatMap((file) => (file.status === 'fulfilled' ? [file.value] : []))
  }

  /**
   * What is open is compared, not what the path leads to: it may lead to another file since the own was opened. Size and
   * time are all that SFTP tells of a file, times in whole seconds; size alone, where a server tells no time, is too little.
   */
  async function openedToRead(
    other: FileTree,
    path: string,
    lookAtOwn: ReturnType<FileReader['look']>,
  ): Promise<FileReader> {
    const file = await other.openToRead(path)
    const looks = await Promise.allSettled([lookAtOwn, file.look()])
    const [own, its] = looks.map((look) => (look.status === 'fulfilled' ? look.value : null))
    if (typeof its?.modifiedAt === 'number' && isDeepStrictEqual(own, its)) return file
    await file.close()
    throw new TransferFailure({ kind: 'missing', side: tree.side, path })
  }

  async function openedFurther(
    trees: Promise<readonly FileTree[]>,
    own: FileReader,
    path: string,
  ): Promise<readonly FileReader[]> {
    // Asked at once: later its answer would stand behind all that is read ahead.
    const lookAtOwn = own.look()
    lookAtOwn.catch(() => undefined)
    return openedAlso(await trees, (other) => openedToRead(other, path, lookAtOwn))
  }

  return {
    ...tree,
    mostWritesAhead: (size) => (size < leastBytes ? tree.mostWritesAhead(size) : spreadWrites),
    openToRead: async (path, size = 0) => {
      if (size < leastBytes) return tree.openToRead(path)
      const trees = more()
      const own = await tree.openToRead(path)
      const others = openedFurther(trees, own, path)
      const ways = waysTo<FileReader>(own, others)
      return {
        look: () => own.look(),
        read: (offset, into) => ways.next().read(offset, into),
        close: async () => {
          await Promise.all([own.close(), ways.closeFurther()])
        },
      }
    },
    openToWrite: async (path, size = 0) => {
      if (size < leastBytes) return tree.openToWrite(path)
      const trees = more()
      const own = await tree.openToWrite(path)
      const others = trees.then((found) =>
        // Elsewhere than where it was just made it would be another one.
        openedAlso(found, (other) => other.openToWrite(path, size, 'exist')),
      )
      const ways = waysTo<FileWriter>(own, others)
      return {
        size: own.size,
        writesAhead: () => (ways.areFurther() ? spreadWrites : own.writesAhead()),
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
  readonly areFurther: () => boolean
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
    areFurther: () => further.length > 0,
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
