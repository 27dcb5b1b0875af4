import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isInside, nearestPlace, type Place } from '../../../../../src-renderer/features/offers/plot/lasso.ts'

const square: readonly Place[] = [
  [0, 0],
  [10, 0],
  [10, 10],
  [0, 10],
]
/** A U: what is between its arms is outside. */
const hollow: readonly Place[] = [
  [0, 0],
  [4, 0],
  [4, 6],
  [6, 6],
  [6, 0],
  [10, 0],
  [10, 10],
  [0, 10],
]

test('what is inside the line, and not in its bays', () => {
  expect(isInside([5, 5], square)).toBe(true)
  expect(isInside([11, 5], square)).toBe(false)
  expect(isInside([5, 3], hollow)).toBe(false)
  expect(isInside([5, 8], hollow)).toBe(true)
  expect(isInside([5, 5], [])).toBe(false)
})

test('in a rectangle drawn from any corner, either way round, is what its sides enclose', () => {
  const coordinate = fc.integer({ min: -20, max: 20 })
  fc.assert(
    fc.property(coordinate, coordinate, fc.nat(3), fc.boolean(), (x, y, turn, isBackwards) => {
      // Half steps: no place is on the line itself.
      const place: Place = [x + 0.5, y + 0.5]
      const turned = [...square.slice(turn), ...square.slice(0, turn)]
      const line = isBackwards ? turned.toReversed() : turned
      expect(isInside(place, line)).toBe(x >= 0 && x < 10 && y >= 0 && y < 10)
    }),
  )
})

test('the nearest place within reach, of equals the one on top', () => {
  const places: readonly Place[] = [
    [0, 0],
    [3, 0],
    [3, 0],
    [Number.NaN, Number.NaN],
  ]
  expect(nearestPlace(places, [2, 0], 10)).toBe(2)
  expect(nearestPlace(places, [0, 1], 10)).toBe(0)
  expect(nearestPlace(places, [30, 0], 10)).toBeNull()
  expect(nearestPlace([], [0, 0], 10)).toBeNull()
})
