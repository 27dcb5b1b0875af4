/** One measured value, with what it is to be read against. */
export interface Figure {
  readonly name: string
  readonly value: number
  readonly unit: string
  /** The target, or the yardstick that was measured in the same run. */
  readonly beside: string
}

/** The middle one of several measurements. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
