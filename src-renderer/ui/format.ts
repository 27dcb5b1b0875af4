import {
  boundOf,
  boundWords,
  formatUsd,
  formatUsdPerHour,
  isKnown,
  unknown,
  type Burn,
} from '#domain/money/money.ts'
import { bytesText, spanText } from '#domain/base/format-amounts.ts'
import { formatDecimals } from '#domain/base/format-locale.ts'
import { serviceLine } from '#domain/rental-api/service-text.ts'

export { secondsText as formatSeconds } from '#domain/base/format-amounts.ts'
export { formatUsd, formatUsdPerHour, unknown } from '#domain/money/money.ts'

type Maybe = number | null | undefined

/**
 * What several instances cost together; where some have no known price, the least that it can be. `null` when it isn't known.
 *
 * @param isIncomplete whether some of what is charged may be missing, or counted though it's gone
 */
export function burnText(burn: Burn, isIncomplete = false): string | null {
  if (burn.kind === 'unknown' || (isIncomplete && burn.charged === 0)) return null
  return `${boundWords[boundOf(burn, isIncomplete)]}${formatUsdPerHour(burn.perHourUsd)}`
}

/** Money that was spent: what is not yet a cent stands as `< $0.01`. */
export function formatSpentUsd(amount: Maybe): string {
  return isKnown(amount) && amount > 0 && amount < 0.01 ? `< ${formatUsd(0.01)}` : formatUsd(amount)
}

/** Bytes in decimal units, as networks and disks count: `999 B`, `1.2 MB`. */
export function formatBytes(bytes: Maybe): string {
  return isKnown(bytes) ? bytesText(bytes) : unknown
}

/** A number with at most `digits` decimals, in the user's locale: `10,000`, `99.6`. */
export function formatNumber(value: Maybe, digits = 0): string {
  if (!isKnown(value)) return unknown
  return formatDecimals(value, 0, digits)
}

/** Time that has passed, as a clock shows it: `0:09`, `2:10`, `1:02:10`; from a day on `3 d 4 h`. */
export function formatDuration(ms: Maybe): string {
  if (!isKnown(ms)) return unknown
  const seconds = Math.max(0, Math.floor(ms / 1000))
  const [days, hours, minutes] = [seconds / 86_400, (seconds / 3600) % 24, (seconds / 60) % 60].map(
    Math.floor,
  )
  if (days) return `${days} d ${hours ?? 0} h`
  const two = (value: number): string => String(value).padStart(2, '0')
  return hours ? `${hours}:${two(minutes ?? 0)}:${two(seconds % 60)}` : `${minutes ?? 0}:${two(seconds % 60)}`
}

/** A time as seen from now: `just now`, `8 s ago`, `5 min ago`, `3 h ago`, `12 days ago`, `in 3 s`. Both in ms. */
export function formatRelative(at: Maybe, now: number): string {
  if (!isKnown(at)) return unknown
  const seconds = Math.round((now - at) / 1000)
  const text = spanText(Math.abs(seconds))
  if (text === null) return 'just now'
  return seconds > 0 ? `${text} ago` : `in ${text}`
}

/** The exact time with its zone, the same in every locale, so that it can be searched for and compared: `2026-11-03 14:05:09 UTC+1`. */
export function formatExact(at: Maybe, timeZone?: string): string {
  if (!isKnown(at)) return unknown
  return new Intl.DateTimeFormat('sv-SE', {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'shortOffset',
    ...(timeZone === undefined ? {} : { timeZone }),
  })
    .format(at)
    .replace(/GMT(\+0$)?/, 'UTC')
}

/** How long credit lasts at a rate: `22 h left`, `3 days left`, `less than 1 h left`. */
export function formatRunway(hours: Maybe): string {
  if (!isKnown(hours)) return unknown
  if (hours < 1) return 'less than 1 h left'
  return `${spanText(Math.floor(hours) * 3600) ?? '0 h'} left`
}

/** Of words from elsewhere: longer than all algorithms of both sides. */
export const longestDetail = 4_000

/**
 * A detail from elsewhere as a sentence: with one full stop, whether it had one or not. It may be a machine's own words,
 * so nothing in it hides or reorders what stands around it.
 */
export function asSentence(text: string): string {
  const line = serviceLine(text, longestDetail)
  return /[.?!…]$/.test(line) ? line : `${line}.`
}

/** `statement: reason.` with a reason from elsewhere, as {@link asSentence} takes it; `statement.` where none was given. */
export function withReason(statement: string, reason: string): string {
  return /[^\s.]/.test(serviceLine(reason, longestDetail))
    ? `${statement}: ${asSentence(reason)}`
    : `${statement}.`
}
