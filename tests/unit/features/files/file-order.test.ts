import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { FileEntry } from '#domain/files/transfer.ts'
import {
  byName,
  inOrder,
  sortedBy,
  type FileColumn,
  type FileSorting,
} from '../../../../src-renderer/features/files/file-order.ts'

type Given = Partial<FileEntry> & Pick<FileEntry, 'name'>
function row(given: Given) {
  return { entry: { kind: 'file', size: 0, modifiedAt: null, mode: null, ...given } as const }
}
const folder = (name: string, given: Partial<FileEntry> = {}) => row({ ...given, name, kind: 'folder' })
const sizeOf = ({ kind, size }: FileEntry): number | null => (kind === 'folder' && size === 0 ? null : size)
const names = (rows: readonly { readonly entry: FileEntry }[]): readonly string[] =>
  rows.map(({ entry }) => entry.name)

const rows = [
  folder('logs'),
  folder('models', { size: 5_000 }),
  row({ name: 'a', size: 30, modifiedAt: 3, owner: 'root', mode: 0o644 }),
  row({ name: 'b', size: 10, modifiedAt: null, owner: 'kim', mode: 0o755 }),
  row({ name: 'c', size: 10, modifiedAt: 8.64e15, mode: 0o600 }),
]

it('begins with a column rising, and turns round with the next click', () => {
  const bySize = sortedBy('size', byName)
  expect(bySize).toEqual({ column: 'size', direction: 'asc' })
  expect(sortedBy('size', bySize)).toEqual({ column: 'size', direction: 'desc' })
  expect(sortedBy('size', sortedBy('size', bySize))).toEqual(bySize)
  expect(sortedBy('name', byName)).toEqual({ column: 'name', direction: 'desc' })
})

it.each<[FileSorting, string]>([
  [byName, 'logs models a b c'],
  [{ column: 'name', direction: 'desc' }, 'models logs c b a'],
  [{ column: 'size', direction: 'asc' }, 'models logs b c a'],
  [{ column: 'size', direction: 'desc' }, 'models logs a b c'],
  [{ column: 'changed', direction: 'asc' }, 'logs models a c b'],
  [{ column: 'changed', direction: 'desc' }, 'logs models c a b'],
  [{ column: 'owner', direction: 'asc' }, 'logs models b a c'],
  [{ column: 'owner', direction: 'desc' }, 'logs models a b c'],
  [{ column: 'mode', direction: 'asc' }, 'logs models c a b'],
])('%o', (sorting, expected) => {
  expect(names(inOrder(rows, sorting, sizeOf)).join(' ')).toBe(expected)
})

it('has folders first, loses nothing, and leaves equal ones as they were, whatever it is by', () => {
  const entry = fc.record({
    name: fc.string(),
    kind: fc.constantFrom<FileEntry['kind']>('file', 'folder', 'link', 'other'),
    size: fc.constantFrom(0, 1, 2 ** 53, Number.MAX_VALUE),
    modifiedAt: fc.constantFrom(null, 0, 8.64e15),
    mode: fc.constantFrom(null, 0, 0o777),
    owner: fc.constantFrom('a', 'b:c'),
  })
  const column = fc.constantFrom<FileColumn>('name', 'size', 'changed', 'owner', 'mode')
  fc.assert(
    fc.property(fc.array(entry), column, fc.constantFrom('asc', 'desc'), (entries, by, direction) => {
      const given = entries.map((one) => ({ entry: one }))
      const sorted = inOrder(given, { column: by, direction }, sizeOf)
      expect(new Set(sorted)).toEqual(new Set(given))
      expect(sorted).toHaveLength(given.length)
      const kinds = sorted.map(({ entry: { kind } }) => kind === 'folder')
      expect(kinds).toEqual(kinds.toSorted((a, b) => Number(b) - Number(a)))
      if (by !== 'name') expect(inOrder(sorted, { column: by, direction }, sizeOf)).toEqual(sorted)
    }),
  )
})
