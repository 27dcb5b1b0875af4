import { expect, test } from 'vitest'
import { setBadges } from '../../../../../src-renderer/features/security/vault/vault-text.ts'

test('of two sets that nobody called void, only the one that codes are taken from is in use', () => {
  const set = { standing: 'current', saved: null, keptIn: 'keychain' } as const
  const labels = (isInUse: boolean) => setBadges(set, isInUse).map(({ label }) => label)
  expect(labels(true)).toEqual(['In use', 'Only on this computer'])
  expect(labels(false)).toEqual(['Older'])
})
