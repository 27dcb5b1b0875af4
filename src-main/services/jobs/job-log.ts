import { open, readdir, rm, stat, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { Latest } from '../../domain/base/latest.ts'
import type { LogPart } from '../../domain/base/log-part.ts'
import { ifThere, makeFolder, orStorageFailed } from '../storage/disk.ts'
import { wholeCharacters } from '../storage/line-log/whole-characters.ts'

/** Of the log that is here, as bytes of the command's whole output. */
export interface LogSize {
  readonly size: number
  /** Of a long one only the newest bytes are kept: from here on. */
  readonly keptFrom: number
}

/** Two are kept: 50 to 100 MB of a long log, and all of any other. */
const segmentBytes = 50_000_000
const chunkBytes = 64 * 1024
const segmentName = /^log-(\d{1,15})$/

/**
 * What a command has written, as far as it's here. It lies in files that are named by their first byte, so that what is
 * here after a crash needs no other record.
 */
export class JobLog {
  readonly changed: Latest<LogSize>
  readonly #folder: string
  readonly #segmentBytes: number
  /** The first bytes of the files, the oldest first. */
  #starts: readonly number[]

  private constructor(folder: string, starts: readonly number[], size: number, bytes: number) {
    this.#folder = folder
    this.#segmentBytes = bytes
    this.#starts = starts
    this.changed = new Latest({ size, keptFrom: starts[0] ?? 0 })
  }

  /** @param folder of the job alone; it's made with the first bytes @throws ProblemError storage-failed */
  static open(folder: string, bytes = segmentBytes): Promise<JobLog> {
    return orStorageFailed(folder, async () => {
      const names = (await ifThere(readdir(folder))) ?? []
      const starts = names
        .flatMap((name) => segmentName.exec(name)?.[1] ?? [])
        .map(Number)
        .toSorted((one, other) => one - other)
      const last = starts.at(-1)
      const size = last === undefined ? 0 : last + (await stat(pathOf(folder, last))).size
      return new JobLog(folder, starts, size, bytes)
    })
  }

  get size(): number {
    return this.changed.value.size
  }

  /** One after the other. @throws ProblemError storage-failed: nothing of it is here then */
  append(bytes: Uint8Array): Promise<void> {
    return orStorageFailed(this.#folder, async () => {
      if (bytes.length === 0) return
      const { size } = this.changed.value
      const last = this.#starts.at(-1)
      const start = last === undefined || size - last >= this.#segmentBytes ? size : last
      if (last === undefined) await makeFolder(this.#folder)
      const handle = await open(pathOf(this.#folder, start), 'a', 0o600)
      try {
        await handle.appendFile(bytes)
      } catch (error) {
        // What was written of it would be taken for the command's own at its place, and come twice.
        await handle.truncate(size - start)
        throw error
      } finally {
        await handle.close()
      }
      if (start !== last) await this.#keepTwo([...this.#starts, start])
      this.changed.set({ size: size + bytes.length, keptFrom: this.#starts[0] ?? 0 })
    })
  }

  /** What is here of these bytes, in whole characters. @throws ProblemError storage-failed */
  async read(from: number, bytes: number): Promise<LogPart> {
    const { size, keptFrom } = this.changed.value
    const start = Math.min(Math.max(from, keptFrom), size)
    const read: Buffer[] = []
    let left = Math.min(bytes, size - start)
    for await (const { at, bytes: more } of this.chunks(start)) {
      // The file with the first of them went meanwhile.
      if (read.length === 0 && at > start) break
      read.push(more.subarray(0, left))
      left -= more.length
      if (left <= 0) break
    }
    const all = Buffer.concat(read)
    return { ...wholeCharacters(all, start, size), size, keptFrom }
  }

  /** The newest, at most so many bytes of it. @throws ProblemError storage-failed */
  tail(bytes: number): Promise<LogPart> {
    return this.read(this.size - bytes, bytes)
  }

  /** What is here from a byte on, piece by piece, with where each begins. @throws ProblemError storage-failed */
  async *chunks(from: number): AsyncGenerator<{ readonly at: number; readonly bytes: Buffer }, void, void> {
    const { size } = this.changed.value
    const wanted = this.#starts
      .map((start, index, starts) => ({ start, end: Math.min(starts[index + 1] ?? size, size) }))
      .filter(({ end }) => end > from)
    const opened: { readonly start: number; readonly end: number; readonly file: FileHandle }[] = []
    try {
      // Before anything is read: what is removed meanwhile, because more has come, is read to its end. The oldest go first.
      for (const { start, end } of wanted.toReversed()) {
        const path = pathOf(this.#folder, start)
        const file = await orStorageFailed(this.#folder, () => ifThere(open(path, 'r')))
        if (file === null) break
        opened.unshift({ start, end, file })
      }
      for (const { start, end, file } of opened)
        for (let at = Math.max(from, start); at < end;) {
          const bytes = await this.#readFile(file, at - start, Math.min(chunkBytes, end - at))
          if (bytes.length === 0) return
          yield { at, bytes }
          at += bytes.length
        }
    } finally {
      await orStorageFailed(this.#folder, () => Promise.all(opened.map(({ file }) => file.close())))
    }
  }

  #readFile(file: FileHandle, position: number, most: number): Promise<Buffer> {
    return orStorageFailed(this.#folder, async () => {
      const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(most), position })
      return buffer.subarray(0, bytesRead)
    })
  }

  async #keepTwo(starts: readonly number[]): Promise<void> {
    this.#starts = starts.slice(-2)
    for (const start of starts.slice(0, -2)) await rm(pathOf(this.#folder, start), { force: true })
  }
}

function pathOf(folder: string, start: number): string {
  return join(folder, `log-${start}`)
}
