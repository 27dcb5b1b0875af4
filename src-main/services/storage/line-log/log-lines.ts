import { PlainLines } from './plain-lines.ts'

/** Output as the lines of a log: plain text, each with the time at which it ended, and without secrets. */
export class LogLines {
  readonly #plain: PlainLines
  readonly #redactLines: (text: string) => string
  readonly #now: () => number

  constructor(from: {
    /** Lines without the secrets in them, as many as they were. */
    readonly redactLines: (text: string) => string
    /** ms since the epoch */
    readonly now: () => number
    /** As of {@link PlainLines}. */
    readonly columns?: () => number | null
  }) {
    this.#plain = new PlainLines(from.columns)
    this.#redactLines = from.redactLines
    this.#now = from.now
  }

  /** @returns what these bytes add: whole lines, or nothing */
  push(bytes: Uint8Array): string {
    return this.#stamped(this.#plain.push(bytes))
  }

  /** A line of Slipway's own, below what has come, ended or not. */
  note(text: string): string {
    return this.end() + this.#stamped([`[Slipway] ${text}`])
  }

  /** What has come of a line that was not ended. */
  end(): string {
    return this.#stamped(this.#plain.end())
  }

  #stamped(lines: readonly string[]): string {
    if (lines.length === 0) return ''
    const stamp = `${localTime(this.#now())} `
    // At once: a flood has thousands of them.
    const text = this.#redactLines(lines.join('\n'))
    return `${stamp}${text.replaceAll('\n', `\n${stamp}`)}\n`
  }
}

/** A time of this computer with its zone (ISO 8601): `2026-11-26T23:45:01.123+01:00`. */
export function localTime(ms: number, offsetMinutes = -new Date(ms).getTimezoneOffset()): string {
  const local = new Date(ms + offsetMinutes * 60_000).toISOString().slice(0, -1)
  const two = (value: number): string => String(value).padStart(2, '0')
  const minutes = Math.abs(offsetMinutes)
  return `${local}${offsetMinutes < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}
