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
  return text !== undefined && /^\d{1,15}(\.\d{1,9})?$/.test(text.trim()) ? Number(text) : null
}

const longestText = 120

/** A stranger's text, as long as it may be shown. */
export function boundedText(text: string): string {
  return text.length > longestText ? `${text.slice(0, longestText - 1)}…` : text
}
