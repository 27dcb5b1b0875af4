import { expect, it } from 'vitest'
import { countText, isSearchable } from '../../../../../src-renderer/features/terminals/screen/find-count.ts'

const query = (text: string, regularExpression = false) => ({ text, regularExpression, matchCase: false })

it.each([
  [query(''), { at: null, total: 0 }, ''],
  [query('x'), { at: null, total: 0 }, 'No results'],
  [query('x'), { at: 3, total: 17 }, '3 of 17'],
  [query('x'), { at: null, total: 17 }, '17'],
  [query('x'), { at: 1000, total: 1000 }, '1000 of more than 1,000'],
  [query('(', true), { at: null, total: 0 }, 'Invalid regular expression'],
  [query('('), { at: 1, total: 1 }, '1 of 1'],
])('%j with %j is told as %j', (asked, count, text) => {
  expect(countText(count, asked)).toBe(text)
})

it('takes any text as it is, and a regular expression once it is finished', () => {
  expect(isSearchable(query('[a-'))).toBe(true)
  expect(isSearchable(query('[a-', true))).toBe(false)
  expect(isSearchable(query('[a-z]', true))).toBe(true)
})
