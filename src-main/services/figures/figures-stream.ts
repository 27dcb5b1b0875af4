import { TextDecoder } from 'node:util'
import type { Clock } from '../../domain/base/clock.ts'
import { quoteShellWord } from '../../domain/base/shell-words.ts'
import type { Figures } from '../../domain/figures/figures.ts'
import { figuresBetween, readLine, type Reading } from './reading.ts'
import { execute, type Exit } from '../ssh/connection/execute.ts'
import type { ConnectionLease } from '../ssh/connection/connections.ts'

export interface FiguresStreamOptions {
  readonly lease: Pick<ConnectionLease, 'client'>
  /** The text of `resources/machine/figures.sh`. */
  readonly script: string
  /** Seconds from one line to the next. */
  readonly paceSeconds: number
  /** Whose disks count, besides `/`. */
  readonly folders: readonly string[]
  readonly clock: Clock
  readonly randomId: () => string
  readonly signal: AbortSignal
  readonly onFigures: (figures: Figures) => void
}

/** Longer than any that the script writes: it cuts what it reads at 64 KiB, and escapes at most double that. */
const longestLine = 256 * 1024

/**
 * Runs the script on an instance, and tells what it says, until the signal is aborted or the instance ends it. Lines that
 * are none, or that come too fast, are passed over: the instance is a stranger's.
 *
 * @returns how the script ended
 * @throws SshFailure channel-refused; or the signal's reason before it has begun
 */
export function streamFigures(options: FiguresStreamOptions): Promise<Exit> {
  const { lease, script, paceSeconds, folders, clock, randomId, signal, onFigures } = options
  const words = ['/', ...folders].map(quoteShellWord)
  const lines = new LineReader(longestLine)
  let before: Reading | null = null
  let heardAt = Number.NEGATIVE_INFINITY
  return execute({
    client: lease.client,
    command: `exec sh -s ${paceSeconds} ${words.join(' ')}`,
    input: script,
    ...{ id: randomId(), clock, signal },
    onOutput: (stream, bytes) => {
      if (stream !== 'out') return
      for (const line of lines.take(bytes)) {
        const now = clock.now()
        // A clock that was set back makes none of them early.
        if (Math.abs(now - heardAt) < (paceSeconds * 1000) / 2) continue
        heardAt = now
        const reading = readLine(line)
        if (reading === null) continue
        onFigures(figuresBetween(before, reading, now))
        before = reading
      }
    },
  })
}

/** Cuts what comes into lines; one that is too long is none. */
class LineReader {
  readonly #decoder = new TextDecoder()
  readonly #longest: number
  #rest = ''
  #isTooLong = false

  constructor(longest: number) {
    this.#longest = longest
  }

  take(bytes: Uint8Array): readonly string[] {
    const parts = (this.#rest + this.#decoder.decode(bytes, { stream: true })).split('\n')
    this.#rest = parts.pop() ?? ''
    const lines = this.#isTooLong ? parts.slice(1) : parts
    if (parts.length > 0) this.#isTooLong = false
    if (this.#rest.length > this.#longest) [this.#rest, this.#isTooLong] = ['', true]
    return lines.filter((line) => line.length <= this.#longest)
  }
}
