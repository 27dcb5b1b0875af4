/** One measured value, with what it is to be read against. */
export interface Figure {
  readonly name: string
  readonly value: number
  readonly unit: string
  /** The yardstick that was measured in the same run, and on what. */
  readonly beside: string
  /** What `value` should be; without one it is only told. */
  readonly target?: Target
  /** Of the rounds. */
  readonly spread?: Spread
}

export type Target = { readonly atLeast: number } | { readonly atMost: number }

export interface Spread {
  readonly least: number
  readonly most: number
}

/** Whether the target is met; `null` without one. */
export function isMet({ value, target }: Figure): boolean | null {
  if (target === undefined) return null
  return 'atLeast' in target ? value >= target.atLeast : value <= target.atMost
}

/** The middle one of several measurements. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

/** @param share 0.99 for the value that 99 of 100 are not above */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export function spreadOf(values: readonly number[]): Spread {
  return { least: Math.min(...values), most: Math.max(...values) }
}

export interface Comparison {
  readonly name: string
  /** One value a round, in the rounds' order. */
  readonly subject: readonly number[]
  readonly yardstick: readonly number[]
  /** What the yardstick is, such as `ssh -L`. */
  readonly against: string
  /** Of the values themselves. */
  readonly unit: string
  readonly target?: Target
}

/** Subject by yardstick, round by round, so that what slows down the machine for a while slows down both. */
export function ratio({ name, subject, yardstick, against, unit, target }: Comparison): Figure {
  const ratios = subject.map((value, round) => value / (yardstick[round] ?? Number.NaN))
  return {
    name,
    value: median(ratios),
    unit: '×',
    beside: `${shown(median(subject))} ${unit}, ${against} ${shown(median(yardstick))} ${unit}`,
    ...(target && { target }),
    spread: spreadOf(ratios),
  }
}

/** The value itself with its spread, and how often the yardstick it is: where what counts is what a user waits for. */
export function valueBeside({ name, subject, yardstick, against, unit }: Comparison): Figure {
  const own = median(yardstick)
  return {
    name,
    value: median(subject),
    unit,
    beside: `${shown(median(subject) / own)} × ${against} (${shown(own)} ${unit})`,
    spread: spreadOf(subject),
  }
}

/** With as many decimals as say something. */
export function shown(value: number): string {
  return value.toFixed(Math.abs(value) < 10 ? 2 : Math.abs(value) < 100 ? 1 : 0)
}
