/** What was typed as a number; `null` for nothing and for anything else. */
export function typedNumber(text: string): number | null {
  const typed = text.trim()
  const value = typed === '' ? Number.NaN : Number(typed)
  return Number.isFinite(value) ? value : null
}
