import { expect, test } from 'vitest'
import { keyScopeText, wrongCategoryName } from '../../../../src-renderer/features/accounts/key-scope.ts'

test('a scope names its categories under api, each without constraints', () => {
  expect(JSON.parse(keyScopeText(['user_read', ' billing_read ']))).toEqual({
    api: { user_read: {}, billing_read: {} },
  })
})

test('a category named like a part of every object is a category all the same', () => {
  expect(keyScopeText(['__proto__'])).toContain('"__proto__": {}')
})

test.each([
  ['', /Enter/],
  ['two words', /letters/],
  ['misc', /above/],
  ['x'.repeat(101), /at most/],
  ['mine', /already/],
])('%j cannot be used', (typed, message) => {
  expect(wrongCategoryName(typed, ['mine'])).toMatch(message)
})

test('a name that the API does not show may well be one', () => {
  expect(wrongCategoryName(' billing_read ', ['mine'])).toBeNull()
})
