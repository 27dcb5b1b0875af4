import fc from 'fast-check'
import { expect, it } from 'vitest'
import { moveItem } from '../../../src-renderer/features/terminals/tab-order.ts'

it.each([
  ['a', 2, 'bca'],
  ['c', 0, 'cab'],
  ['b', 1, 'abc'],
  ['a', 99, 'bca'],
  ['c', -1, 'cab'],
  ['x', 0, 'abc'],
])('%s moved to %i of abc gives %s', (item, place, moved) => {
  expect(moveItem(['a', 'b', 'c'], item, place).join('')).toBe(moved)
})

it('loses and doubles nothing, and keeps the order of the others', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(), { minLength: 1 }), fc.nat(), fc.integer(), (list, at, place) => {
      const item = list[at % list.length] ?? 0
      const moved = moveItem(list, item, place)
      expect(moved.toSorted()).toEqual(list.toSorted())
      expect(moved.filter((one) => one !== item)).toEqual(list.filter((one) => one !== item))
    }),
  )
})
