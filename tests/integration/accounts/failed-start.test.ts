import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../../src-main/app/system-clock.ts'
import type { Clock } from '#domain/base/clock.ts'
import { startSimulator } from '../../simulator/simulator.ts'
import { waitFor } from '../../support/wait-for.ts'
import { fakeBackend } from '../../unit/vault/keychain/fake-backend.ts'
import { startMain, type MainOptions } from '../whole/main-program.ts'

/** A clock that counts who still waits by it: whatever goes on asks the service, or waits until it does again. */
function countingClock() {
  let waiting = 0
  const clock: Clock = {
    ...systemClock,
    sleep: async (ms, signal) => {
      waiting += 1
      try {
        await systemClock.sleep(ms, signal)
      } finally {
        waiting -= 1
      }
    },
  }
  return { clock, waiting: () => waiting }
}

/** What an earlier run has left that connected two accounts, in their order. */
async function twoAccounts() {
  const userData = await mkdtemp(join(tmpdir(), 'slipway-failed-start-'))
  onTestFinished(() => rm(userData, { recursive: true, force: true }))
  const service = await startSimulator({ offers: 1 })
  onTestFinished(() => service.close())
  const keychain = fakeBackend()
  const main = await startMain({ userData, keychain })
  for (const key of [service.key, service.account('default').key])
    await main.connect({ baseUrl: service.baseUrl, key })
  const { ids } = main.app.accountPages.value
  await main.app.dispose()
  return { userData, keychain, folderOf: (place: number) => join(userData, 'accounts', ids[place] ?? '') }
}

async function expectFailedStart(options: MainOptions, failure: object): Promise<void> {
  const { clock, waiting } = countingClock()
  const start = startMain({ ...options, clock })
  onTestFinished(async () => {
    await start.then(({ app }) => app.dispose(), Boolean)
  })
  await expect(start).rejects.toMatchObject(failure)
  await waitFor(() => expect(waiting()).toBe(0))
}

test('where the second account cannot be opened, the first one is ended, and the failure is told', async () => {
  const { userData, keychain, folderOf } = await twoAccounts()
  const unreadable = join(folderOf(1), 'guards.json')
  await rm(unreadable, { force: true })
  await mkdir(unreadable)
  await expectFailedStart({ userData, keychain }, { problem: { kind: 'storage-failed', file: unreadable } })
})

test('where what comes after the accounts cannot be opened, they are ended', async () => {
  const { userData, keychain } = await twoAccounts()
  const source = () => {
    throw new Error('no place for updates')
  }
  const updates = { source, ask: () => Promise.resolve(false) }
  await expectFailedStart({ userData, keychain, updates }, { message: 'no place for updates' })
})
