import type { Writable } from 'node:stream'
import { mostUnreadAnswers } from './limits.ts'

/**
 * Counts the answers that wait on a line because their host doesn't read. What else waits there doesn't count: an upload
 * over a stalled link may have megabytes under way, as many as the host's windows allow.
 */
export class UnreadAnswers {
  readonly #line: Writable
  #count = 0
  #isMarked = false

  constructor(line: Writable) {
    this.#line = line
  }

  /** After an answer was written to the line. @returns whether as many may wait there */
  add(): boolean {
    this.#count += 1
    if (!this.#isMarked) this.#mark()
    return this.#count <= mostUnreadAnswers
  }

  /** Nothing, written behind what waits now: when it is gone, so is all before it. */
  #mark(): void {
    if (!this.#line.writable) return
    const before = this.#count
    this.#isMarked = true
    this.#line.write('', () => {
      this.#isMarked = false
      this.#count -= before
      if (this.#count > 0) this.#mark()
    })
  }
}
