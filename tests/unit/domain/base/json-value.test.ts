import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isSameJson } from '#domain/base/json-value.ts'

test.each([
  [{ a: 1, b: [1, { c: null }] }, { b: [1, { c: null }], a: 1 }, true],
  [{ a: 1, b: undefined }, { a: 1 }, true],
  [{ a: undefined }, { b: undefined }, true],
  [[1, 2], [2, 1], false],
  [[], {}, false],
  [[1], [1, 2], false],
  [{ a: 1 }, { a: 1, b: 2 }, false],
  [{ a: 1 }, { b: 1 }, false],
  [null, {}, false],
  ['1', 1, false],
  [null, null, true],
])('%j and %j are the same: %s', (one, other, isSame) => {
  expect(isSameJson(one, other)).toBe(isSame)
  expect(isSameJson(other, one)).toBe(isSame)
})

test('values are the same when their texts are, with the names in order', () => {
  const text = (value: unknown): string =>
    JSON.stringify(value, (_, inner: unknown) =>
      typeof inner === 'object' && inner !== null && !Array.isArray(inner)
        ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
        : inner,
    )
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
      expect(isSameJson(one, other)).toBe(text(one) === text(other))
      expect(isSameJson(one, JSON.parse(JSON.stringify(one)))).toBe(true)
    }),
  )
})
