import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { launchCommand } from '../../../tools/launch.mjs'
import { findings } from '../support/axe.ts'
import { launchApp, type LaunchedApp } from '../support/launch.ts'

// Electron says itself whether it is packaged; only its double can be told.
test.skip(launchCommand().host === 'electron', 'needs a packaged app')

let config: string
let app: LaunchedApp | undefined

test.beforeEach(async () => {
  config = await mkdtemp(join(tmpdir(), 'slipway-switches-'))
})
test.afterEach(async () => {
  await app?.close()
  app = undefined
  await rm(config, { recursive: true, force: true, maxRetries: 5 })
})

/** An installed app has its data where the system says. */
async function startInstalled(...args: readonly string[]): Promise<LaunchedApp> {
  const env = { SLIPWAY_PACKAGED: '1', XDG_CONFIG_HOME: config }
  app = await launchApp({ userData: join(config, 'Slipway'), env, args })
  return app
}

const warning = 'The sandbox is off'

test('an installed app leaves nothing of the switches that open it to other programs', async () => {
  const { page } = await startInstalled(
    '--remote-debugging-port=0',
    '-remote-debugging-pipe',
    '--force-device-scale-factor=1',
  )
  await expect(page.getByLabel('Service address')).toBeVisible()
  expect(await readFile(join(config, 'Slipway', 'switches.txt'), 'utf8')).toBe(
    'force-device-scale-factor=1\n',
  )
  await expect(page.getByRole('region', { name: warning })).toHaveCount(0)
})

test('an installed app without its sandbox says so for as long as it runs, and what to do', async () => {
  const { page } = await startInstalled('--no-sandbox')
  const banner = page.getByRole('region', { name: warning })
  // The missing keychain comes first.
  await page.getByRole('button', { name: 'Show 1 more' }).click()
  await expect(banner).toBeVisible()
  await expect(banner).toContainText('start it without --no-sandbox')
  expect(await findings(page)).toEqual([])
})
