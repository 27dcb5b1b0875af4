import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { accountFolderOf } from '#services/accounts/accounts-file.ts'
import { startSimulator } from '../../simulator/simulator.ts'
import { fakeBackend } from '../../unit/vault/keychain/fake-backend.ts'
import { startMain } from '../whole/main-program.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** A service, and a place for data in which an account of it has a file that cannot be read. */
async function unreadableAccount() {
  const userData = await temporaryFolder()
  const service = await startSimulator({ offers: 1 })
  onTestFinished(() => service.close())
  const reply = await fetch(`${service.baseUrl}/api/v0/users/current/`, {
    headers: { authorization: `Bearer ${service.key}` },
  })
  const { id: userId } = (await reply.json()) as { readonly id: number }
  const folder = join(userData, 'accounts', accountFolderOf({ serviceAddress: service.baseUrl, userId }))
  const unreadable = join(folder, 'guards.json')
  await mkdir(unreadable, { recursive: true })
  const accounts = () => readFile(join(userData, 'accounts.json'), 'utf8')
  const request = { serviceAddress: service.baseUrl, apiKey: service.key, keepIn: 'keychain' } as const
  return { userData, service, userId, unreadable, accounts, request }
}

test('the key of an account whose files cannot be read is kept nowhere, and it connects once they can', async () => {
  const { userData, service, userId, unreadable, accounts, request } = await unreadableAccount()
  const keychain = fakeBackend()
  const main = await startMain({ userData, keychain })
  onTestFinished(() => main.app.dispose())
  const { client } = main.window()
  await expect(client.accounts.connect(request)).rejects.toMatchObject({
    data: { kind: 'storage-failed', file: unreadable },
  })
  expect([...keychain.entries.values()].join()).not.toContain(service.key)
  expect(await accounts()).not.toContain(String(userId))
  expect(main.app.accountPages.value).toEqual({ front: null, ids: [], fresh: null })

  await rm(unreadable, { recursive: true })
  await client.accounts.connect(request)
  expect(main.app.accountPages.value.ids).toHaveLength(1)
})

test('where the keychain keeps the key of such an account, the next start does not open it', async () => {
  const { userData, userId, accounts, request } = await unreadableAccount()
  const keychain = fakeBackend()
  const keeping = { ...keychain, delete: () => Promise.reject(new Error('it is locked')) }
  const main = await startMain({ userData, keychain: keeping })
  await expect(main.window().client.accounts.connect(request)).rejects.toMatchObject({
    data: { kind: 'storage-failed' },
  })
  expect(await accounts()).not.toContain(String(userId))
  await main.app.dispose()
  const next = await startMain({ userData, keychain })
  onTestFinished(() => next.app.dispose())
  expect(next.app.accountPages.value.ids).toEqual([])
})
