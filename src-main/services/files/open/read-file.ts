import type { FileReader, FileTree } from '../file-tree.ts'

/** What is asked for at once: below what servers give in one answer. */
const pieceBytes = 64 * 1024
/** So many of those are under way: from afar each answer takes its time. */
const piecesAhead = 16

/** So many bytes from there on, fewer only at the end of the file. @throws as the tree does */
export async function readRange(reader: FileReader, from: number, length: number): Promise<Buffer> {
  const into = Buffer.alloc(length)
  for (let at = 0; at < length; at += piecesAhead * pieceBytes) {
    const starts = Array.from({ length: piecesAhead }, (_, index) => at + index * pieceBytes)
    const pieces = starts
      .filter((start) => start < length)
      .map((start) => into.subarray(start, start + pieceBytes))
    const counts = await Promise.all(
      pieces.map((piece, index) => reader.read(from + (starts[index] ?? 0), piece)),
    )
    // Behind a short piece nothing counts: the file was cut there, or grew since.
    const short = counts.findIndex((count, index) => count < (pieces[index]?.length ?? 0))
    if (short >= 0) return into.subarray(0, (starts[short] ?? 0) + (counts[short] ?? 0))
  }
  return into
}

/** Opens a file, reads, and closes it whatever comes of that. @throws as the tree does */
export async function withReader<T>(
  tree: Pick<FileTree, 'openToRead'>,
  path: string,
  work: (reader: FileReader) => Promise<T>,
): Promise<T> {
  const reader = await tree.openToRead(path)
  try {
    return await work(reader)
  } finally {
    // What was read counts.
    await reader.close().catch(() => undefined)
  }
}
