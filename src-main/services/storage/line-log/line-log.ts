import { open, type FileHandle } from 'node:fs/promises'
import { bytesText } from '../../../domain/base/format-amounts.ts'
import type { LineLogEnd } from '../../../domain/base/line-log.ts'
import { counted } from '../../../domain/base/plural.ts'
import { orStorageFailed } from '../disk.ts'
import { LogLines } from './log-lines.ts'

/** A file of that size still opens in an editor. */
const defaultMostBytes = 100_000_000
/** What may wait for a slow disk, in UTF-16 units. */
const defaultMostWaiting = 4 * 1024 * 1024

export interface LineLogOptions {
  readonly path: string
  /** Lines of Slipway's own that it begins with. */
  readonly header: readonly string[]
  readonly redactLines: (text: string) => string
  /** ms since the epoch */
  readonly now: () => number
  /** Of the screen that the output is for, now; without it, none is known. */
  readonly columns?: () => number | null
  /** It has ended by itself. */
  readonly onEnd: (end: LineLogEnd) => void
  readonly mostBytes?: number
  readonly mostWaiting?: number
}

/**
 * Begins a log of lines, for its owner only; what the file had is gone.
 *
 * @throws ProblemError storage-failed
 */
export async function openLineLog(options: LineLogOptions): Promise<LineLog> {
  return orStorageFailed(options.path, async () => {
    const file = await open(options.path, 'w', 0o600)
    try {
      // A file that was there has the mode that it had.
      if ((await file.stat()).isFile() && process.platform !== 'win32') await file.chmod(0o600)
      await file.appendFile(`${options.header.join('\n')}\n`)
    } catch (error) {
      await file.close()
      throw error
    }
    return new LineLog(file, options)
  })
}

/**
 * Writes output into a file, line by line. Whoever writes never waits: what a disk is too slow for is left out, and
 * counted in the file.
 */
export class LineLog {
  readonly path: string
  readonly #file: FileHandle
  readonly #lines: LogLines
  readonly #onEnd: (end: LineLogEnd) => void
  readonly #mostBytes: number
  readonly #mostWaiting: number
  #waiting: string[] = []
  /** Of what waits, and of what is being written. */
  #waitingLength = 0
  #leftOut = 0
  #bytes = 0
  #isEnded = false
  #writing: Promise<void> | null = null

  constructor(file: FileHandle, options: LineLogOptions) {
    this.#file = file
    this.path = options.path
    this.#lines = new LogLines(options)
    this.#onEnd = options.onEnd
    this.#mostBytes = options.mostBytes ?? defaultMostBytes
    this.#mostWaiting = options.mostWaiting ?? defaultMostWaiting
  }

  write(bytes: Uint8Array): void {
    if (!this.#isEnded) this.#add(this.#lines.push(bytes))
  }

  /** A line of Slipway's own, in its own words. */
  note(text: string): void {
    if (!this.#isEnded) this.#add(this.#lines.note(text))
  }

  /** Resolves when all of it is written and the file is closed. */
  async close(): Promise<void> {
    if (this.#isEnded) return
    this.#add(this.#lines.end())
    if (this.#leftOut > 0) this.#tellLeftOut()
    this.#isEnded = true
    await this.#writing
    await this.#file.close().catch(() => undefined) // its disk has failed, which was told
  }

  #add(text: string): void {
    if (text === '') return
    if (this.#waitingLength + text.length > this.#mostWaiting) {
      this.#leftOut += text.split('\n').length - 1
      return
    }
    if (this.#leftOut > 0) this.#tellLeftOut()
    this.#enqueue(text)
  }

  #tellLeftOut(): void {
    const lines = counted(this.#leftOut, 'line')
    this.#leftOut = 0
    this.#enqueue(this.#lines.note(`… ${lines} left out: the disk was too slow.`))
  }

  #enqueue(text: string): void {
    this.#waiting.push(text)
    this.#waitingLength += text.length
    this.#writing ??= this.#writeAll()
  }

  async #writeAll(): Promise<void> {
    try {
      while (this.#waiting.length > 0) {
        const text = this.#waiting.join('')
        this.#waiting = []
        const bytes = Buffer.from(text)
        const room = this.#mostBytes - this.#bytes
        if (bytes.length > room) return await this.#endFull(bytes.subarray(0, room))
        await this.#file.appendFile(bytes)
        this.#bytes += bytes.length
        this.#waitingLength -= text.length
      }
    } catch (error) {
      await this.#endBy(endOf(error))
    } finally {
      this.#writing = null
    }
  }

  async #endFull(bytes: Buffer): Promise<void> {
    await this.#file.appendFile(bytes.subarray(0, bytes.lastIndexOf('\n') + 1))
    await this.#file.appendFile(this.#lines.note(`The log ends here: it has ${bytesText(this.#mostBytes)}.`))
    await this.#endBy({ kind: 'full', mostBytes: this.#mostBytes })
  }

  async #endBy(end: LineLogEnd): Promise<void> {
    const isClosing = this.#isEnded
    this.#isEnded = true
    this.#waiting = []
    if (!isClosing) await this.#file.close().catch(() => undefined) // its disk has failed, which is told
    this.#onEnd(end)
  }
}

function endOf(error: unknown): LineLogEnd {
  const code = error instanceof Error && 'code' in error ? error.code : null
  if (code === 'ENOSPC' || code === 'EDQUOT') return { kind: 'disk-full' }
  return { kind: 'failed', detail: error instanceof Error ? error.message : String(error) }
}
