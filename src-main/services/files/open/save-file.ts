import { randomUUID } from 'node:crypto'
import type { InPlaceReason, SaveOrder, SaveOutcome, Theirs } from '../../../domain/files/opened-file.ts'
import type { FileEntry } from '../../../domain/files/transfer.ts'
import { TransferFailure } from '../failure.ts'
import type { FileTree, FileWriter } from '../file-tree.ts'
import { partName } from '../part-name.ts'
import { findFile, modeOf, readForComparison } from './open-file.ts'
import { versionOf } from './text-bytes.ts'

const pieceBytes = 128 * 1024

/** Of a file that is made again, when nobody knows what it had: its owner alone. */
const unknownMode = 0o600

/** What is to be saved, and where. */
export interface BytesOrder extends Omit<SaveOrder, 'text'> {
  readonly bytes: Buffer
  /** More bytes than these aren't saved, and not compared. */
  readonly longest: number
}

/** What came of it; that it went wrong is thrown. */
export type SavedFile =
  | Exclude<SaveOutcome, { readonly kind: 'changed' | 'failed' }>
  | { readonly kind: 'changed'; readonly theirs: Theirs }

/** What a save that breaks off leaves: half a file of that path, or the file itself half written. */
export type SaveStep =
  { readonly kind: 'part-made' | 'part-gone'; readonly path: string } | { readonly kind: 'writing-into' }

/**
 * Saves a file of an instance. A new file is written beside it and takes its name, so that the file there is
 * the old or the new one, with the mode and owner of the old one; links lead on to the same file. Where that can't be,
 * it asks before it writes into the file itself. What somebody else wrote meanwhile is never replaced unasked.
 *
 * @param onStep called as soon as it's so
 * @throws TransferFailure, ChannelEnded
 */
export async function saveFile(
  tree: FileTree,
  { folder, name, bytes, longest, expected, mode, inPlace }: Omit<BytesOrder, 'instanceId'>,
  onStep: (step: SaveStep) => void,
): Promise<SavedFile> {
  if (bytes.length > longest) return { kind: 'too-long' }
  const found = await findFile(tree, folder, name)
  const saved = { kind: 'saved', version: versionOf(bytes) } as const
  if (found === null) {
    if (expected !== null) return { kind: 'changed', theirs: { version: null, text: null } }
    const path = tree.join(folder, name)
    // Without special bits: they'd count for another owner.
    const madeMode = (mode ?? unknownMode) & 0o777
    const made = { path, entry: null, mode: madeMode, expected, bytes, longest, onStep }
    return (await replaced(tree, made)) ?? saved
  }
  if (found.entry.kind !== 'file')
    throw new TransferFailure({ kind: 'appeared', side: tree.side, path: found.path })
  const theirs = await readForComparison(tree, found, longest)
  // The answer to the save before may have been lost, and not the save.
  if (theirs.version === saved.version) return saved
  if (theirs.version !== expected) return { kind: 'changed', theirs }
  if (!inPlace) {
    const replacement = { ...found, mode: modeOf(found.entry), expected, bytes, longest, onStep }
    return (await replaced(tree, replacement)) ?? saved
  }
  const writer = await tree.openToWrite(found.path, bytes.length, 'exist')
  onStep({ kind: 'writing-into' })
  await writeAll(writer, bytes, null)
  return saved
}

interface Replacement {
  readonly path: string
  /** What has the name; `null` for nothing. */
  readonly entry: FileEntry | null
  readonly mode: number | null
  readonly expected: string | null
  readonly bytes: Buffer
  readonly longest: number
  readonly onStep: (step: SaveStep) => void
}

/** `null` when it's done. */
async function replaced(
  tree: FileTree,
  { path, entry, mode, expected, bytes, longest, onStep }: Replacement,
): Promise<Exclude<SavedFile, { readonly kind: 'saved' }> | null> {
  const part = partOf(tree, path, bytes)
  const owner = entry && (await tree.ownerOf(path))
  let isOfUse = false
  try {
    onStep({ kind: 'part-made', path: part })
    const writer = await orAsk(() => tree.openToWrite(part, bytes.length, 'be-new'), 'folder')
    if (entry !== null && owner !== null && !(await takesOwner(tree, part, owner))) {
      await writer.close()
      throw new AsksInPlace('owner')
    }
    await writeAll(writer, bytes, mode)
    // As late as can be.
    const theirs = await changedMeanwhile(tree, path, entry, longest)
    if (theirs !== null && theirs.version !== expected) return { kind: 'changed', theirs }
    await orAsk(() => tree.rename(part, path, entry !== null), 'folder')
    onStep({ kind: 'part-gone', path: part })
    isOfUse = true
    return null
  } catch (error) {
    if (error instanceof AsksInPlace && entry !== null) return { kind: 'asks-in-place', why: error.why }
    throw byItsName(error instanceof AsksInPlace ? error.cause : error, part, path)
  } finally {
    // While the old file has its name: a server that can't replace one takes that away first.
    if (!isOfUse && (entry === null || (await isThere(tree, path))))
      await tree.removeFile(part).then(
        () => onStep({ kind: 'part-gone', path: part }),
        () => undefined, // the link is gone: it's removed with the next save
      )
  }
}

/** No other save, of whomever, writes into it: nothing goes on with a part of a save. */
function partOf(tree: FileTree, path: string, bytes: Buffer): string {
  const at = path.lastIndexOf('/')
  const name = partName(path.slice(at + 1), { path: randomUUID(), size: bytes.length, modifiedAt: null })
  return tree.join(path.slice(0, Math.max(at, 1)), name)
}

/** A new file can't take the place of this one as it is: the user is asked. */
class AsksInPlace extends Error {
  readonly why: InPlaceReason
  constructor(why: InPlaceReason, options?: ErrorOptions) {
    super(why, options)
    this.name = 'AsksInPlace'
    this.why = why
  }
}

/** A folder that takes no new file, or a file that is mounted by itself, may be written to all the same. */
async function orAsk<T>(work: () => Promise<T>, why: InPlaceReason): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const kind = error instanceof TransferFailure ? error.problem.kind : null
    if (kind === 'denied' || kind === 'read-only' || kind === 'failed')
      throw new AsksInPlace(why, { cause: error })
    throw error
  }
}

/** Only who may give files away can keep the owner of somebody else's file. */
async function takesOwner(
  tree: FileTree,
  part: string,
  owner: NonNullable<Awaited<ReturnType<FileTree['ownerOf']>>>,
): Promise<boolean> {
  const own = await tree.ownerOf(part)
  if (own?.user === owner.user && own.group === owner.group) return true
  try {
    await tree.setOwner(part, owner)
    return true
  } catch (error) {
    if (error instanceof TransferFailure && ['denied', 'failed'].includes(error.problem.kind)) return false
    throw error
  }
}

async function writeAll(writer: FileWriter, bytes: Buffer, mode: number | null): Promise<void> {
  try {
    for (let at = 0; at < bytes.length; at += pieceBytes)
      await writer.write(at, bytes.subarray(at, at + pieceBytes))
    await writer.finish(bytes.length, { mode, modifiedAt: null })
  } catch (error) {
    await writer.close().catch(() => undefined) // what came before is told
    throw error
  }
}

function isSame(seen: FileEntry | null, now: FileEntry | null): boolean {
  if (seen === null || now === null) return seen === now
  return now.kind === seen.kind && now.size === seen.size && now.modifiedAt === seen.modifiedAt
}

async function isThere(tree: FileTree, path: string): Promise<boolean> {
  return (await tree.find(path).catch(() => null)) !== null
}

/** What is there by now; `null` where it's as it was seen. @throws TransferFailure appeared, for what is no file */
async function changedMeanwhile(
  tree: FileTree,
  path: string,
  seen: FileEntry | null,
  longest: number,
): Promise<Theirs | null> {
  const entry = await tree.find(path)
  if (isSame(seen, entry)) return null
  if (entry === null) return { version: null, text: null }
  if (entry.kind !== 'file') throw new TransferFailure({ kind: 'appeared', side: tree.side, path })
  return readForComparison(tree, { path, entry }, longest)
}

/** Nobody knows the part by its name. */
function byItsName(error: unknown, part: string, path: string): unknown {
  if (!(error instanceof TransferFailure)) return error
  const { problem } = error
  if (!('path' in problem) || problem.path !== part) return error
  return new TransferFailure({ ...problem, path }, { cause: error })
}
