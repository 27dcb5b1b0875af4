import type { FileEntry } from '../../domain/files/transfer.ts'

/**
 * Folders first, then by name as people count: `a9` before `a10`, without regard to case and accents. Names that are
 * equal so far come in the order of their characters. Made for 200,000 entries, for which a collator takes seconds.
 */
export function inFolderOrder(entries: readonly FileEntry[]): readonly FileEntry[] {
  return entries
    .map((entry) => ({ entry, key: (entry.kind === 'folder' ? '0' : '1') + nameKey(entry.name) }))
    .sort((a, b) => compare(a.key, b.key) || compare(a.entry.name, b.entry.name))
    .map(({ entry }) => entry)
}

/** Names in the order of these are in the order of people: a number is preceded by how many digits it has. */
function nameKey(name: string): string {
  const lower = name.toLowerCase()
  // ASCII, which nearly all names are, has no accents.
  const plain = /^\p{ASCII}*$/u.test(lower) ? lower : lower.normalize('NFD').replace(/\p{M}/gu, '')
  return plain.replace(/\d+/g, (digits) => {
    const number = digits.replace(/^0+(?=\d)/, '')
    return `0${String.fromCharCode(number.length)}${number}`
  })
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}
