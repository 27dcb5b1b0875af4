import { formatDecimals } from './format-locale.ts'
import { counted } from './plural.ts'

/** Bytes in decimal units, as networks and disks count: `999 B`, `1.2 MB`. */
export function bytesText(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB']
  let value = bytes
  let unit = 0
  // 999.5 would be rounded to 1,000: it is shown in the next unit.
  while (Math.abs(value) >= 999.5 && unit < units.length - 1) {
    value /= 1000
    unit += 1
  }
  const digits = unit === 0 || Math.abs(value) >= 99.95 ? 0 : 1
  return `${formatDecimals(value, 0, digits)} ${units[unit] ?? ''}`
}

/** A span of whole seconds in its one fitting unit; `null` when it is too short to speak of. */
export function spanText(seconds: number): string | null {
  if (seconds < 2) return null
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h`
  return counted(Math.floor(seconds / 86_400), 'day')
}

/** A pause in the words of a sentence: `8 s`, `2 min`. */
export function secondsText(seconds: number): string {
  return spanText(Math.ceil(seconds)) ?? '1 s'
}
