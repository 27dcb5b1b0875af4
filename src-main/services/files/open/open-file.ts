import {
  longestPicture,
  longestSide,
  longestText,
  mostPixels,
  type OpenOutcome,
  type ReadOnlyReason,
} from '../../../domain/files/opened-file.ts'
import type { FileEntry } from '../../../domain/files/transfer.ts'
import { TransferFailure } from '../failure.ts'
import type { FileReader, FileTree } from '../file-tree.ts'
import { pictureTypeOf, readPictureHeader } from './picture-header.ts'
import { readRange, withReader } from './read-file.ts'
import { editableText, readText, versionOf } from './text-bytes.ts'

/** The beginning tells what a file is. */
const headBytes = 64 * 1024

/** A file that is there, behind links, and what it is. */
export interface FoundFile {
  readonly path: string
  readonly entry: FileEntry
}

/**
 * The file that the window names by its folder and name: where it really is. A name is one of a listing, and no path.
 *
 * @returns `null` when there is none
 * @throws TransferFailure, ChannelEnded
 */
export async function findFile(tree: FileTree, folder: string, name: string): Promise<FoundFile | null> {
  const fault = tree.whyUnusable(name)
  if (fault !== null) throw new TransferFailure({ kind: 'bad-name', side: tree.side, name, fault })
  const named = tree.join(folder, name)
  if ((await tree.find(named)) === null) return null
  const path = await tree.resolve(named)
  const entry = await tree.find(path)
  return entry && { path, entry }
}

/**
 * Finds out what a file is, by what it holds, and gives what is shown of it.
 *
 * @param asLog text is read as a log, however short
 * @throws TransferFailure, ChannelEnded
 */
export async function openFile(
  tree: FileTree,
  { folder, name, asLog }: { readonly folder: string; readonly name: string; readonly asLog: boolean },
): Promise<OpenOutcome> {
  const found = await findFile(tree, folder, name)
  if (found === null)
    throw new TransferFailure({ kind: 'missing', side: tree.side, path: tree.join(folder, name) })
  const { path, entry } = found
  // Opening a pipe would wait for whoever writes into it.
  if (entry.kind !== 'file')
    return { kind: 'refused', why: entry.kind === 'folder' ? 'folder' : 'not-a-file' }
  return withReader(tree, path, async (reader) => {
    const head = await readRange(reader, 0, headBytes)
    if (pictureTypeOf(head) !== null) return openPicture(reader, head, path)
    if (head.includes(0)) return { kind: 'refused', why: 'binary' }
    if (asLog) return { kind: 'log', path, isTooLongToEdit: entry.size > longestText }
    const bytes = entry.size > longestText ? null : await readUpTo(reader, head, longestText)
    if (bytes === null) return { kind: 'log', path, isTooLongToEdit: true }
    const read = readText(bytes)
    if (read.kind === 'refused') return read
    const readOnly = await whyReadOnly(tree, path, entry.size)
    return {
      kind: 'text',
      text: { path, text: read.text, version: versionOf(bytes), mode: modeOf(entry), readOnly },
    }
  })
}

/** Permissions and special bits; `null` where nobody tells them. */
export function modeOf({ mode, special = 0 }: FileEntry): number | null {
  return mode === null ? null : mode | special
}

async function openPicture(reader: FileReader, head: Buffer, path: string): Promise<OpenOutcome> {
  const bytes = await readUpTo(reader, head, longestPicture)
  if (bytes === null) return { kind: 'refused', why: 'large-picture' }
  const header = readPictureHeader(bytes)
  if (header === null) return { kind: 'refused', why: 'broken-picture' }
  const { width, height } = header
  if (width * height > mostPixels || Math.max(width, height) > longestSide)
    return { kind: 'refused', why: 'large-picture' }
  return {
    kind: 'picture',
    picture: { path, ...header, size: bytes.length, base64: bytes.toString('base64') },
  }
}

/** All of a file whose beginning is read; `null` when it's longer. What its size is said to be isn't relied on. */
async function readUpTo(reader: FileReader, head: Buffer, most: number): Promise<Buffer | null> {
  if (head.length < headBytes) return head
  const rest = await readRange(reader, head.length, most + 1 - head.length)
  return head.length + rest.length > most ? null : Buffer.concat([head, rest])
}

/**
 * What a file holds now, to be compared: of one that is longer than so many bytes, its beginning and size; text only as
 * long as it can be edited. Throws as `openFile`.
 */
export async function readForComparison(
  tree: FileTree,
  { path, entry }: FoundFile,
  longest: number,
): Promise<{ readonly version: string; readonly text: string | null }> {
  return withReader(tree, path, async (reader) => {
    const head = await readRange(reader, 0, headBytes)
    const bytes = await readUpTo(reader, head, longest)
    return bytes === null
      ? { version: versionOf(head, entry.size), text: null }
      : { version: versionOf(bytes), text: editableText(bytes) }
  })
}

/** All of a file, whatever it holds. */
export type ReadBytes =
  | { readonly kind: 'read'; readonly bytes: Buffer; readonly mode: number | null }
  | { readonly kind: 'refused'; readonly why: 'folder' | 'not-a-file' | 'too-long' }

/** Reads a file of at most so many bytes. Throws as `openFile`. */
export async function readWhole(
  tree: FileTree,
  { folder, name }: { readonly folder: string; readonly name: string },
  longest: number,
): Promise<ReadBytes> {
  const found = await findFile(tree, folder, name)
  if (found === null)
    throw new TransferFailure({ kind: 'missing', side: tree.side, path: tree.join(folder, name) })
  const { path, entry } = found
  if (entry.kind !== 'file')
    return { kind: 'refused', why: entry.kind === 'folder' ? 'folder' : 'not-a-file' }
  if (entry.size > longest) return { kind: 'refused', why: 'too-long' }
  return withReader(tree, path, async (reader) => {
    const bytes = await readUpTo(reader, await readRange(reader, 0, headBytes), longest)
    return bytes === null
      ? { kind: 'refused', why: 'too-long' }
      : { kind: 'read', bytes, mode: modeOf(entry) }
  })
}

/** Opened to be written and closed, which changes nothing of it: SFTP has no other way to ask. */
async function whyReadOnly(tree: FileTree, path: string, size: number): Promise<ReadOnlyReason | null> {
  try {
    const writer = await tree.openToWrite(path, size, 'exist')
    await writer.close()
    return null
  } catch (error) {
    if (!(error instanceof TransferFailure)) throw error
    const { kind } = error.problem
    return kind === 'denied' || kind === 'read-only' ? kind : 'failed'
  }
}
