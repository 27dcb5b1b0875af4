import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { FirstPage } from '../../../src-main/app/create-app.ts'
import { startSimulator } from '../../simulator/simulator.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { fakeBackend } from '../../unit/vault/keychain/fake-backend.ts'
import { startMain } from './main-program.ts'

async function setUp() {
  const userData = join(await temporaryFolder(), 'data')
  const service = await startSimulator()
  onTestFinished(() => service.close())
  const backend = fakeBackend()
  const told: Omit<FirstPage, 'log'>[] = []
  const start = async () => {
    const main = await startMain({ userData, keychain: backend }, ({ account, path }) =>
      told.push({ account, path }),
    )
    onTestFinished(() => main.app.dispose())
    return main
  }
  return { service, backend, told, start }
}

test('the first page is where the account was left, and is told of while the keychain keeps silent', async () => {
  const { service, backend, told, start } = await setUp()
  const first = await start()
  const { client } = await first.connect(service)
  const { front } = first.app.accountPages.value
  await client.workbench.keepPage({ page: '/instances' })
  await first.app.dispose()

  backend.mode = 'hanging'
  const starting = start()
  await expect
    .poll(() => told)
    .toEqual([
      { account: null, path: null },
      { account: front, path: '/instances' },
    ])
  backend.release()
  const { app } = await starting
  expect(app.accountPages.value.front).toBe(front)
  expect(front === null ? null : app.pageOf(front)).toBe('/instances')
})
