import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  accountFolderOf,
  openAccountsFile,
  withAccount,
  withoutAccount,
  type KeptAccount,
  type KeptAccounts,
} from '#services/accounts/accounts-file.ts'
import type { StorageNotice } from '#services/storage/json-file.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const work: KeptAccount = {
  id: '0123456789abcdef',
  keyId: 'key-1',
  serviceAddress: 'https://rent.example.com',
  userId: 7,
  keyMask: '••••1234',
  name: 'Work',
  color: 'teal',
}
const play: KeptAccount = { ...work, id: 'fedcba9876543210', userId: 8, name: 'Play', color: 'pink' }
const kept: KeptAccounts = { accounts: [work], front: work.id }
const none: KeptAccounts = { accounts: [], front: null }

async function setUp() {
  const folder = await temporaryFolder()
  const path = join(folder, 'accounts.json')
  const notices: StorageNotice[] = []
  const open = () =>
    openAccountsFile({ path, clock: new FakeClock(), onNotice: (notice) => notices.push(notice) })
  return { folder, path, notices, open }
}

test('accounts are there at the next start', async () => {
  const { open } = await setUp()
  const file = await open()
  expect(file.value).toEqual(none)
  await file.write(kept)
  expect((await open()).value).toEqual(kept)
})

const withId = (id: string) =>
  JSON.stringify({ version: 1, data: { ...kept, accounts: [{ ...kept.accounts[0], id }] } })

test.each([
  ['cut off', '{"version":1,"data":{"accounts":[{"id"'],
  // An id names a folder, which signing out deletes.
  ['with an id that leads out of its folder', withId('../../../home')],
  ['with no id', withId('')],
  [
    'with an address that is none',
    JSON.stringify({
      version: 1,
      data: { ...kept, accounts: [{ ...work, serviceAddress: 'rent.example.com' }] },
    }),
  ],
])(
  'a file that is %s is kept aside and told, and the next accounts do not write over it',
  async (_, text) => {
    const { folder, path, notices, open } = await setUp()
    await writeFile(path, text)
    const file = await open()
    expect(file.value).toEqual(none)
    expect(notices).toHaveLength(1)
    await file.write(kept)
    const aside = (await readdir(folder)).filter((name) => name.includes('.corrupt-'))
    expect(aside).toHaveLength(1)
    expect(await readFile(join(folder, aside[0] ?? ''), 'utf8')).toBe(text)
    expect((await open()).value).toEqual(kept)
  },
)

test('a new account comes last, one that is there keeps its place, and which is in front is another matter', () => {
  const both = withAccount(kept, play)
  expect(both).toEqual({ accounts: [work, play], front: work.id })
  const newer = { ...work, keyId: 'key-2' }
  expect(withAccount(both, newer)).toEqual({ accounts: [newer, play], front: work.id })
  expect(withoutAccount(both, work.id)).toEqual({ accounts: [play], front: work.id })
  expect(withoutAccount(kept, play.id)).toEqual(kept)
})

test('a folder is one user’s at one service, and its name tells neither', () => {
  const id = accountFolderOf({ serviceAddress: 'https://rent.example.com', userId: 7 })
  expect(id).toMatch(/^[0-9a-f]{16}$/)
  expect(accountFolderOf({ serviceAddress: 'https://rent.example.com', userId: 7 })).toBe(id)
  expect(accountFolderOf({ serviceAddress: 'https://rent.example.com', userId: 8 })).not.toBe(id)
  expect(accountFolderOf({ serviceAddress: 'https://other.example.com', userId: 7 })).not.toBe(id)
})
