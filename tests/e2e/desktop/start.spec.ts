import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { launchApp } from '../support/launch.ts'

// These need neither sshd nor a keyring of their own, so they run on every system.

let userData: string
test.beforeEach(async () => {
  userData = await mkdtemp(join(tmpdir(), 'slipway-start-'))
})
test.afterEach(() => rm(userData, { recursive: true, force: true, maxRetries: 5 }))

test('it starts, asks for an account, and has nothing of Node in its page', async () => {
  const app = await launchApp({ userData })
  try {
    await expect(app.page.getByLabel('Service address')).toBeVisible()
    await expect(app.page.getByRole('button', { name: 'Connect', exact: true })).toBeVisible()
    expect(
      await app.page.evaluate(() => ['require', 'process', 'Buffer'].filter((name) => name in globalThis)),
    ).toEqual([])
  } finally {
    await app.kill()
  }
})

test('it ends in order when it is told to', async () => {
  test.skip(process.platform === 'win32', 'SIGTERM kills on Windows, and whatever is killed has ended')
  const app = await launchApp({ userData })
  await expect(app.page.getByLabel('Service address')).toBeVisible()
  await app.close()
  expect(await app.ended).toBe(0)
})
