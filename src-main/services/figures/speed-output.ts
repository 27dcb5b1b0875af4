import type { Clock } from '../../domain/base/clock.ts'
import type { SpeedOutcome } from '../../domain/figures/speed-test.ts'

/** More than any test says. */
const longestOutput = 64 * 1024

/** Whole lines of what a command says, as they come; what comes after too much of it is passed over. */
export function lineReader(onLine: (line: string) => void): (bytes: Uint8Array) => void {
  let taken = 0
  let rest = ''
  return (bytes) => {
    taken += bytes.length
    if (taken > longestOutput) return
    const lines = (rest + Buffer.from(bytes).toString('latin1')).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) onLine(line)
  }
}

/** Reads what `resources/machine/disk-speed.sh` says. The instance is a stranger's: what doesn't fit is passed over. */
export class DiskOutput {
  readonly #mostBytes: number
  #refused: SpeedOutcome | null = null
  #isCached = true
  #bytes = 0
  #seconds = 0

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes
  }

  get bytes(): number {
    return this.#bytes
  }

  take(line: string): void {
    const [, why] = /^refused (no-room|no-folder|no-proc)$/.exec(line) ?? []
    if (why === 'no-room' || why === 'no-folder' || why === 'no-proc')
      this.#refused = { kind: 'refused', why }
    const [, how] = /^room \d{1,12} (fdatasync|fsync|none)$/.exec(line) ?? []
    if (how !== undefined) this.#isCached = how === 'none'
    const [, bytes, hundredths] = /^written (\d{1,12}) (\d{1,6})$/.exec(line) ?? []
    if (bytes === undefined || Number(bytes) > this.#mostBytes || Number(bytes) <= this.#bytes) return
    this.#bytes = Number(bytes)
    this.#seconds = Number(hundredths) / 100
  }

  outcome(): SpeedOutcome {
    const isCached = this.#isCached
    return (
      this.#refused ??
      measuredBetween({ bytes: 0, at: 0 }, { bytes: this.#bytes, at: this.#seconds * 1000 }, isCached)
    )
  }
}

interface Mark {
  readonly bytes: number
  /** ms. */
  readonly at: number
}

/** A computer that slept, or whose clock was set, knows of no speed. */
const longestGapMs = 5_000

/** Bytes as they arrive. */
export class MovedBytes {
  /** Aborted when more came than there was, which is a lie or a flood, or nobody knows in what time; or by whoever wants no more. */
  readonly enough = new AbortController()
  readonly #options: MovedBytesOptions
  /** From there on it's measured: before, the command began. */
  #first: Mark | null = null
  #last: Mark = { bytes: 0, at: 0 }
  #isTrue = true

  constructor(options: MovedBytesOptions) {
    this.#options = options
  }

  /** @param most how many can have arrived, all in all */
  add(bytes: number, most: number): void {
    if (bytes === 0 || this.enough.signal.aborted) return
    const mark = { bytes: this.#last.bytes + bytes, at: this.#options.clock.now() }
    const gapMs = this.#first === null ? 0 : mark.at - this.#last.at
    this.#isTrue = mark.bytes <= most && gapMs >= 0 && gapMs <= longestGapMs
    if (!this.#isTrue) return this.enough.abort()
    this.#last = mark
    this.#first ??= mark
    this.#options.onBytes(mark.bytes)
  }

  outcome(): SpeedOutcome {
    return this.#isTrue ? measuredBetween(this.#first, this.#last) : { kind: 'unmeasured' }
  }
}

interface MovedBytesOptions {
  readonly clock: Pick<Clock, 'now'>
  /** How many bytes were moved so far. */
  readonly onBytes: (bytes: number) => void
}

/** How fast it went from one mark to another; unmeasured where nothing came, or in no time. */
export function measuredBetween(from: Mark | null, to: Mark | null, isCached = false): SpeedOutcome {
  if (from === null || to === null || to.bytes <= from.bytes || to.at <= from.at)
    return { kind: 'unmeasured' }
  const bytesPerSecond = ((to.bytes - from.bytes) / (to.at - from.at)) * 1000
  return { kind: 'measured', bytesPerSecond, bytes: to.bytes, isCached }
}
