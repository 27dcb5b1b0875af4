import { formatLocale } from '../base/format-locale.ts'
import { largestSizeGb } from './rent-request.ts'

/**
 * What was typed as a number, with a point before its decimals; `null` for nothing and for anything else. Where numbers are
 * written with points between groups, `1.500` is 1500 for some and 1.5 for others: nobody's money goes by a guess.
 */
export function typedNumber(text: string): number | null {
  const typed = text.trim()
  if (/^[+-]?\d{1,3}(?:\.\d{3})+$/.test(typed) && hasPointsBetweenGroups()) return null
  return /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/.test(typed) ? Number(typed) : null
}

/** What was typed as the size of a disk or a volume; `null` when it cannot be one. */
export function typedSizeGb(text: string): number | null {
  const value = typedNumber(text)
  return value !== null && value > 0 && value <= largestSizeGb ? value : null
}

function hasPointsBetweenGroups(): boolean {
  const parts = new Intl.NumberFormat(formatLocale()).formatToParts(1_000_000)
  return parts.some(({ type, value }) => type === 'group' && value === '.')
}
