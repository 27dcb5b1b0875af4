import type { FileEntry } from '#domain/files/transfer.ts'
import type { FileColumn } from './file-order.ts'

export const columnLabels: Readonly<Record<FileColumn, string>> = {
  name: 'Name',
  size: 'Size',
  changed: 'Changed',
  owner: 'Owner',
  mode: 'Mode',
}

/** A narrow pane lets go of the mode first, then of the owner, then of the time. */
export const columnClasses: Readonly<Record<FileColumn, string>> = {
  name: '',
  size: 'w-24',
  changed: 'hidden w-36 @md:table-cell',
  owner: 'hidden w-24 @xl:table-cell',
  mode: 'hidden w-26 @2xl:table-cell',
}

/** Where no entry has an owner or a mode, as on Windows, there are no such columns. */
export function columnsOf(entries: readonly FileEntry[]): readonly FileColumn[] {
  const isThere = (has: (entry: FileEntry) => boolean): boolean => entries.length === 0 || entries.some(has)
  return [
    'name',
    'size',
    'changed',
    ...(isThere(({ owner }) => owner !== undefined) ? (['owner'] as const) : []),
    ...(isThere(({ mode }) => mode !== null) ? (['mode'] as const) : []),
  ]
}
