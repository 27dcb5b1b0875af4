import { readFile, rename, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { z } from 'zod'
import { assertNever } from '../../domain/base/assert-never.ts'
import type { Clock } from '../../domain/base/clock.ts'
import { SerialQueue } from '../../domain/base/serial-queue.ts'
import {
  newerDetail,
  newerFile,
  upgraded,
  type IsOwn,
  type VersionStep,
} from '../../domain/base/file-version.ts'
import { makeFolder, orStorageFailed, replaceFile, syncFolder, ifThere } from './disk.ts'

/** Something about Slipway's own files that the user should know. */
export type StorageNotice =
  /** What could not be read is now at `keptAs`. */
  | { readonly kind: 'unreadable'; readonly file: string; readonly keptAs: string; readonly detail: string }
  /** A newer Slipway wrote it: it stays as it is, and nothing is saved to it in this run. */
  | { readonly kind: 'newer'; readonly file: string; readonly detail: string }

/** A small value on disk. */
export interface JsonFile<T> {
  /** What the file holds. */
  readonly value: T
  /** A newer Slipway wrote it: `value` begins with the fallback, and nothing is written (`whenNewer`). */
  readonly isNewer: boolean
  /** On the disk when it resolves. @throws ProblemError storage-failed, newer-file; `value` is then the former one */
  readonly write: (next: T) => Promise<void>
  /** Changes what the file holds at its turn, so that changes made at once do not lose each other. Throws as `write`. */
  readonly update: (change: (current: T) => T) => Promise<T>
}

export interface JsonFileOptions<T> {
  readonly path: string
  /** Of the latest version. */
  readonly schema: z.ZodType<T>
  /**
   * From version 1 to 2, from 2 to 3, and so on: the latest version is one more than there are steps. A file of an
   * older version is read through the steps that it lacks, and is written in the latest one with its next change.
   */
  readonly steps?: readonly VersionStep[]
  /** What holds when there is no file, or none that can be read. */
  readonly fallback: T
  /**
   * What becomes of changes to a newer Slipway's file. Without it, they throw `newer-file`; `in-memory` is for what
   * nobody relies on at the next start, and would have the window complain all the time.
   */
  readonly whenNewer?: 'in-memory'
  /** For a file in an account's folder: older versions had several accounts in one. */
  readonly isOwn?: IsOwn
  readonly clock: Clock
  readonly onNotice: (notice: StorageNotice) => void
}

const envelope = z.object({ version: z.int().min(1), data: z.unknown().optional() })

/** What a kind of file is, wherever it lies. */
export type JsonFileShape<T> = Pick<JsonFileOptions<T>, 'schema' | 'steps' | 'fallback' | 'whenNewer'>

/** Where a file lies, and who is told of it. */
export type JsonFilePlace = Pick<JsonFileOptions<unknown>, 'path' | 'isOwn' | 'clock' | 'onNotice'>

/**
 * Opens a JSON file: checked against the schema, replaced as a whole, readable by its owner only. A file that
 * is corrupt is moved aside (`<name>.corrupt-<time>`), one of a newer version stays as it is; both are reported, and
 * neither is ever written over.
 *
 * @throws ProblemError storage-failed when it is there and cannot be read, or not be moved aside: its content
 *   may be fine, so nothing takes its place
 */
export async function openJsonFile<T>(options: JsonFileOptions<T>): Promise<JsonFile<T>> {
  const { path, steps = [] } = options
  const version = steps.length + 1
  const queue = new SerialQueue()
  const loaded = await orStorageFailed(path, () => load(options, version))
  const { isNewer } = loaded
  let { value } = loaded

  async function replace(content: { readonly version: number; readonly data: T }): Promise<void> {
    await makeFolder(dirname(path))
    await replaceFile(path, `${JSON.stringify(content, null, 2)}\n`)
    await syncFolder(dirname(path))
  }

  const update = (change: (current: T) => T): Promise<T> =>
    queue.take(async () => {
      if (isNewer && options.whenNewer === undefined) throw newerFile(path)
      const next = change(value)
      if (!isNewer) await orStorageFailed(path, () => replace({ version, data: next }))
      value = next
      return next
    })

  return {
    get value() {
      return value
    },
    isNewer,
    update,
    write: async (next) => {
      await update(() => next)
    },
  }
}

/**
 * What a file holds, for a guess: nothing comes of one that can't be read, which is seen to where it's opened.
 *
 * @returns `null` without a file that can be read
 */
export async function peekJsonFile<T>({
  path,
  ...shape
}: JsonFileShape<T> & Pick<JsonFilePlace, 'path' | 'isOwn'>): Promise<T | null> {
  try {
    const parsed = parse(await readFile(path), (shape.steps ?? []).length + 1, shape)
    return parsed.kind === 'read' ? parsed.value : null
  } catch {
    return null
  }
}

interface Loaded<T> {
  readonly value: T
  readonly isNewer: boolean
}

async function load<T>(options: JsonFileOptions<T>, version: number): Promise<Loaded<T>> {
  const { path, fallback, clock, onNotice } = options
  const bytes = await ifThere(readFile(path))
  if (bytes === null) return { value: fallback, isNewer: false }
  const parsed = parse(bytes, version, options)
  switch (parsed.kind) {
    case 'read':
      return { value: parsed.value, isNewer: false }
    case 'newer':
      onNotice({ kind: 'newer', file: path, detail: newerDetail(parsed.version, version) })
      return { value: fallback, isNewer: true }
    case 'corrupt': {
      const keptAs = await moveAside(path, clock.now())
      onNotice({ kind: 'unreadable', file: path, keptAs, detail: parsed.detail })
      return { value: fallback, isNewer: false }
    }
    default:
      return assertNever(parsed)
  }
}

type Parsed<T> =
  | { readonly kind: 'read'; readonly value: T }
  | { readonly kind: 'newer'; readonly version: number }
  | { readonly kind: 'corrupt'; readonly detail: string }

function parse<T>(
  bytes: Buffer,
  version: number,
  { schema, steps = [], isOwn }: Pick<JsonFileOptions<T>, 'schema' | 'steps' | 'isOwn'>,
): Parsed<T> {
  let json: unknown
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    // The parser's own words would repeat what is in the file.
    return { kind: 'corrupt', detail: 'It is not valid JSON.' }
  }
  const outer = envelope.safeParse(json)
  if (!outer.success) return { kind: 'corrupt', detail: 'It has no version number.' }
  if (outer.data.version > version) return { kind: 'newer', version: outer.data.version }
  const inner = schema.safeParse(upgraded(outer.data.data, outer.data.version, steps, isOwn))
  return inner.success
    ? { kind: 'read', value: inner.data }
    : { kind: 'corrupt', detail: z.prettifyError(inner.error) }
}

async function moveAside(path: string, nowMs: number): Promise<string> {
  const time = new Date(nowMs).toISOString().replaceAll(/[-:]|\.\d+/g, '')
  let keptAs = `${path}.corrupt-${time}`
  for (let copy = 2; (await ifThere(stat(keptAs))) !== null; copy += 1)
    keptAs = `${path}.corrupt-${time}-${copy}`
  await rename(path, keptAs)
  return keptAs
}
