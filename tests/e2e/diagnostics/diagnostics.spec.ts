import { appendFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findings } from '../support/axe.ts'
import { expect, test } from '../support/world-test.ts'

const dumpCanary = 'canary of the memory'

test('the diagnostics tell nothing that is secret; a reset does what was chosen, and no more', async ({
  world,
}) => {
  const { service, userData } = world
  let { page } = world.app
  await page.getByRole('link', { name: 'Settings' }).click()

  // As Crashpad leaves it, with what was in memory.
  const dumps = join(userData, 'Crashpad', 'completed')
  const plantDump = (id: string): Promise<void> =>
    writeFile(join(dumps, `${id}.dmp`), `MDMP ${service.key} ${dumpCanary}`.padEnd(2_000_000, ' '))
  // Slipway has begun to collect them.
  expect(await readdir(dumps)).toEqual([])
  await plantDump('5f1d7a52-1b1c-4f0e-8d0e-2a6b9c3d4e5f')

  await test.step('what is copied and saved has no key, no name, and no home folder', async () => {
    await page.getByRole('radio', { name: 'Light' }).click()
    await expect(page.locator('html')).toHaveClass(/light/)
    await page.getByRole('link', { name: 'Diagnostics and reset' }).click()
    await expect(page.getByText('The keychain is available')).toBeVisible()
    // What a run of some other day has written about a machine that only the user's SSH configuration knows.
    await mkdir(join(userData, 'home', '.ssh'), { recursive: true })
    await writeFile(join(userData, 'home', '.ssh', 'config'), 'Host trainbox-7\n  HostName 203.0.113.7\n')
    await mkdir(join(userData, 'logs'), { recursive: true })
    await appendFile(join(userData, 'logs', 'slipway.log'), 'no way on from trainbox-7 at night\n')
    await page.getByRole('button', { name: 'Copy diagnostics' }).click()
    await page.getByRole('button', { name: 'Save log as…' }).click()
    await expect(page.getByText('The log is saved')).toBeVisible()
    const saved = await readFile(join(userData, 'saved-files', 'slipway-log.txt'), 'utf8')
    expect(saved).toContain('Keychain: available')
    expect(saved).toContain('no way on from [address] at night')
    for (const secret of [service.key, join(userData, 'home'), '@example.com', dumpCanary])
      expect(saved).not.toContain(secret)
    await page.getByRole('button', { name: 'Show in folder: Log' }).click()
    await expect
      .poll(() => readFile(join(userData, 'shown-items.txt'), 'utf8').catch(() => ''))
      .toContain('slipway.log')
  })

  await test.step('crash dumps are listed, shown in their folder, and deleted after a word', async () => {
    const section = page.getByRole('region', { name: 'Crash dumps' })
    await expect(section.getByText('1 crash dump, 2')).toBeVisible()
    await plantDump('6f1d7a52-1b1c-4f0e-8d0e-2a6b9c3d4e5f')
    await page.getByRole('button', { name: 'Refresh', exact: true }).click()
    await expect(section.getByText('2 crash dumps, 4')).toBeVisible()
    await expect(section.getByRole('list').getByRole('listitem')).toHaveCount(2)
    expect(await findings(page)).toEqual([])
    await section.getByRole('button', { name: 'Show in folder' }).click()
    await expect
      .poll(() => readFile(join(userData, 'shown-items.txt'), 'utf8').catch(() => ''))
      .toContain('6f1d7a52-1b1c-4f0e-8d0e-2a6b9c3d4e5f.dmp')
    await section.getByRole('button', { name: 'Delete crash dumps…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete crash dumps' })
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(section.getByText('2 crash dumps, 4')).toBeVisible()
    await section.getByRole('button', { name: 'Delete crash dumps…' }).click()
    await dialog.getByRole('button', { name: 'Delete crash dumps' }).click()
    await expect(section.getByText('No crash dumps')).toBeVisible()
    await expect(section.getByRole('button')).toHaveCount(0)
    // The button that opened the dialog has gone: the keyboard is somewhere all the same.
    await expect(dialog).toHaveCount(0)
    await expect.poll(() => page.evaluate(() => document.activeElement !== document.body)).toBe(true)
    expect(await readdir(dumps)).toEqual([])
  })

  await test.step('a folder of dumps that cannot be read says so there, and the rest of the page stands', async () => {
    await rm(dumps, { recursive: true })
    await writeFile(dumps, 'a file')
    await page.getByRole('button', { name: 'Refresh', exact: true }).click()
    const section = page.getByRole('region', { name: 'Crash dumps' })
    await expect(section.getByRole('button', { name: 'Try again' })).toBeVisible()
    await expect(section.getByText('No crash dumps')).toHaveCount(0)
    await expect(page.getByText('The keychain is available')).toBeVisible()
    await rm(dumps)
    await mkdir(dumps)
    await section.getByRole('button', { name: 'Try again' }).click()
    await expect(section.getByText('No crash dumps')).toBeVisible()
    await plantDump('7f1d7a52-1b1c-4f0e-8d0e-2a6b9c3d4e5f')
  })

  await test.step('a reset asks for its words, and closes Slipway', async () => {
    await page.getByRole('button', { name: 'Reset…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Reset Slipway' })
    await dialog.getByRole('checkbox', { name: 'Settings' }).check()
    const confirm = dialog.getByRole('button', { name: 'Reset and close Slipway' })
    await expect(confirm).toBeDisabled()
    await dialog.getByRole('checkbox', { name: 'Secrets in the keychain' }).check()
    await dialog.getByLabel(/^Type “reset/).fill('reset')
    await expect(confirm).toBeDisabled()
    await dialog.getByRole('checkbox', { name: 'Secrets in the keychain' }).uncheck()
    await confirm.click()
    await world.app.ended
  })

  await test.step('after it the settings are as at first, and the account is there with its key', async () => {
    ;({ page } = await world.startAgain())
    // It begins where it was left, on a page that leads to the settings, too.
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Settings' }).click()
    await expect(page.getByRole('radio', { name: 'System' })).toBeChecked()
    await expect(page.getByRole('heading', { name: 'Account', exact: true })).toBeVisible()
    await page.getByRole('link', { name: 'Diagnostics and reset' }).click()
    await expect(page.getByText('Reachable, last reply')).toBeVisible()
    await expect(page.getByText('1 crash dump, 2')).toBeVisible()
  })

  await test.step('with its own words the secrets go too, and the accounts with them', async () => {
    await page.getByRole('button', { name: 'Reset…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Reset Slipway' })
    await dialog.getByRole('checkbox', { name: 'Secrets in the keychain' }).check()
    await dialog.getByLabel(/^Type “reset/).fill('reset and delete my secrets')
    await dialog.getByRole('button', { name: 'Reset and close Slipway' }).click()
    await world.app.ended
    ;({ page } = await world.startAgain())
    await expect(page.getByLabel('Service address')).toBeVisible()
    expect(await readdir(dumps)).toEqual([])
  })
})
