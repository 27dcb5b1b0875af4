/**
 * What numbers and dates can be written like, besides as the system does: one locale for each way that differs from the
 * others. Only separators and the names of days and months go by it. Texts are English, so their plurals, lists, and
 * ordinals stay English, too.
 */
export const formatLocales = [
  'en-US',
  'en-GB',
  'en-IN',
  'de-DE',
  'de-CH',
  'es-ES',
  'fr-FR',
  'pt-BR',
  'sv-SE',
  'ja-JP',
  'zh-CN',
] as const

const fallback = 'en-US'

/**
 * The locale of a choice, a BCP 47 tag. Its digits are 0–9 and its calendar is Gregorian, because ids, exact times, and
 * what is typed are so everywhere.
 *
 * @param system what the operating system says; American English where `Intl` doesn't know it
 */
export function formatLocaleOf(choice: 'system' | (typeof formatLocales)[number], system: string): string {
  return plainLocale(choice === 'system' ? system : choice) ?? plainLocale(fallback) ?? fallback
}

function plainLocale(tag: string): string | null {
  try {
    const { language, script, region } = new Intl.Locale(tag)
    // Without variants: that of POSIX has no separators.
    const base = [language, script, region].filter((part) => part !== undefined).join('-')
    const isKnown = Intl.NumberFormat.supportedLocalesOf(base).length > 0
    return isKnown ? `${base}-u-ca-gregory-nu-latn` : null
  } catch {
    // No such tag is well-formed: Linux may say "C".
    return null
  }
}

let source = (): string => fallback

/**
 * What all that is formatted goes by from now on. One user has one way to write numbers, so no formatting function takes
 * it as an argument.
 *
 * @param read asked each time, so that what is reactive is followed
 */
export function followFormatLocale(read: () => string): void {
  source = read
}

/** What is followed. Whoever keeps formatted texts keeps them for this locale. */
export function formatLocale(): string {
  return source()
}

const formats = new Map<string, Intl.NumberFormat>()

/** A number with at least `least` and at most `most` decimals, in groups: `10,000`, `99.60`. */
export function formatDecimals(value: number, least: number, most = least): string {
  // To make a format takes longer than to draw a row of a table.
  const key = `${source()} ${least} ${most}`
  const options = { minimumFractionDigits: least, maximumFractionDigits: most }
  const format = formats.get(key) ?? new Intl.NumberFormat(source(), options)
  formats.set(key, format)
  return format.format(value)
}
