import { TextDecoder } from 'node:util'
import type { Clock } from '../../domain/base/clock.ts'
import { quoteShellWord } from '../../domain/base/shell-words.ts'
import type { Figures } from '../../domain/figures/figures.ts'
import { figuresBetween, readLine, type Reading } from './reading.ts'
import { execute } from '../ssh/connection/execute.ts'
import type { ConnectionLease } from '../ssh/connection/connections.ts'

export interface FiguresStreamOptions {
  readonly lease: Pick<ConnectionLease, 'client'>
  /** The text of `resources/machine/figures.sh`. */
  readonly script: string
  /** Seconds from one line to the next; 0 for one line. */
  readonly paceSeconds: number
  /** Whose disks count, besides `/`. */
  readonly folders: readonly string[]
  readonly clock: Clock
  readonly randomId: () => string
  readonly signal: AbortSignal
  /** What was read last, also by an earlier stream: processors and network are told between two readings. */
  readonly last: { reading: Reading | null }
  readonly onFigures: (figures: Figures) => void
}

/** Longer than any that the script writes: it cuts what it reads at 64 KiB, and escapes at most double that. */
const longestLine = 256 * 1024

/**
 * Runs the script on an instance, and tells what it says, until the signal is aborted or the instance ends it. Lines that
 * are none, or that come too fast, are passed over: the instance is a stranger's.
 *
 * @throws SshFailure channel-refused; or the signal's reason before it has begun
 */
export async function streamFigures(options: FiguresStreamOptions): Promise<void> {
  const { lease, script, paceSeconds, folders, clock, randomId, signal, last, onFigures } = options
  const words = ['/', ...folders].map(quoteShellWord)
  const reader = new LineReader(longestLine)
  let takenAt = Number.NEGATIVE_INFINITY
  await execute({
    client: lease.client,
    command: `exec sh -s ${paceSeconds} ${words.join(' ')}`,
    input: script,
    ...{ id: randomId(), clock, signal },
    onOutput: (stream, bytes) => {
      if (stream !== 'out') return
      const now = clock.now()
      // Of a flood, one line in so long is looked at. A clock that was set back makes none of them early.
      const isEarly = Math.abs(now - takenAt) < (paceSeconds * 1000) / 2
      const line = reader.take(bytes, isEarly)
      if (line === null) return
      takenAt = now
      const reading = readLine(line)
      if (reading === null) return
      const { reading: before } = last
      last.reading = reading
      onFigures(figuresBetween(before, reading, now))
    },
  })
}

const lineEnd = 10

/** Finds lines in what comes. What is passed over costs a look for its end, and no more. */
class LineReader {
  readonly #longest: number
  #pieces: Uint8Array[] = []
  #length = 0
  /** Of a line that is too long, or that began while none was wanted, the rest is passed over. */
  #isPassedOver = false

  constructor(longest: number) {
    this.#longest = longest
  }

  /** The first whole line, if one is wanted; others that end here are passed over. */
  take(bytes: Uint8Array, isEarly: boolean): string | null {
    const end = bytes.indexOf(lineEnd)
    if (end < 0) {
      this.#keep(bytes)
      return null
    }
    this.#keep(bytes.subarray(0, end))
    const line = this.#isPassedOver || isEarly ? null : new TextDecoder().decode(Buffer.concat(this.#pieces))
    this.#pieces = []
    this.#length = 0
    this.#isPassedOver = false
    this.#keep(bytes.subarray(bytes.lastIndexOf(lineEnd) + 1))
    return line
  }

  #keep(bytes: Uint8Array): void {
    this.#length += bytes.length
    if (this.#length > this.#longest) this.#isPassedOver = true
    if (this.#isPassedOver) this.#pieces = []
    else if (bytes.length > 0) this.#pieces.push(bytes)
  }
}
