import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Page } from '@playwright/test'
import { launchCommand } from '../../../tools/launch.mjs'
import { signingKey } from '../../unit/updates/signing.ts'
import { setUp } from '../support/actions.ts'
import { findings } from '../support/axe.ts'
import { launchApp } from '../support/launch.ts'
import { expect, test, testWithoutAccount } from '../support/world-test.ts'

const top = join(import.meta.dirname, '../../..')

async function goToUpdates(page: Page): Promise<void> {
  await page.keyboard.press('Control+K')
  await page.getByRole('dialog', { name: 'Go to' }).getByRole('combobox').fill('updates')
  await page.keyboard.press('Enter')
}

testWithoutAccount(
  'updates are a command away before an account is connected, and come into view again when asked for again',
  async ({ world }) => {
    const { service, app } = world
    const { page } = app
    await expect(page.getByRole('heading', { name: 'Connect your account' })).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Updates' })).toHaveCount(0)
    await goToUpdates(page)
    await expect(page.getByRole('heading', { name: 'Updates' })).toBeInViewport()
    await expect(page.getByText('This build doesn’t update itself.')).toBeVisible()

    await setUp(page, service)
    await page.getByRole('link', { name: 'Settings' }).click()
    await goToUpdates(page)
    const updates = page.getByRole('heading', { name: 'Updates' })
    await expect(updates).toBeInViewport()
    await page.mouse.move(600, 400)
    await page.mouse.wheel(0, -10_000)
    await expect(updates).not.toBeInViewport()
    await goToUpdates(page)
    await expect(updates).toBeInViewport()
  },
)

/** The built app as `npm run dist` makes it with a place for updates, out of an AppImage. */
async function withUpdates(folder: string): Promise<{ folder: string; env: Record<string, string> }> {
  const manifest: unknown = JSON.parse(await readFile(join(top, 'package.json'), 'utf8'))
  const updates = { publicKey: signingKey().publicKey }
  await writeFile(join(folder, 'package.json'), JSON.stringify({ ...Object(manifest), updates }))
  for (const name of ['out', 'resources']) await symlink(join(top, name), join(folder, name))
  const program = launchCommand(folder).command
  return { folder, env: { APPIMAGE: join(folder, 'Slipway.AppImage'), APPDIR: dirname(program) } }
}

test('pre-releases are off until the user wants them, and the choice outlasts the program', async () => {
  const own = await mkdtemp(join(tmpdir(), 'slipway-updates-'))
  try {
    const userData = join(own, 'data')
    await mkdir(userData)
    const program = { userData, ...(await withUpdates(own)) }
    const start = async () => {
      const app = await launchApp(program)
      await goToUpdates(app.page)
      return { app, prereleases: app.page.getByRole('switch', { name: 'Get pre-release versions' }) }
    }
    const one = await start()
    await expect(one.prereleases).not.toBeChecked()
    await expect(one.app.page.getByText('never goes back to an older version')).toBeInViewport()
    expect(await findings(one.app.page)).toEqual([])
    await one.prereleases.focus()
    await one.app.page.keyboard.press('Space')
    await expect(one.prereleases).toBeChecked()
    await one.app.close()

    const next = await start()
    await expect(next.prereleases).toBeChecked()
    await next.app.close()
  } finally {
    await rm(own, { recursive: true, force: true, maxRetries: 5 })
  }
})
