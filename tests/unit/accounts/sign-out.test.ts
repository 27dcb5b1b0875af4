import { expect, test } from 'vitest'
import type { CopyState } from '#domain/files/edited-copy.ts'
import { signOutEffectsOf } from '#services/accounts/sign-out.ts'

test('edited files that aren’t uploaded are counted among what signing out deletes', () => {
  const states: readonly CopyState[] = [
    { kind: 'same', uploadedAt: 1 },
    { kind: 'missing' },
    { kind: 'uploading' },
    { kind: 'changed' },
    { kind: 'too-long' },
  ]
  const effects = signOutEffectsOf({
    account: { kind: 'none' },
    pendingWork: { guards: 0, isTrying: false, autoRents: 0, jobs: 0 },
    guardedInstances: [],
    list: { instances: [], unreadable: [], problem: null },
    ...{ terminals: new Set<number>(), forwards: [], transfers: [] },
    copies: states.map((state, index) => ({
      ...{ id: `${index}`, instanceId: 1, folder: '/root', name: 'a.txt', state },
    })),
    vault: { totpList: { listed: { value: [] } }, backupList: { listed: { value: [] } } },
  })
  expect(effects.editedCopies).toBe(3)
})
