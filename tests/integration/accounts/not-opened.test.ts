import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { accountFolderOf } from '#services/accounts/accounts-file.ts'
import { startSimulator } from '../../simulator/simulator.ts'
import { fakeBackend } from '../../unit/vault/keychain/fake-backend.ts'
import { startMain } from '../whole/main-program.ts'

test('the key of an account whose files cannot be read is kept nowhere, and it connects once they can', async () => {
  const userData = await mkdtemp(join(tmpdir(), 'slipway-not-opened-'))
  onTestFinished(() => rm(userData, { recursive: true, force: true }))
  const service = await startSimulator({ offers: 1 })
  onTestFinished(() => service.close())
  const reply = await fetch(`${service.baseUrl}/api/v0/users/current/`, {
    headers: { authorization: `Bearer ${service.key}` },
  })
  const { id: userId } = (await reply.json()) as { readonly id: number }
  const folder = join(userData, 'accounts', accountFolderOf({ serviceAddress: service.baseUrl, userId }))
  const unreadable = join(folder, 'guards.json')
  await mkdir(unreadable, { recursive: true })

  const keychain = fakeBackend()
  const main = await startMain({ userData, keychain })
  onTestFinished(() => main.app.dispose())
  const { client } = main.window()
  const connect = () =>
    client.account.connect({
      serviceAddress: service.baseUrl,
      apiKey: service.key,
      keepIn: 'keychain',
    })
  await expect(connect()).rejects.toMatchObject({ data: { kind: 'storage-failed', file: unreadable } })
  expect([...keychain.entries.values()].join()).not.toContain(service.key)
  expect(await readFile(join(userData, 'accounts.json'), 'utf8')).not.toContain(String(userId))
  expect(main.app.stage.value).toEqual({ front: null, ids: [], fresh: null })

  await rm(unreadable, { recursive: true })
  await connect()
  expect(main.app.stage.value.ids).toHaveLength(1)
})
