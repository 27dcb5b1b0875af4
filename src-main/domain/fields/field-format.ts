import { formatDecimals } from '../base/format-locale.ts'
import { isSecretName, maskedText, withoutSecrets } from './secret-field.ts'

/** What stands where a value is not known. Never 0: an unknown price is not a free machine. */
export const unknownText = '–'

/** A record of the service: fields of any name and any type. */
export type FieldRecord = Readonly<Record<string, unknown>>

export type FieldFormat =
  | { readonly kind: 'text' }
  /** The number that comes is multiplied by `scale` (default 1) and shown with exactly `decimals`. */
  | { readonly kind: 'number'; readonly decimals: number; readonly scale?: number }
  /** The same, where the service says −1 when it does not know. */
  | { readonly kind: 'measure'; readonly decimals: number }
  /** How many there are: whole numbers. */
  | { readonly kind: 'count' }
  /** Identifiers and ports: no thousands separators. */
  | { readonly kind: 'integer' }
  | { readonly kind: 'usd'; readonly decimals: number }
  /** Seconds since the epoch. */
  | { readonly kind: 'time' }
  | { readonly kind: 'yes-no' }

/** How one field of an offer or an instance is shown. */
export interface Field {
  /** The service's own name. */
  readonly name: string
  readonly label: string
  /** What the numbers count, after scaling; `null` for none. */
  readonly unit: string | null
  readonly format: FieldFormat
  readonly align: 'left' | 'right'
  /** The heading it stands under where all fields are shown. */
  readonly group: string
  /** One of the columns that are there without asking. */
  readonly shown: boolean
}

/** Longest text of one value; the service may send anything. */
const longestText = 2000

/** A field's value as it is shown, without its unit. Anything that is not of the expected type is shown as it came. */
export function formatField(field: Field, value: unknown): string {
  if (isUnknown(value)) return unknownText
  if (isSecretName(field.name)) return maskedText
  switch (field.format.kind) {
    case 'number':
      return typeof value === 'number'
        ? measureText(value * (field.format.scale ?? 1), field.format.decimals)
        : rawText(value)
    case 'count':
      return typeof value === 'number' ? formatDecimals(value, 0, 3) : rawText(value)
    case 'measure':
      if (typeof value !== 'number') return rawText(value)
      return value < 0 ? unknownText : measureText(value, field.format.decimals)
    case 'usd':
      return typeof value === 'number' ? formatUsdDecimals(value, field.format.decimals) : rawText(value)
    case 'time':
      return typeof value === 'number' ? formatEpochSeconds(value) : rawText(value)
    case 'yes-no':
      return typeof value === 'boolean' ? (value ? 'yes' : 'no') : rawText(value)
    case 'integer':
    case 'text':
      return rawText(value)
  }
}

/** A record's value of a field as it is shown, without its unit. */
export function fieldText(field: Field, record: FieldRecord): string {
  return formatField(field, fieldOf(record, field.name))
}

/** The same as {@link formatField} with its unit, for where no heading names it: `820 Mb/s`, `$0.342/h`, `99.6%`. */
export function formatFieldWithUnit(field: Field, value: unknown): string {
  const text = formatField(field, value)
  if (typeof value !== 'number' || text === unknownText || text === maskedText || field.unit === null)
    return text
  if (field.format.kind === 'usd') return text + field.unit.replace(/^\$/, '')
  return /^[%°]/.test(field.unit) ? text + field.unit : `${text} ${field.unit}`
}

/** Whether there is nothing to show: absent, null, an empty text, or no number at all. */
export function isUnknown(value: unknown): boolean {
  return (
    value === undefined ||
    value === null ||
    (typeof value === 'number' && !Number.isFinite(value)) ||
    (typeof value === 'string' && value.trim() === '')
  )
}

/** The value when it is a number, else `null`. */
export function knownNumber(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

/** The value when it is a text with something in it, else `null`. */
export function knownText(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? rawText(value) : null
}

/** A value of a record's own field; nothing that is inherited. */
export function fieldOf(record: FieldRecord, name: string): unknown {
  return Object.hasOwn(record, name) ? record[name] : undefined
}

/** A number that makes sense as an amount: known and not negative. */
export function knownRate(record: FieldRecord, name: string): number | null {
  const value = knownNumber(fieldOf(record, name))
  return value !== null && value >= 0 ? value : null
}

/** Any value as one text: objects as JSON, secrets masked, nothing that could reorder or hide text on the screen. */
function rawText(value: unknown): string {
  // Looking for secrets in megabytes takes its time, and what is cut off anyway holds none that is shown.
  const safe = withoutSecrets(typeof value === 'string' ? value.slice(0, 4 * longestText) : value)
  const text = typeof safe === 'string' ? safe : (JSON.stringify(safe) ?? unknownText)
  return visibleText(text.length > longestText ? `${text.slice(0, longestText)}…` : text)
}

/** Control characters and marks of writing direction, shown as � instead of doing what they do; line ends stay. */
export function visibleText(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, (character) => (/[\n\t]/.test(character) ? character : '�'))
}

/** What is not 0 is never shown as 0: two significant digits are. */
function measureText(value: number, decimals: number): string {
  const size = Math.abs(value)
  if (size === 0 || size >= 0.5 * 10 ** -decimals) return formatDecimals(value, decimals)
  const rounded = Number(value.toPrecision(2))
  return size < 1e-8 ? String(rounded) : formatDecimals(rounded, 0, 10)
}

function formatUsdDecimals(value: number, decimals: number): string {
  return `${value < 0 ? '−' : ''}$${measureText(Math.abs(value), decimals)}`
}

/** `2026-11-21 03:44 UTC`; a number that is no time is shown as it came. */
function formatEpochSeconds(seconds: number): string {
  const ms = seconds * 1000
  if (Math.abs(ms) > 8.64e15) return String(seconds)
  return `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
