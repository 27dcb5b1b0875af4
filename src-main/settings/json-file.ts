import { access, readFile, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import writeFileAtomic from 'write-file-atomic'
import { z } from 'zod'
import type { Clock } from '../domain/clock.ts'
import { Turns } from '../domain/turns.ts'
import { hasCode, makeFolder, orStorageFailed, syncFolder } from './storage.ts'

/** Something about Slipway's own files that the user should know. */
export interface StorageNotice {
  readonly file: string
  /** Where what could not be read is now. */
  readonly keptAs: string
  readonly detail: string
}

/** A small value on disk. */
export interface JsonFile<T> {
  /** What the file holds. */
  readonly value: T
  /** On the disk when it resolves. @throws ProblemError storage-failed; `value` is then the former one */
  readonly write: (next: T) => Promise<void>
  /** Changes what the file holds at its turn, so that changes made at once do not lose each other. Throws as `write`. */
  readonly update: (change: (current: T) => T) => Promise<T>
}

export interface JsonFileOptions<T> {
  readonly path: string
  /** Of the shape; a file with a higher one was written by a newer Slipway. */
  readonly version: number
  readonly schema: z.ZodType<T>
  /** What holds when there is no file, or none that can be read. */
  readonly fallback: T
  readonly clock: Clock
  readonly onCorrupt: (notice: StorageNotice) => void
}

const envelope = z.object({ version: z.number().int(), data: z.unknown() })

/**
 * Opens a JSON file: checked against the schema, replaced as a whole, readable by its owner only. A file that
 * is corrupt or of a newer version is moved aside (`<name>.corrupt-<time>`), reported, and never written over.
 *
 * @throws ProblemError storage-failed when it is there and cannot be read, or not be moved aside: its content
 *   may be fine, so nothing takes its place
 */
export async function openJsonFile<T>(options: JsonFileOptions<T>): Promise<JsonFile<T>> {
  const { path, version } = options
  const turns = new Turns()
  let value: T = await orStorageFailed(path, () => load(options))

  const update = (change: (current: T) => T): Promise<T> =>
    turns.take(async () => {
      const next = change(value)
      await orStorageFailed(path, async () => {
        await makeFolder(dirname(path))
        await writeFileAtomic(path, `${JSON.stringify({ version, data: next }, null, 2)}\n`, { mode: 0o600 })
        await syncFolder(dirname(path))
      })
      value = next
      return next
    })

  return {
    get value() {
      return value
    },
    update,
    write: async (next) => {
      await update(() => next)
    },
  }
}

async function load<T>({
  path,
  version,
  schema,
  fallback,
  clock,
  onCorrupt,
}: JsonFileOptions<T>): Promise<T> {
  let bytes: Buffer
  try {
    bytes = await readFile(path)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return fallback
    throw error
  }
  const parsed = parse(bytes, version, schema)
  if (parsed.ok) return parsed.value
  const keptAs = await moveAside(path, clock.now())
  onCorrupt({ file: path, keptAs, detail: parsed.detail })
  return fallback
}

type Parsed<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly detail: string }

function parse<T>(bytes: Buffer, version: number, schema: z.ZodType<T>): Parsed<T> {
  let json: unknown
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    // The parser's own words would repeat what is in the file.
    return { ok: false, detail: 'It is not valid JSON.' }
  }
  const outer = envelope.safeParse(json)
  if (!outer.success) return { ok: false, detail: 'It has no version number.' }
  if (outer.data.version > version)
    return {
      ok: false,
      detail: `A newer Slipway wrote it (version ${outer.data.version}; this one reads up to ${version}).`,
    }
  const inner = schema.safeParse(outer.data.data)
  return inner.success ? { ok: true, value: inner.data } : { ok: false, detail: z.prettifyError(inner.error) }
}

async function moveAside(path: string, nowMs: number): Promise<string> {
  const time = new Date(nowMs).toISOString().replaceAll(/[-:]|\.\d+/g, '')
  let keptAs = `${path}.corrupt-${time}`
  for (let copy = 2; await exists(keptAs); copy += 1) keptAs = `${path}.corrupt-${time}-${copy}`
  await rename(path, keptAs)
  return keptAs
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path)
    return true
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false
    throw error
  }
}
