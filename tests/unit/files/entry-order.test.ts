import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { FileEntry } from '#domain/files/transfer.ts'
import { inFolderOrder } from '#services/files/entry-order.ts'

function entry(name: string, kind: FileEntry['kind'] = 'file'): FileEntry {
  return { name, kind, size: 0, modifiedAt: null, mode: null }
}
const sorted = (...names: readonly string[]): readonly string[] =>
  inFolderOrder(names.map((name) => entry(name))).map(({ name }) => name)

test('folders come first, then names as people count and read', () => {
  expect(
    inFolderOrder([entry('a'), entry('z', 'folder'), entry('b', 'link')]).map(({ name }) => name),
  ).toEqual(['z', 'a', 'b'])
  expect(sorted('a10', 'a9', 'a009', 'a', 'B', 'b', 'Ä', 'az')).toEqual([
    ...['a', 'Ä', 'a009', 'a9', 'a10', 'az', 'B', 'b'],
  ])
  expect(sorted('x-2', 'x-10', 'x_1', 'x')).toEqual(['x', 'x-2', 'x-10', 'x_1'])
})

test('hostile: any names have one order, whatever order they come in, and none is lost', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^\d{1,255}$/))),
      (names) => {
        const once = sorted(...names)
        expect(once.toSorted()).toEqual(names.toSorted())
        expect(sorted(...names.toReversed())).toEqual(once)
      },
    ),
  )
})
