import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openAccountFile } from '../../../src-main/settings/account-file.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { temporaryFolder } from './temporary-folder.ts'

test('no account before one was connected, the same one at the next start, none after it was left', async () => {
  const path = join(await temporaryFolder(), 'account.json')
  const open = () => openAccountFile({ path, clock: new FakeClock(), onCorrupt: () => expect.unreachable() })
  const account = {
    accountId: '7',
    serviceAddress: 'https://example.com/api',
    userId: 12,
    keyMask: 'k-…cdef',
  }
  const file = await open()
  expect(file.value).toBeNull()
  await file.write(account)
  expect((await open()).value).toEqual(account)
  await file.write(null)
  expect((await open()).value).toBeNull()
})
