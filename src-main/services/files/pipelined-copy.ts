import type { ByteBudget } from './byte-budget.ts'
import type { FileReader, FileWriter } from './file-tree.ts'

/** What OpenSSH's server reads and writes at once (255 KiB); a server that takes less is asked again. */
export const pieceBytes = 255 * 1024

export interface PipelinedCopyOptions {
  readonly reader: FileReader
  readonly writer: FileWriter
  /** From here to `size`. */
  readonly start: number
  readonly size: number
  readonly budget: ByteBudget
  readonly signal: AbortSignal
  /** So many bytes more were written. */
  readonly onBytes: (bytes: number) => void
  /** All before this offset is written. */
  readonly onWrittenTo: (offset: number) => void
  /** Makes the error for a file that ends before `size`. */
  readonly shrunk: () => Error
}

interface Piece {
  readonly bytes: Uint8Array
  readonly filled: Promise<number>
}

/** Copies bytes with many reads and writes under way; when it ends, however it ends, none is any more. */
export async function pipelinedCopy(options: PipelinedCopyOptions): Promise<void> {
  const { reader, writer, start, size, budget, signal, onBytes, onWrittenTo, shrunk } = options
  const reads: Piece[] = []
  /** Written, to be filled again: memory of this size is dear to get and to give back (a fifth of a copy's time). */
  const spare: Uint8Array[] = []
  const writes: Promise<void>[] = []
  /** Where pieces begin that are written, though something before them isn't. */
  const beyond = new Set<number>()
  let writtenTo = start
  let asked = start
  let at = start

  const readMore = (length: number): void => {
    const bytes = (length === pieceBytes ? spare.pop() : undefined) ?? Buffer.allocUnsafe(length)
    reads.push({ bytes, filled: handled(reader.read(asked, bytes)) })
    asked += length
  }
  const write = async (offset: number, content: Uint8Array): Promise<void> => {
    try {
      await writer.write(offset, content)
    } finally {
      budget.give(content.length)
    }
    if (content.length === pieceBytes) spare.push(content)
    beyond.add(offset)
    while (beyond.delete(writtenTo)) writtenTo = Math.min(size, writtenTo + pieceBytes)
    onWrittenTo(writtenTo)
    onBytes(content.length)
  }

  try {
    while (at < size) {
      for (;;) {
        const length = Math.min(pieceBytes, size - asked)
        if (length === 0) break
        if (reads.length === 0) await budget.take(length)
        else if (!budget.tryTake(length)) break
        readMore(length)
      }
      signal.throwIfAborted()
      const piece = reads[0]
      if (!piece) throw new Error('nothing is being read')
      const { bytes } = piece
      if ((await piece.filled) < bytes.length) throw shrunk()
      reads.shift()
      writes.push(handled(write(at, bytes)))
      at += bytes.length
      if (writes.length >= writer.writesAhead()) await writes.shift()
    }
    await Promise.all(writes)
  } finally {
    await Promise.allSettled([...reads.map(({ filled }) => filled), ...writes])
    for (const { bytes } of reads) budget.give(bytes.length)
  }
}

/** It is awaited in its turn, and must not count as unhandled until then. */
function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined)
  return promise
}
