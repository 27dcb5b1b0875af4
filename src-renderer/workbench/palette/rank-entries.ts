import { mostRecents } from '#domain/workbench/workbench-state.ts'
import type { PaletteEntry } from './palette-entry.ts'

/** An entry as it is searched. */
export interface IndexedEntry {
  readonly entry: PaletteEntry
  readonly label: string
  readonly rest: string
}

/** Prepares entries for being searched at every key. */
export function indexEntries(entries: readonly PaletteEntry[]): readonly IndexedEntry[] {
  return entries.map((entry) => ({
    entry,
    label: fold(entry.label),
    rest: fold(entry.words === undefined ? entry.detail : `${entry.detail} ${entry.words}`),
  }))
}

/**
 * The entries that have every word of the query, the best first: the label begins with the query, then words of it
 * do, then they are inside of it, then the same in what is said beside it. Among equals what was chosen lately comes
 * first, what cannot be used now last.
 *
 * @param recents ids of entries, the latest first
 */
export function findEntries(
  indexes: readonly (readonly IndexedEntry[])[],
  query: string,
  recents: readonly string[],
): readonly PaletteEntry[] {
  const whole = fold(query).trim()
  const words = whole.split(/\s+/).filter((word) => word !== '')
  const lately = new Map(recents.map((id, at) => [id, at]))
  const ranked: { readonly entry: PaletteEntry; readonly rank: number; readonly order: number }[] = []
  for (const index of indexes)
    for (const { entry, label, rest } of index) {
      const fit = fitOf(whole, words, label, rest)
      if (fit === null) continue
      const recent = lately.get(entry.id) ?? mostRecents
      // One number is compared many times quicker than its four parts.
      const rank = ((fit * 100 + recent) * 2 + (entry.blocked ? 1 : 0)) * 10 + (entry.after ?? 0)
      ranked.push({ entry, rank, order: ranked.length })
    }
  return ranked
    .sort((one, other) => one.rank - other.rank || one.order - other.order)
    .map(({ entry }) => entry)
}

/** Without case and accents, and with the keyboard's apostrophe: "Orléans" is found by "orleans", "can’t" by "can't". */
function fold(text: string): string {
  // Most texts have neither, and there are thousands.
  const plain = /^[\x20-\x7e]*$/.test(text)
    ? text
    : text.normalize('NFKD').replace(/\p{M}/gu, '').replaceAll('’', "'")
  return plain.toLowerCase()
}

/** How well it fits, 0 for best; `null` when a word is missing. */
function fitOf(whole: string, words: readonly string[], label: string, rest: string): number | null {
  if (whole === '' || label.startsWith(whole)) return 0
  let worst = 0
  for (const word of words) {
    const inLabel = placeOf(word, label)
    const inRest = inLabel === null ? placeOf(word, rest) : null
    if (inLabel === null && inRest === null) return null
    worst = Math.max(worst, inLabel ?? 2 + (inRest ?? 0))
  }
  return worst
}

/** 1 at the beginning of a word, 2 inside of one. */
function placeOf(word: string, text: string): 1 | 2 | null {
  let at = text.indexOf(word)
  if (at === -1) return null
  for (; at !== -1; at = text.indexOf(word, at + 1))
    if (at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? '')) return 1
  return 2
}
