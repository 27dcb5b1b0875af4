import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { connect } from '../support/actions.ts'
import { findings } from '../support/axe.ts'
import { expect, test } from '../support/world-test.ts'

const settingsOf = z.object({ settings: z.record(z.string(), z.unknown()), offers: z.unknown() })

test('settings go to another computer as a file: without secrets, after a question, and not from a newer Slipway', async ({
  world,
}) => {
  const { service, userData } = world
  let { page } = world.app
  const files = join(userData, 'saved-files')
  let saved = ''
  const sshUser = () => page.getByLabel('SSH user', { exact: true })

  await test.step('the file has what was set, and no secret', async () => {
    await page.getByRole('link', { name: 'Settings' }).first().click()
    await page.getByRole('radio', { name: 'Light' }).click()
    await expect(page.locator('html')).toHaveClass(/light/)
    const format = page.getByRole('combobox', { name: 'Number and date format' })
    const bar = page.getByRole('banner')
    await expect(bar).toContainText(/\$\d+\.\d\d/)
    await format.click()
    await page.getByRole('option', { name: 'Deutsch (Deutschland): 12.345,6 · Sa., 21. Nov., 18:30' }).click()
    await expect(bar).toContainText(/\$\d+,\d\d/)
    await expect(bar).not.toContainText(/\$\d+\.\d\d/)
    await expect(page.getByText('Number and date format: System by default')).toBeVisible()
    await sshUser().fill('kim')
    await sshUser().press('Enter')
    await expect(page.getByText('New logins use kim.')).toBeVisible()
    await page.getByRole('button', { name: 'Export settings…' }).click()
    await expect(page.getByText(/^Settings saved as .*slipway-settings-[\d-]+\.json\.$/)).toBeVisible()
    const path = (await page.getByText(/^Settings saved as/).textContent())?.match(
      /slipway-settings-[\d-]+\.json/,
    )
    saved = await readFile(join(files, path?.[0] ?? ''), 'utf8')
    expect(settingsOf.parse(JSON.parse(saved)).settings).toMatchObject({
      theme: 'light',
      formatLocale: 'de-DE',
      sshUser: 'kim',
    })
    for (const secret of [service.key, 'PRIVATE KEY', join(userData, 'home')])
      expect(saved).not.toContain(secret)
  })

  await test.step('a reset takes all of it away, and the accounts with it', async () => {
    await page.getByRole('link', { name: 'Diagnostics and reset' }).click()
    await page.getByRole('button', { name: 'Reset…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Reset Slipway' })
    await dialog.getByRole('checkbox', { name: 'Settings' }).check()
    await dialog.getByRole('checkbox', { name: 'Secrets in the keychain' }).check()
    await dialog.getByLabel(/^Type “reset/).fill('reset and delete my secrets')
    await dialog.getByRole('button', { name: 'Reset and close Slipway' }).click()
    await world.app.ended
    ;({ page } = await world.startAgain())
    await connect(page, service)
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Settings' }).click()
    await expect(sshUser()).toHaveValue('root')
  })

  const dialog = page.getByRole('dialog', { name: 'Import settings' })
  const choose = (text: string): Promise<void> =>
    dialog
      .getByLabel('Settings file')
      .setInputFiles({ name: 'settings.json', mimeType: 'application/json', buffer: Buffer.from(text) })
  const confirm = dialog.getByRole('button', { name: 'Import settings' })

  await test.step('a newer file, and one that is none, are refused at once', async () => {
    await page.getByRole('button', { name: 'Import settings…' }).click()
    await expect(confirm).toBeDisabled()
    await choose(saved.replace('"version": 2', '"version": 3'))
    await expect(dialog.getByText('A newer Slipway saved this file.')).toBeVisible()
    await expect(confirm).toBeDisabled()
    expect(await findings(page)).toEqual([])
    await choose(' '.repeat(8_000_001))
    await expect(dialog.getByText('This file is too large to be a settings file.')).toBeVisible()
    await choose('[['.repeat(100_000))
    await expect(dialog.getByText('This isn’t a Slipway settings file.')).toBeVisible()
    await expect(confirm).toBeDisabled()
  })

  await test.step('what would change is said before it does', async () => {
    await choose(saved)
    await expect(dialog.getByText(/settings replaced: Theme, Number and date format, SSH user/)).toBeVisible()
    await expect(sshUser()).toHaveValue('root')
    expect(await findings(page)).toEqual([])
    await confirm.click()
    await expect(dialog.getByText('Settings imported')).toBeVisible()
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await expect(page.locator('html')).toHaveClass(/light/)
    await expect(sshUser()).toHaveValue('kim')
  })

  await test.step('what is saved now is the same file', async () => {
    await page.getByRole('button', { name: 'Export settings…' }).click()
    await expect(page.getByText(/^Settings saved as/)).toBeVisible()
    const path = (await page.getByText(/^Settings saved as/).textContent())?.match(
      /slipway-settings-[\d-]+\.json/,
    )
    expect(JSON.parse(await readFile(join(files, path?.[0] ?? ''), 'utf8'))).toEqual(JSON.parse(saved))
  })
})
