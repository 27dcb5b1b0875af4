import type { FilterInput } from './filter.ts'
import type { JsonValue } from '../base/json-value.ts'

export type ParsedValue =
  { readonly ok: true; readonly value: JsonValue } | { readonly ok: false; readonly why: string }

/** Digits that a scaled number keeps: enough for any size, few enough to drop what 24 / 0.001 leaves over. */
const significantDigits = 12

/** What one typed text means for the service. The text is not empty. */
export function parseFilterText(typed: string, input: FilterInput): ParsedValue {
  const text = typed.trim()
  switch (input.kind) {
    case 'number':
      return parseNumber(text, input)
    case 'yes-no':
      if (/^(true|yes)$/i.test(text)) return { ok: true, value: true }
      if (/^(false|no)$/i.test(text)) return { ok: true, value: false }
      return { ok: false, why: 'Enter yes or no.' }
    case 'time':
      return parseTime(text)
    case 'text':
      return { ok: true, value: text }
    case 'any':
      return { ok: true, value: literalOf(text) }
  }
}

/** The text that means exactly this value, or `null` where none does. */
export function filterTextOf(value: JsonValue, input: FilterInput): string | null {
  const text = candidate(value, input)
  if (text === null || text.trim() === '') return null
  const back = parseFilterText(text, input)
  return back.ok && Object.is(back.value, value) ? text : null
}

function candidate(value: JsonValue, input: FilterInput): string | null {
  switch (input.kind) {
    case 'number':
      if (typeof value !== 'number') return null
      return plainDecimal(input.scale === 1 ? value : rounded(value * input.scale))
    case 'yes-no':
      return typeof value === 'boolean' ? String(value) : null
    case 'time':
      return typeof value === 'number' ? timeText(value) : null
    case 'text':
      return typeof value === 'string' ? value : null
    case 'any':
      if (typeof value === 'object' && value !== null) return null
      if (typeof value !== 'string' || literalOf(value) !== value) return JSON.stringify(value)
      return value.trim() === value && value !== '' ? value : JSON.stringify(value)
  }
}

function parseNumber(
  text: string,
  { scale, isWhole }: Extract<FilterInput, { kind: 'number' }>,
): ParsedValue {
  const typed = /^[+-]?(\d+(?:\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN
  // In the service's unit, what is typed may be past all numbers.
  const value = scale === 1 ? typed : rounded(typed / scale)
  if (!Number.isFinite(value))
    return { ok: false, why: isWhole ? 'Enter a whole number.' : 'Enter a number, such as 0.5.' }
  if (isWhole && !Number.isSafeInteger(typed)) return { ok: false, why: 'Enter a whole number.' }
  // -0 would come back from the service as another value.
  return { ok: true, value: value + 0 }
}

function rounded(value: number): number {
  return Number(value.toPrecision(significantDigits))
}

/** Without an exponent where it can be helped. */
function plainDecimal(value: number): string {
  const text = String(value)
  return text.includes('e-') ? value.toFixed(20).replace(/(?<!0)0+$/, '') : text
}

function parseTime(text: string): ParsedValue {
  const [, day, time = '00:00'] = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}(?::\d{2})?))?$/.exec(text) ?? []
  const ms = day === undefined ? Number.NaN : Date.parse(`${day}T${time}Z`)
  return Number.isNaN(ms)
    ? { ok: false, why: 'Enter a UTC date, with or without a time: 2026-11-30 18:00.' }
    : { ok: true, value: ms / 1000 }
}

function timeText(seconds: number): string | null {
  if (!Number.isInteger(seconds) || Math.abs(seconds) > 8.64e12) return null
  return new Date(seconds * 1000)
    .toISOString()
    .slice(0, seconds % 60 === 0 ? 16 : 19)
    .replace('T', ' ')
}

/** `12`, `true`, `null` and `"12"` as JSON reads them; every other text as it is. */
function literalOf(text: string): JsonValue {
  if (!/^(?:-?\d|true$|false$|null$|".*"$)/s.test(text)) return text
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'number') return Number.isFinite(value) ? value : text
    return typeof value === 'string' || typeof value === 'boolean' || value === null ? value : text
  } catch {
    // Not JSON after all, such as 10.0.0.1.
    return text
  }
}
