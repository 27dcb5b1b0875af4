/** What stands where a value is not known. Never 0: an unknown price is not a free machine. */
export const unknown = '–'

type Maybe = number | null | undefined

export function isKnown(value: Maybe): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}

/**
 * US dollars with two to four significant digits: `$0.342`, `$1.84`, `$42.10`, `$1,250`. Prices below a cent
 * keep the digits that tell them apart: `$0.0035`.
 */
export function formatUsd(amount: Maybe): string {
  if (!isKnown(amount)) return unknown
  const size = Math.abs(amount)
  const digits = size >= 100 ? 0 : size === 0 || size >= 1 ? 2 : fractionDigitsFor(size)
  return `${amount < 0 ? '−' : ''}$${formatOf(digits).format(size)}`
}

const formats = new Map<number, Intl.NumberFormat>()

/** To make one takes longer than to draw a row of a table. At most `digits` decimals, and two where there are any. */
function formatOf(digits: number): Intl.NumberFormat {
  const options = { minimumFractionDigits: Math.min(2, digits), maximumFractionDigits: digits }
  const format = formats.get(digits) ?? new Intl.NumberFormat('en-US', options)
  formats.set(digits, format)
  return format
}

/** Fraction digits that show three significant ones of a number below 1; at most 8. */
function fractionDigitsFor(size: number): number {
  return Math.min(8, Math.max(2, 2 - Math.floor(Math.log10(size))))
}

/** A rate: `$0.342/h`. */
export function formatUsdPerHour(amount: Maybe): string {
  return isKnown(amount) ? `${formatUsd(amount)}/h` : unknown
}
