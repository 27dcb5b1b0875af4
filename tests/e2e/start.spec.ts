import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { launchApp } from './launch.ts'

// Needs neither sshd nor a keyring of its own, so it runs on every system.
test('it starts, asks for an account, has nothing of Node in its page, and ends when it is told to', async () => {
  const userData = await mkdtemp(join(tmpdir(), 'slipway-start-'))
  try {
    const app = await launchApp({ userData })
    await expect(app.page.getByLabel('Service address')).toBeVisible()
    await expect(app.page.getByRole('button', { name: 'Connect', exact: true })).toBeVisible()
    expect(
      await app.page.evaluate(() => ['require', 'process', 'Buffer'].filter((name) => name in globalThis)),
    ).toEqual([])
    await app.close()
    await app.ended
  } finally {
    await rm(userData, { recursive: true, force: true, maxRetries: 5 })
  }
})
