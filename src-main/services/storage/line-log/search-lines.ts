import type { LogHit, LogHits } from '../../../domain/base/log-part.ts'

/** What lines are made of: a log's bytes from one on, piece by piece, with where each begins. */
export interface LogBytes {
  readonly chunks: (from: number) => AsyncIterable<{ readonly at: number; readonly bytes: Buffer }>
}

/** Of a line, at once; a longer one counts as several. */
export const longestLineBytes = 64 * 1024
const mostHits = 200
/** Of a line that is shown, in characters. */
const longestShown = 1_000

interface Line {
  /** Its first byte in the whole log. */
  readonly at: number
  readonly text: string
  /** The byte behind it, and its end. */
  readonly next: number
}

/** The lines from a byte on, in memory one at a time. @throws whatever `chunks` throws */
export async function* linesFrom(log: LogBytes, from: number): AsyncGenerator<Line, void, void> {
  let rest = Buffer.alloc(0)
  let restAt = from
  for await (const { at, bytes } of log.chunks(from)) {
    if (rest.length === 0) restAt = at
    let block = Buffer.concat([rest, bytes])
    for (;;) {
      const end = block.indexOf(0x0a)
      const isTooLong = end < 0 ? block.length >= longestLineBytes : end >= longestLineBytes
      if (end < 0 && !isTooLong) break
      const length = isTooLong ? longestLineBytes : end
      const next = restAt + length + (isTooLong ? 0 : 1)
      yield { at: restAt, text: block.toString('utf8', 0, length), next }
      block = block.subarray(next - restAt)
      restAt = next
    }
    rest = block
  }
  if (rest.length > 0) yield { at: restAt, text: rest.toString('utf8'), next: restAt + rest.length }
}

/**
 * The first lines from a byte on that have these characters, whatever their case.
 *
 * @param mostBytes after so many the search ends, to be gone on with from there
 * @throws whatever `chunks` throws
 */
export async function searchLines(
  log: LogBytes,
  wanted: string,
  from: number,
  mostBytes = Infinity,
): Promise<LogHits> {
  const needle = wanted.toLowerCase()
  const hits: LogHit[] = []
  for await (const { at, text, next } of linesFrom(log, from)) {
    const found = text.toLowerCase().indexOf(needle)
    if (found >= 0) hits.push({ at, line: shownAround(text, found) })
    if (hits.length === mostHits || next - from >= mostBytes) return { hits, next }
  }
  return { hits, next: null }
}

/** Of a long line, the part with what was found. */
function shownAround(line: string, found: number): string {
  const start = line.length <= longestShown ? 0 : Math.max(0, found - longestShown / 2)
  return line.slice(start, start + longestShown).replace(/\r$/, '')
}
