import { expect, test } from 'vitest'
import type { SignOutEffects } from '#domain/accounts/accounts.ts'
import { goingTexts, stayingTexts } from '../../../../src-renderer/features/settings/sign-out-text.ts'

const effects: SignOutEffects = {
  ...{
    instances: 2,
    perHourUsd: 1,
    guards: 0,
    isTrying: false,
    autoRents: 0,
    jobs: 0,
    terminals: 0,
    forwards: 0,
    transfers: 0,
    editedCopies: 0,
  },
  ...{ oneTimePasswords: 0, backupCodeSets: 0, guardedInstances: [] },
}

test('signing out names the instances whose rules still run', () => {
  expect(stayingTexts(effects).join()).not.toContain('Auto-stop')
  expect(stayingTexts({ ...effects, guardedInstances: [7] })[0]).toBe(
    'Auto-stop rules on instance 7: they still run there. Remove the rules first if the instance should keep running',
  )
  expect(stayingTexts({ ...effects, guardedInstances: [7, 9] })[0]).toContain('on instances 7 and 9')
})

test('signing out names edited files that aren’t uploaded, and how to keep them', () => {
  expect(goingTexts(effects).join()).not.toContain('you edited')
  expect(goingTexts({ ...effects, editedCopies: 1 })[0]).toBe(
    '1 file that you edited with your own editor and that isn’t uploaded. To keep your changes, upload the file from Files, or save the file elsewhere first',
  )
  expect(goingTexts({ ...effects, editedCopies: 2 })[0]).toContain('2 files that you edited')
})
