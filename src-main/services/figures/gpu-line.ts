/** From one place of a line to the next, in ms: the pace of the list. */
export const lineStepMs = 10_000
/** Ten minutes. */
const places = 60

/** The use of an instance's GPUs in the last ten minutes, the last value in each step; `null` where none came. */
export class GpuLine {
  #values: readonly (number | null)[] = []
  /** The step of the last value. */
  #step = 0

  /** @param at ms since the epoch */
  add(at: number, percent: number | null): void {
    this.#values = this.read(at).with(-1, percent === null ? null : Math.round(percent))
    this.#step = stepOf(at)
  }

  /** As of a time, the oldest first. */
  read(at: number): readonly (number | null)[] {
    // A clock that was set back makes no gap.
    const gone = Math.min(places, Math.max(0, stepOf(at) - this.#step))
    const line = [...this.#values, ...Array.from<null>({ length: gone }).fill(null)]
    const short = Math.max(0, places - line.length)
    return [...Array.from<null>({ length: short }).fill(null), ...line].slice(-places)
  }
}

function stepOf(at: number): number {
  return Math.floor(at / lineStepMs)
}
