import { expect, test } from 'vitest'
import { typedNumber, typedSizeGb } from '#domain/renting/typed-number.ts'

test.each([
  ['40', 40],
  [' 0.5 ', 0.5],
  ['.5', 0.5],
  ['8.', 8],
  ['-1', -1],
  ['', null],
  ['.', null],
  ['1,5', null],
  ['0x10', null],
  ['1e3', null],
  ['Infinity', null],
  ['8 GB', null],
])('%j as a number is %j', (typed, value) => {
  expect(typedNumber(typed)).toBe(value)
})

test('a size is above 0 and below what no disk has', () => {
  expect(['0', '-1', '1000000', '1000001'].map(typedSizeGb)).toEqual([null, null, 1_000_000, null])
})
