import { expect, test } from 'vitest'
import { keptPage, mostRecents, withRecent } from '#domain/workbench/workbench-state.ts'

test.each([
  ['/offers', true],
  ['/instances/4711', true],
  ['/instances/4711/files', true],
  ['/templates/12/edit', true],
  ['/welcome', false],
  ['/templates/new', false],
  ['/instances/4711?do=destroy', false],
  ['/instances/../settings', false],
  ['//evil.example', false],
  ['/offers\n', false],
])('the page %j is begun with again: %s', (page, isKept) => {
  expect(keptPage.safeParse(page).success).toBe(isKept)
})

test('what was chosen lately is there once, the latest first, and not for ever', () => {
  expect(withRecent(['a', 'b', 'c'], 'c')).toEqual(['c', 'a', 'b'])
  const many = Array.from({ length: mostRecents }, (_, at) => String(at))
  expect(withRecent(many, 'new')).toHaveLength(mostRecents)
})
