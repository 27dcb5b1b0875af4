import { expect, test } from 'vitest'
import { seenTwoFactor, seenUser } from '#domain/last-seen/last-seen.ts'

test('of the record and of 2FA, only what is shown is kept', () => {
  const user = { id: 7, email: 'ada@example.com', credit: 4.5 }
  expect(seenUser.parse({ ...user, api_key: 'secret', ssh_key: 'ssh-ed25519 A', notes: 'mine' })).toEqual(
    user,
  )
  const twoFactor = { status: 'enabled', methods: [], backupCodesLeft: 8 }
  expect(seenTwoFactor.parse({ ...twoFactor, session: { key: 'secret' }, unfinished: [] })).toEqual(twoFactor)
})
