import { expect, test } from 'vitest'
import { countMismatch, setBadges } from '../../../../../src-renderer/features/security/vault/vault-text.ts'

test('of two sets that nobody called void, only the one that codes are taken from is in use', () => {
  const set = { standing: 'current', saved: null, keptIn: 'keychain' } as const
  const labels = (isInUse: boolean) => setBadges(set, isInUse).map(({ label }) => label)
  expect(labels(true)).toEqual(['In use', 'Only on this computer'])
  expect(labels(false)).toEqual(['Older'])
})

test.each([
  [3, null],
  [4, null],
  [2, 'The service counts 2 unused. Some may have been used elsewhere.'],
  [10, 'The service counts 10 unused. Some aren’t in the vault.'],
])('a count of %i at the service, with 3 unused and 1 maybe used in the vault: %s', (serviceCount, text) => {
  const set = { standing: 'current', unused: 3, maybeUsed: 1, serviceCount } as const
  expect(countMismatch(set)).toBe(text)
})
