const windowMs = 5_000

interface Sample {
  readonly at: number
  readonly bytes: number
}

/** How fast bytes go, over the last five seconds. Times in milliseconds, from any origin. */
export class TransferSpeed {
  #samples: Sample[] = []

  /** So many bytes are done, in all; also to be told when nothing has moved. */
  note(at: number, bytes: number): void {
    this.#samples.push({ at, bytes })
    while ((this.#samples[1]?.at ?? at) <= at - windowMs) this.#samples.shift()
  }

  /** `null` until there are two moments to compare. */
  get bytesPerSecond(): number | null {
    const first = this.#samples[0]
    const last = this.#samples.at(-1)
    if (!first || !last || last.at === first.at) return null
    return ((last.bytes - first.bytes) * 1_000) / (last.at - first.at)
  }

  /** For so many bytes more; `null` when nobody can tell, as when nothing moves. */
  remainingSeconds(bytesLeft: number): number | null {
    const speed = this.bytesPerSecond
    return speed === null || speed <= 0 ? null : bytesLeft / speed
  }
}
