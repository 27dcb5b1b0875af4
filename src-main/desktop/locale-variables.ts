/** Longer than any name of a locale, and little enough for every request that takes them along. */
const longest = 100
/** What OpenSSH's client passes on by itself on Debian: `SendEnv LANG LC_*`. */
const names = /^(?:LANG|LC_[A-Z]+)$/

/** As the macOS Terminal sets LC_CTYPE; no other system has such a locale. */
const onlyOfMac = 'UTF-8'

/**
 * The user's language and their forms of numbers and dates, as programs on an instance take them from their environment.
 * Where there is none, as for an app that the macOS Finder or Windows starts, what terminals show still is UTF-8, and
 * that is said by the one such locale that every current Linux has.
 */
export function localeVariables(
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  const found = Object.entries(env).flatMap(([name, value = '']) =>
    names.test(name) && !['', onlyOfMac].includes(value) && value.length <= longest
      ? [[name, value] as const]
      : [],
  )
  return found.length === 0 ? { LANG: 'C.UTF-8' } : Object.fromEntries(found)
}
