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
  const digits: Intl.NumberFormatOptions =
    size === 0 || (size >= 1 && size < 100)
      ? { minimumFractionDigits: 2, maximumFractionDigits: 2 }
      : size < 1
        ? { minimumFractionDigits: 2, maximumFractionDigits: fractionDigitsFor(size) }
        : { maximumFractionDigits: 0 }
  const text = new Intl.NumberFormat('en-US', digits).format(size)
  return `${amount < 0 ? '−' : ''}$${text}`
}

/** Fraction digits that show three significant ones of a number below 1; at most 8. */
function fractionDigitsFor(size: number): number {
  return Math.min(8, Math.max(2, 2 - Math.floor(Math.log10(size))))
}

/** A rate: `$0.342/h`. */
export function formatUsdPerHour(amount: Maybe): string {
  return isKnown(amount) ? `${formatUsd(amount)}/h` : unknown
}
