/** After such a pause, what is typed begins anew. */
export const typingPauseMs = 1_000

/**
 * The row that somebody types the beginning of; `null` when there is none. One letter goes to the next row that begins
 * with it, again and again; more letters stay on a row that fits.
 *
 * @param names as they are searched: in lower case
 * @param from the row to go from
 */
export function rowByTyping(names: readonly string[], from: number, typed: string): number | null {
  const wanted = typed.toLowerCase()
  if (wanted === '') return null
  const [first = ''] = wanted
  const isRepeated = Array.from(wanted).every((letter) => letter === first)
  const begin = isRepeated ? from + 1 : from
  return find(names, begin, isRepeated ? first : wanted) ?? find(names, from, wanted)
}

function find(names: readonly string[], begin: number, wanted: string): number | null {
  for (let step = 0; step < names.length; step += 1) {
    const at = (begin + step) % names.length
    if (names[at]?.startsWith(wanted)) return at
  }
  return null
}
