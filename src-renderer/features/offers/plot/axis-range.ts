import { formatDecimals } from '#domain/base/format-locale.ts'

/** What an axis spans. */
export interface AxisRange {
  readonly min: number
  readonly max: number
  readonly isLog: boolean
}

/** From here on, equal steps would press most offers against the axis. */
const wideFrom = 20

/** Which values an axis spans, with some air at both ends; logarithmic when they differ by much. */
export function axisRange(values: readonly number[]): AxisRange {
  const [low, high] = [minOf(values), maxOf(values)]
  if (low > 0 && high / low >= wideFrom) return { min: low / 1.2, max: high * 1.2, isLog: true }
  const air = (high - low) * 0.06 || Math.abs(high) * 0.1 || 1
  return { min: low >= 0 ? Math.max(0, low - air) : low - air, max: high + air, isLog: false }
}

/** How far along an axis a value is: 0 at its lower end, 1 at its upper one. */
export function shareOfAxis({ min, max, isLog }: AxisRange, value: number): number {
  return isLog ? Math.log(value / min) / Math.log(max / min) : (value - min) / (max - min)
}

/**
 * Round values between two others for a logarithmic axis: 1, 2 and 5 of each power of ten, or only the powers,
 * or only some of them, when these would be too many.
 */
export function logTicks(min: number, max: number): readonly number[] {
  const first = Math.floor(Math.log10(min))
  const powers = Array.from({ length: Math.ceil(Math.log10(max)) - first + 1 }, (_, step) => step + first)
  const digits = powers.length > 6 ? ['1'] : ['1', '2', '5']
  const every = Math.ceil(powers.length / 10)
  return powers
    .filter((power) => power % every === 0)
    .flatMap((power) => digits.map((digit) => Number(`${digit}e${power}`)))
    .filter((value) => value >= min && value <= max)
}

const magnitudes = [
  [1e12, 'T'],
  [1e9, 'B'],
  [1e6, 'M'],
] as const

/** A value beside an axis, never longer than there is room: `0.05`, `2,000`, `50M`. */
export function axisLabel(value: number): string {
  const rounded = Number(value.toPrecision(3))
  const [size, letter] = magnitudes.find(([least]) => Math.abs(rounded) >= least) ?? [1, '']
  return `${formatDecimals(rounded / size, 0, letter === '' ? 20 : 2)}${letter}`
}

// Spread into Math.min, ten thousand values and more could be too many arguments.
function minOf(values: readonly number[]): number {
  return values.reduce((least, value) => Math.min(least, value), values[0] ?? 0)
}
function maxOf(values: readonly number[]): number {
  return values.reduce((most, value) => Math.max(most, value), values[0] ?? 0)
}
