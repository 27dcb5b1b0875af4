const rules = new Intl.PluralRules('en-US')
const digits = new Intl.NumberFormat('en-US')

/** The form of a word that goes with a count: `is` with 1, `are` with any other. @param others by default with an s */
export function plural(count: number, one: string, others = `${one}s`): string {
  return rules.select(count) === 'one' ? one : others
}

/** A count with what is counted: `1 offer`, `0 offers`, `1,024 entries`. @param others by default with an s */
export function counted(count: number, one: string, others?: string): string {
  return `${digits.format(count)} ${plural(count, one, others)}`
}
