import { type FileHandle, open, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { z } from 'zod'
import { SerialQueue } from '../../domain/base/serial-queue.ts'
import { newerDetail, newerFile, type IsOwn } from '../../domain/base/file-version.ts'
import type { StorageNotice } from './json-file.ts'
import { makeFolder, orStorageFailed, replaceFile, syncFolder, ifThere } from './disk.ts'
import { parseJson } from '../../domain/base/json-value.ts'

/**
 * A file to which entries are added, one line of JSON each. Its first line says its version, which files that were
 * begun before there was such a line do not have. One that a newer Slipway wrote has no entries and stays as it is.
 */
export interface Journal<T> {
  /** On the disk when it resolves, so that what they announce may begin. @throws ProblemError storage-failed, newer-file */
  readonly append: (...entries: readonly T[]) => Promise<void>
  /**
   * In the order in which they were added. A last line that was cut off is no entry: its `append` never
   * resolved. Another line that cannot be read is reported once, skipped unless something stands
   * in its place (`damaged`), and left where it is.
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
  /** For a file in an account's folder: lines of version 1 name their account, and may name another one. */
  readonly isOwn?: IsOwn
  readonly onNotice: (notice: StorageNotice) => void
  /** Read in the place of each line that can't be read. Without it, such a line is no entry. */
  readonly damaged?: T
}

type Line<T> =
  | { readonly kind: 'entry'; readonly text: string; readonly entry: T }
  /** Of another account. It goes when the file is written anew. */
  | { readonly kind: 'foreign'; readonly text: string }
  | { readonly kind: 'unreadable'; readonly text: string; readonly why: string }
type ParseLine<T> = (text: string) => Line<T>

const newline = 0x0a

/**
 * Of all journals. A line of version 1 also names its account (`owner`), which is dropped when it is read. The first
 * line says version 2 before a line without that is added: an older Slipway would take it for damage.
 */
const latestVersion = 2
/** No entry of any journal says a version. */
const header = z.object({ version: z.int().min(1) })
const lineWithOwner = z.looseObject({ owner: z.string() })
const headerLine = `${JSON.stringify({ version: latestVersion })}\n`
/** More than the first line of any version has; a longer one is an entry. */
const longestHeader = 1024

export function openJournal<T>(options: JournalOptions<T>): Journal<T> {
  const { path, onNotice, damaged } = options
  const parse: ParseLine<T> = (text) => parseLine(text, options)
  const queue = new SerialQueue()
  const reported = new Set<string>()
  const inTurn = <R>(work: () => Promise<R>): Promise<R> => queue.take(() => orStorageFailed(path, work))

  let found: 'older' | 'latest' | 'newer' | null = null

  /** Looked at once: only Slipway writes the file, and only one at a time. */
  async function isNewer(): Promise<boolean> {
    found ??= await look()
    return found === 'newer'
  }

  async function look(): Promise<'older' | 'latest' | 'newer'> {
    const start = await readStart(path)
    const version = versionOf(start) ?? (start === '' ? latestVersion : 1)
    if (version <= latestVersion) return version < latestVersion ? 'older' : 'latest'
    onNotice({ kind: 'newer', file: path, detail: newerDetail(version, latestVersion) })
    return 'newer'
  }

  /** As a whole, so that a crash leaves the lines of before or these. */
  async function replace(lines: readonly Line<T>[]): Promise<void> {
    const kept = lines.filter(({ kind }) => kind !== 'foreign')
    const text = headerLine + kept.map((line) => `${line.text}\n`).join('')
    await replaceFile(path, text)
    await syncFolder(dirname(path))
    found = 'latest'
  }

  /** `first` is the number of the first of them in the file. */
  async function readLines(): Promise<{ readonly first: number; readonly lines: readonly Line<T>[] }> {
    const [start = '', ...others] = (await readOrEmpty(path)).toString().split('\n')
    const hasHeader = versionOf(start) !== null
    const texts = hasHeader ? others : [start, ...others]
    const lines = texts.filter((text) => text.trim() !== '').map(parse)
    const isCutOff = texts.at(-1) !== '' && lines.at(-1)?.kind === 'unreadable'
    return { first: hasHeader ? 2 : 1, lines: isCutOff ? lines.slice(0, -1) : lines }
  }

  function report(lines: readonly Line<T>[], first: number): void {
    lines.forEach((line, index) => {
      if (line.kind !== 'unreadable' || reported.has(line.text)) return
      reported.add(line.text)
      const detail = `Line ${first + index} was skipped: ${line.why}`
      onNotice({ kind: 'unreadable', file: path, keptAs: path, detail })
    })
  }

  return {
    append: (...entries) =>
      inTurn(async () => {
        if (await isNewer()) throw newerFile(path)
        await makeFolder(dirname(path))
        if (found === 'older') await replace((await readLines()).lines)
        const handle = await open(path, 'a+', 0o600)
        try {
          await mendEnd(handle, parse)
          const { size } = await handle.stat()
          try {
            const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')
            await handle.appendFile(size === 0 ? headerLine + lines : lines)
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
        if (await isNewer()) return []
        const { lines, first } = await readLines()
        report(lines, first)
        return lines.flatMap((line) => {
          if (line.kind === 'entry') return [line.entry]
          return line.kind === 'unreadable' && damaged !== undefined ? [damaged] : []
        })
      }),

    compact: (keep) =>
      inTurn(async () => {
        if (await isNewer()) return
        const { lines } = await readLines()
        const kept = lines.filter(
          (line) => line.kind === 'unreadable' || (line.kind === 'entry' && keep(line.entry)),
        )
        if (kept.length === lines.length) return
        await replace(kept)
      }),
  }
}

/** What a first line says of the file's version; `null` for an entry, and for what cannot be read. */
function versionOf(firstLine: string): number | null {
  return header.safeParse(parseJson(firstLine)).data?.version ?? null
}

/** The first line, as far as it is short enough to say a version. */
async function readStart(path: string): Promise<string> {
  const handle = await ifThere(open(path, 'r'))
  if (handle === null) return ''
  try {
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(longestHeader), position: 0 })
    return buffer.toString('utf8', 0, bytesRead).split('\n', 1)[0] ?? ''
  } finally {
    await handle.close()
  }
}

function parseLine<T>(
  text: string,
  { schema, isOwn = () => false }: Pick<JournalOptions<T>, 'schema' | 'isOwn'>,
): Line<T> {
  const json = parseJson(text)
  if (json === undefined) return { kind: 'unreadable', text, why: 'it is not valid JSON.' }
  const named = lineWithOwner.safeParse(json)
  if (named.success && !isOwn(named.data.owner)) return { kind: 'foreign', text }
  const parsed = schema.safeParse(json)
  if (parsed.success) return { kind: 'entry', text, entry: parsed.data }
  const where = parsed.error.issues[0]?.path.join('.') ?? ''
  return { kind: 'unreadable', text, why: `it is not an entry that this version knows (${where}).` }
}

/**
 * Gives a file that does not end with a line break a whole last line: an end that was cut off (a crash, a
 * full disk) is removed, a whole entry is closed.
 */
async function mendEnd<T>(handle: FileHandle, parse: ParseLine<T>): Promise<void> {
  const { size } = await handle.stat()
  if (size === 0) return
  // Nearly always the end is whole, and a long file need not be read for each entry.
  const { buffer: last } = await handle.read({ buffer: Buffer.alloc(1), position: size - 1 })
  if (last[0] === newline) return
  const bytes = await handle.readFile()
  const wholeBytes = bytes.lastIndexOf(newline) + 1
  const isCutOff = parse(bytes.subarray(wholeBytes).toString()).kind === 'unreadable'
  if (isCutOff) await handle.truncate(wholeBytes)
  else await handle.appendFile('\n')
}

async function readOrEmpty(path: string): Promise<Buffer> {
  return (await ifThere(readFile(path))) ?? Buffer.alloc(0)
}
