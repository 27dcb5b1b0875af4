import { expect, test } from 'vitest'
import {
  changesText,
  listsLeftOutText,
} from '../../../../src-renderer/features/settings/settings-file-text.ts'

const merged = {
  kind: 'merged',
  favorites: 0,
  removedFavorites: 0,
  blocked: 0,
  unblocked: 0,
  searches: 0,
  replacedSearches: 0,
} as const

test('each kind of change is a line with its count', () => {
  const lists = { ...merged, favorites: 1200, blocked: 1, searches: 1, replacedSearches: 2 }
  expect(changesText({ settings: ['theme', 'sshUser'], jumpHosts: null, lists })).toEqual([
    '2 settings replaced: Theme, SSH user',
    '1 saved search added',
    '2 saved searches replaced',
    '1,200 favorites added',
    '1 block added',
  ])
})

test('favorites and blocks that the file has in the other list are said to go', () => {
  const lists = { ...merged, favorites: 2, removedFavorites: 1, unblocked: 2 }
  expect(changesText({ settings: [], jumpHosts: null, lists })).toEqual([
    '2 favorites added',
    '1 favorite removed: blocked in the file',
    '2 blocks removed: favorites in the file',
  ])
})

test('what changes nothing has no line', () => {
  expect(changesText({ settings: [], jumpHosts: null, lists: merged })).toEqual([])
})

test('lists that are left out are told with the reason', () => {
  const told = (kind: 'none' | 'no-account' | 'other-service') =>
    listsLeftOutText({ settings: [], jumpHosts: null, lists: { kind } })
  expect(told('other-service')).toContain('another service')
  expect(told('no-account')).toContain('no account is connected')
  expect(told('none')).toBeNull()
})
