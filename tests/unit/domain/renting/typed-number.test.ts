import { afterEach, expect, test } from 'vitest'
import { followFormatLocale } from '#domain/base/format-locale.ts'
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

afterEach(() => followFormatLocale(() => 'en-US'))

test.each([
  ['en-US', 1.5],
  ['fr-FR', 1.5],
  ['de-DE', null],
])('1.500 in %s is %j: where points are between groups, it may mean either', (locale, value) => {
  followFormatLocale(() => locale)
  expect(typedNumber('1.500')).toBe(value)
  expect([typedNumber('1500'), typedNumber('0.5')]).toEqual([1500, 0.5])
})

test('a size is above 0 and below what no disk has', () => {
  expect(['0', '-1', '1000000', '1000001'].map(typedSizeGb)).toEqual([null, null, 1_000_000, null])
})
