import { dueTimeText } from '#domain/accounts/tray-summary.ts'

const exampleTime = new Date(2026, 10, 21, 18, 30).getTime()

/** What a locale calls itself: `Deutsch (Schweiz)`. */
export function formatName(locale: string): string {
  return new Intl.DisplayNames(locale, { type: 'language', languageDisplay: 'standard' }).of(locale) ?? locale
}

/** A number and a date as a locale writes them: `12,345.6 · Sat, Nov 21, 18:30`. */
export function formatExample(locale: string): string {
  return `${new Intl.NumberFormat(locale).format(12_345.6)} · ${dueTimeText(exampleTime, locale)}`
}
