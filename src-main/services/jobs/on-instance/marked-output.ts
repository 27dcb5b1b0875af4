/**
 * Passes over what comes before a line of a command's output: a login shell's own words, as of a `.bashrc` that greets.
 */
export class MarkedOutput {
  readonly #mark: Buffer
  #before: Buffer | null = Buffer.alloc(0)

  /** @param mark the line, which nothing before it can say */
  constructor(mark: string) {
    this.#mark = Buffer.from(`${mark}\n`)
  }

  /** Those of the bytes that come after the line. */
  take(bytes: Uint8Array): Uint8Array {
    if (this.#before === null) return bytes
    const all = Buffer.concat([this.#before, bytes])
    const at = all.indexOf(this.#mark)
    if (at < 0) {
      // No more than what may be the line's beginning.
      this.#before = all.subarray(Math.max(0, all.length - this.#mark.length))
      return new Uint8Array(0)
    }
    this.#before = null
    return all.subarray(at + this.#mark.length)
  }
}
