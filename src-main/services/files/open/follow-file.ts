import type { LogPart } from '../../../domain/base/log-part.ts'
import { wholeCharacters } from '../../storage/line-log/whole-characters.ts'
import type { FileReader, FileTree } from '../file-tree.ts'
import { readRange, withReader } from './read-file.ts'

/** Of a log's end. */
const tailBytes = 64 * 1024
/** Before the end that was seen last: the same bytes stand there still, unless it's another file. */
const markBytes = 256
const chunkBytes = 1024 * 1024

/** The end of a log, as it was seen last. */
export interface LogEnd {
  /** Another number for another file of that name, or one that was emptied. */
  readonly turn: number
  readonly size: number
  readonly modifiedAt: number | null
  readonly mark: Buffer
  readonly part: LogPart
}

/**
 * Looks whether there is more of a log. SFTP tells nothing that a file is known by, so one that is shorter, or has other
 * bytes where the end was, is a new one: it was rotated, or emptied.
 *
 * @param before `null` for the first look
 * @returns `before` when nothing is new
 * @throws TransferFailure, ChannelEnded
 */
export async function lookAtEnd(tree: FileTree, path: string, before: LogEnd | null): Promise<LogEnd> {
  const entry = await tree.find(path)
  if (before !== null && entry?.size === before.size && entry.modifiedAt === before.modifiedAt) return before
  return withReader(tree, path, async (reader) => {
    const { size, modifiedAt } = await reader.look()
    const isNew = before === null || size < before.size || !(await hasMark(reader, before))
    const turn = before === null ? 0 : before.turn + Number(isNew)
    const from = Math.max(0, size - tailBytes)
    const bytes = await readRange(reader, from, size - from)
    const mark = Buffer.from(bytes.subarray(Math.max(0, bytes.length - markBytes)))
    const end = from + bytes.length
    const part = { ...wholeCharacters(bytes, from, end), size: end, keptFrom: 0 }
    return { turn, size: end, modifiedAt, mark, part }
  })
}

async function hasMark(reader: FileReader, { size, mark }: LogEnd): Promise<boolean> {
  return mark.length === 0 || (await readRange(reader, size - mark.length, mark.length)).equals(mark)
}

/** A part of a log, in whole characters. @throws as `lookAtEnd` */
export function readLogPart(tree: FileTree, path: string, from: number, length: number): Promise<LogPart> {
  return withReader(tree, path, async (reader) => {
    const { size } = await reader.look()
    const start = Math.min(from, size)
    const bytes = await readRange(reader, start, Math.min(length, size - start))
    return { ...wholeCharacters(bytes, start, size), size, keptFrom: 0 }
  })
}

/** A log's bytes from one on, in memory a piece at a time. @throws as `lookAtEnd`, or the signal's reason */
export async function* logChunks(
  reader: FileReader,
  from: number,
  signal?: AbortSignal,
): AsyncGenerator<{ readonly at: number; readonly bytes: Buffer }, void, void> {
  for (let at = from; ; at += chunkBytes) {
    signal?.throwIfAborted()
    const bytes = await readRange(reader, at, chunkBytes)
    if (bytes.length > 0) yield { at, bytes }
    if (bytes.length < chunkBytes) return
  }
}
