/** How many bytes may be under way at once, shared by the files of a transfer. */
export class ByteBudget {
  #free: number
  readonly #waiting: { readonly bytes: number; readonly go: () => void }[] = []

  /** @param total no single piece may be larger */
  constructor(total: number) {
    this.#free = total
  }

  /** Whether the bytes could be had at once; nobody who waits is overtaken. */
  tryTake(bytes: number): boolean {
    if (this.#waiting.length > 0 || this.#free < bytes) return false
    this.#free -= bytes
    return true
  }

  /** Resolves once so many may be under way; in the order in which they were asked for. */
  take(bytes: number): Promise<void> {
    if (this.tryTake(bytes)) return Promise.resolve()
    return new Promise((resolve) => this.#waiting.push({ bytes, go: resolve }))
  }

  /** So many are under way no longer. */
  give(bytes: number): void {
    this.#free += bytes
    for (let first = this.#waiting[0]; first && first.bytes <= this.#free; first = this.#waiting[0]) {
      this.#waiting.shift()
      this.#free -= first.bytes
      first.go()
    }
  }
}
