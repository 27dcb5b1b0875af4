import { formatDecimals } from './format-locale.ts'

// The words are English whatever locale numbers are written in: 1.5 and 0 have other forms in other languages.
const rules = new Intl.PluralRules('en')

/** The form of a word that goes with a count: `is` with 1, `are` with any other. @param others by default with an s */
export function plural(count: number, one: string, others = `${one}s`): string {
  return rules.select(count) === 'one' ? one : others
}

/** A count with what is counted: `1 offer`, `0 offers`, `1,024 entries`. @param others by default with an s */
export function counted(count: number, one: string, others?: string): string {
  return `${formatDecimals(count, 0, 3)} ${plural(count, one, others)}`
}
