import type { FileEntry } from '#domain/files/transfer.ts'

export type FileColumn = 'name' | 'size' | 'changed' | 'owner' | 'mode'

/** What the entries of a folder are ordered by. */
export interface FileSorting {
  readonly column: FileColumn
  readonly direction: 'asc' | 'desc'
}

export const byName: FileSorting = { column: 'name', direction: 'asc' }

/** A click on a column's head: by this column, and the other way round if it is already. */
export function sortedBy(column: FileColumn, now: FileSorting): FileSorting {
  const isSame = now.column === column
  return { column, direction: isSame && now.direction === 'asc' ? 'desc' : 'asc' }
}

/**
 * Entries in another order: folders first always, what isn't known last, and what is equal by name.
 *
 * @param entries as main lists them: folders first, then by name
 * @param sizeOf bytes of an entry, also of a folder that was counted; `null` when it isn't known
 */
export function inOrder<T extends { readonly entry: FileEntry }>(
  entries: readonly T[],
  { column, direction }: FileSorting,
  sizeOf: (entry: FileEntry) => number | null,
): readonly T[] {
  const groups = [
    entries.filter(({ entry }) => entry.kind === 'folder'),
    entries.filter(({ entry }) => entry.kind !== 'folder'),
  ]
  const sign = direction === 'asc' ? 1 : -1
  return groups.flatMap((group) => {
    if (column === 'name') return sign === 1 ? group : group.toReversed()
    const valued = group.map((row) => ({ row, value: valueOf(row.entry, column, sizeOf) }))
    valued.sort((a, b) => compare(a.value, b.value, sign))
    return valued.map(({ row }) => row)
  })
}

type Value = number | string | null

function valueOf(
  entry: FileEntry,
  column: Exclude<FileColumn, 'name'>,
  sizeOf: (entry: FileEntry) => number | null,
): Value {
  switch (column) {
    case 'size':
      return sizeOf(entry)
    case 'changed':
      return entry.modifiedAt
    case 'owner':
      return entry.owner ?? null
    case 'mode':
      return entry.mode
  }
}

function compare(a: Value, b: Value, sign: 1 | -1): number {
  if (a === b) return 0
  if (a === null) return 1
  if (b === null) return -1
  return a < b ? -sign : sign
}
