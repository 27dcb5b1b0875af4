import { largestSizeGb } from './rent-request.ts'

/** What was typed as a decimal number; `null` for nothing and for anything else. */
export function typedNumber(text: string): number | null {
  const typed = text.trim()
  return /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/.test(typed) ? Number(typed) : null
}

/** What was typed as the size of a disk or a volume; `null` when it cannot be one. */
export function typedSizeGb(text: string): number | null {
  const value = typedNumber(text)
  return value !== null && value > 0 && value <= largestSizeGb ? value : null
}
