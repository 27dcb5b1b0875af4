import { serviceLine } from '../../domain/rental-api/service-text.ts'

/** What a tool printed, with `exit <n>` as its last line where it failed. */
export type ToolText = string

/** How a tool ended, and what it said. 124: it didn't end in its time (`timeout`). */
export function exitOf(text: ToolText): { readonly code: number; readonly lines: readonly string[] } {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const code = /^exit (\d{1,3})$/.exec(lines.at(-1) ?? '')?.[1]
  return code === undefined ? { code: 0, lines } : { code: Number(code), lines: lines.slice(0, -1) }
}

/** A number of at least 0; `null` for `[N/A]`, `[Unknown Error]`, and whatever else is none. */
export function numberIn(text: string | undefined): number | null {
  // A counter of nanoseconds has 17 digits after a month of 64 processors.
  return text !== undefined && /^\d{1,20}(\.\d{1,9})?$/.test(text.trim()) ? Number(text) : null
}

/** A whole number, times as much; `null` for what is none, or too large to be counted exactly. */
export function countIn(text: string | undefined, times = 1): number | null {
  const number = numberIn(text)
  if (number === null) return null
  const count = times === 1 ? number : Math.round(number * times)
  return Number.isSafeInteger(count) ? count : null
}

const longestText = 120

/** A stranger's text in one line, as long as it may be shown. */
export function boundedText(text: string): string {
  return serviceLine(text, longestText)
}

/** The words between white space. */
export function wordsOf(text: string): readonly string[] {
  return text.split(/\s/).filter((word) => word !== '')
}
