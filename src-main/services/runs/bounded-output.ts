import { TextDecoder } from 'node:util'
import type { RunOutput } from '../../domain/runs/run.ts'

type Piece = RunOutput['pieces'][number]
type Stream = Piece['stream']

/** Characters of one piece, about. */
const pieceLength = 16 * 1024
/**
 * Pieces that are kept: as many as a million characters are lines of a hundred; of two streams that take turns by shorter
 * ones less is kept. By single characters they would make a million, of 90 MB, and each further one would take 0.4 ms, as
 * all are moved when the first goes.
 */
const mostPieces = 10_000

/** What a command writes: of a flood only the newest end is kept. */
export class BoundedOutput {
  readonly #most: number
  readonly #decoders: Readonly<Record<Stream, TextDecoder>> = {
    out: new TextDecoder(),
    error: new TextDecoder(),
  }
  #pieces: Piece[] = []
  #length = 0
  #omitted = 0

  /** @param most characters that are kept, about */
  constructor(most: number) {
    this.#most = most
  }

  /** A character that is not there in full waits for its other bytes. */
  add(stream: Stream, bytes: Uint8Array): void {
    this.#append(stream, this.#decoders[stream].decode(bytes, { stream: true }))
  }

  /** Nothing more comes: a character that was begun is shown as one that is broken. */
  end(): void {
    for (const stream of ['out', 'error'] as const) this.#append(stream, this.#decoders[stream].decode())
  }

  /** The newest characters, at most so many and a piece, and of no more pieces than that. */
  newest(most: number, mostPieces = Number.POSITIVE_INFINITY): RunOutput {
    let length = 0
    let first = this.#pieces.length
    const least = Math.max(0, first - mostPieces)
    while (first > least && length < most) length += this.#pieces[--first]?.text.length ?? 0
    return { pieces: this.#pieces.slice(first), omitted: this.#omitted + this.#length - length }
  }

  /** All that is kept, both streams as they came. */
  text(): string {
    const start = this.#omitted === 0 ? '' : `[${this.#omitted} characters before this were not kept]\n`
    return start + this.#pieces.map(({ text }) => text).join('')
  }

  #append(stream: Stream, text: string): void {
    if (text === '') return
    const last = this.#pieces.at(-1)
    if (last?.stream === stream && last.text.length < pieceLength)
      this.#pieces[this.#pieces.length - 1] = { stream, text: last.text + text }
    else this.#pieces.push({ stream, text })
    this.#length += text.length
    while ((this.#length > this.#most && this.#pieces.length > 1) || this.#pieces.length > mostPieces) {
      const gone = this.#pieces.shift()?.text.length ?? 0
      this.#length -= gone
      this.#omitted += gone
    }
  }
}
