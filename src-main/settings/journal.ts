import { type FileHandle, open, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import writeFileAtomic from 'write-file-atomic'
import type { z } from 'zod'
import { Turns } from '../domain/turns.ts'
import type { StorageNotice } from './json-file.ts'
import { hasCode, makeFolder, orStorageFailed, syncFolder } from './storage.ts'

/** A file to which entries are added, one line of JSON each. */
export interface Journal<T> {
  /** On the disk when it resolves, so that what they announce may begin. @throws ProblemError storage-failed */
  readonly append: (...entries: readonly T[]) => Promise<void>
  /**
   * In the order in which they were added. A last line that was cut off is no entry: its `append` never
   * resolved. Another line that cannot be read is reported once, skipped, and left where it is.
   *
   * @throws ProblemError storage-failed
   */
  readonly readAll: () => Promise<readonly T[]>
  /** Drops the entries that are not to be kept; lines that cannot be read stay. @throws ProblemError storage-failed */
  readonly compact: (keep: (entry: T) => boolean) => Promise<void>
}

export interface JournalOptions<T> {
  readonly path: string
  readonly schema: z.ZodType<T>
  readonly onCorrupt: (notice: StorageNotice) => void
}

type Line<T> =
  | { readonly kind: 'entry'; readonly text: string; readonly entry: T }
  | { readonly kind: 'unreadable'; readonly text: string; readonly why: string }

const newline = 0x0a

export function openJournal<T>({ path, schema, onCorrupt }: JournalOptions<T>): Journal<T> {
  const turns = new Turns()
  const reported = new Set<string>()
  const inTurn = <R>(work: () => Promise<R>): Promise<R> => turns.take(() => orStorageFailed(path, work))

  async function readLines(): Promise<readonly Line<T>[]> {
    const texts = (await readOrEmpty(path)).toString().split('\n')
    const lines = texts.filter((text) => text.trim() !== '').map((text) => parseLine(text, schema))
    const isCutOff = texts.at(-1) !== '' && lines.at(-1)?.kind === 'unreadable'
    return isCutOff ? lines.slice(0, -1) : lines
  }

  function report(lines: readonly Line<T>[]): void {
    lines.forEach((line, index) => {
      if (line.kind === 'entry' || reported.has(line.text)) return
      reported.add(line.text)
      onCorrupt({ file: path, keptAs: path, detail: `Line ${index + 1} was skipped: ${line.why}` })
    })
  }

  return {
    append: (...entries) =>
      inTurn(async () => {
        await makeFolder(dirname(path))
        const handle = await open(path, 'a+', 0o600)
        try {
          await mendEnd(handle, schema)
          const { size } = await handle.stat()
          try {
            await handle.appendFile(entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
            await handle.sync()
          } catch (error) {
            // It is not in the journal as far as anybody was told, so it must not turn up later.
            await handle.truncate(size)
            throw error
          }
          if (size === 0) await syncFolder(dirname(path))
        } finally {
          await handle.close()
        }
      }),

    readAll: () =>
      inTurn(async () => {
        const lines = await readLines()
        report(lines)
        return lines.flatMap((line) => (line.kind === 'entry' ? [line.entry] : []))
      }),

    compact: (keep) =>
      inTurn(async () => {
        const lines = await readLines()
        const kept = lines.filter((line) => line.kind === 'unreadable' || keep(line.entry))
        if (kept.length === lines.length) return
        await writeFileAtomic(path, kept.map(({ text }) => `${text}\n`).join(''), { mode: 0o600 })
        await syncFolder(dirname(path))
      }),
  }
}

function parseLine<T>(text: string, schema: z.ZodType<T>): Line<T> {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return { kind: 'unreadable', text, why: 'it is not valid JSON.' }
  }
  const parsed = schema.safeParse(json)
  if (parsed.success) return { kind: 'entry', text, entry: parsed.data }
  const where = parsed.error.issues[0]?.path.join('.') ?? ''
  return { kind: 'unreadable', text, why: `it is not an entry that this version knows (${where}).` }
}

/**
 * Gives a file that does not end with a line break a whole last line: an end that was cut off (a crash, a
 * full disk) is removed, a whole entry is closed.
 */
async function mendEnd<T>(handle: FileHandle, schema: z.ZodType<T>): Promise<void> {
  const { size } = await handle.stat()
  if (size === 0) return
  // Nearly always the end is whole, and a long file need not be read for each entry.
  const { buffer: last } = await handle.read({ buffer: Buffer.alloc(1), position: size - 1 })
  if (last[0] === newline) return
  const bytes = await handle.readFile()
  const wholeBytes = bytes.lastIndexOf(newline) + 1
  const isEntry = parseLine(bytes.subarray(wholeBytes).toString(), schema).kind === 'entry'
  if (isEntry) await handle.appendFile('\n')
  else await handle.truncate(wholeBytes)
}

async function readOrEmpty(path: string): Promise<Buffer> {
  try {
    return await readFile(path)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return Buffer.alloc(0)
    throw error
  }
}
