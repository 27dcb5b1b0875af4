import { expect, test } from 'vitest'
import { canBeColumn, columnsView, moved, movedAmong } from '#domain/fields/columns-view.ts'

test.each([
  ['a', 0, 'abc'],
  ['a', 1, 'bac'],
  ['a', 2, 'bca'],
  ['c', 0, 'cab'],
  ['b', 9, 'acb'],
  ['b', -3, 'bac'],
  ['x', 1, 'abc'],
])('“%s” moved to %i', (name, to, names) => {
  expect(moved(['a', 'b', 'c'], name, to).join('')).toBe(names)
})

test('a column that is not there now keeps its place while others are moved', () => {
  const isSeen = (name: string): boolean => name !== 'b'
  expect(movedAmong(['a', 'b', 'c', 'd'], isSeen, 'd', 0)).toEqual(['d', 'b', 'a', 'c'])
  expect(movedAmong(['a', 'b', 'c', 'd'], isSeen, 'x', 0)).toEqual(['a', 'b', 'c', 'd'])
})

test('every name that can be a column can be kept', () => {
  const names = ['gpu_name', '', 'x'.repeat(200), 'x'.repeat(201), '__proto__']
  const kept = names.filter(canBeColumn)
  expect(kept).toEqual(['gpu_name', 'x'.repeat(200), '__proto__'])
  expect(columnsView.safeParse({ columns: kept, widthsPx: {} }).success).toBe(true)
})
