import { expect, test } from 'vitest'
import { moved } from '#domain/offer-view.ts'

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
