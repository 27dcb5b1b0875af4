import type { PaletteEntry, PaletteGroup } from './palette-entry.ts'

/** More than a screen has, and few enough to be drawn at every key. */
export const mostShown = 50

/** An entry with its place among all that are shown. */
export interface ShownEntry extends PaletteEntry {
  readonly at: number
}

export interface ShownGroup {
  readonly title: PaletteGroup | 'Recent'
  readonly entries: readonly ShownEntry[]
}

/**
 * The best ones under their headings: the group of the best entry first. Before anything is typed, what was chosen
 * lately comes before all.
 */
export function groupEntries(
  best: readonly PaletteEntry[],
  { query, recents }: { readonly query: string; readonly recents: readonly string[] },
): readonly ShownGroup[] {
  const lately = new Set(query.trim() === '' ? recents : [])
  const groups = new Map<ShownGroup['title'], PaletteEntry[]>()
  for (const entry of best.slice(0, mostShown)) {
    const title = lately.has(entry.id) ? 'Recent' : entry.group
    const group = groups.get(title)
    if (group === undefined) groups.set(title, [entry])
    else group.push(entry)
  }
  let at = 0
  return [...groups].map(([title, entries]) => ({
    title,
    entries: entries.map((entry) => ({ ...entry, at: at++ })),
  }))
}
