import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, type Page } from '@playwright/test'
import { development, installed } from '../../../src-main/desktop/app-identity.ts'
import { startKeyring } from '../../keyring/keyring.ts'
import { startSimulator } from '../../simulator/simulator.ts'
import { setUp } from '../support/actions.ts'
import { keychainEntries, openKeychainOf } from '../support/keychain-entries.ts'
import { launchApp } from '../support/launch.ts'

/** Every file below a folder with what is in it. */
async function contentOf(folder: string): Promise<ReadonlyMap<string, string>> {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((each) =>
    each.isFile(),
  )
  const paths = files.map(({ parentPath, name }) => join(parentPath, name)).toSorted()
  return new Map(await Promise.all(paths.map(async (path) => [path, await readFile(path, 'utf8')] as const)))
}

async function resetWithSecrets(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Reset…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Reset Slipway' })
  for (const part of await dialog.getByRole('checkbox').all()) await part.check()
  await dialog.getByLabel(/^Type “reset/).fill('reset and delete my secrets')
  await dialog.getByRole('button', { name: 'Reset and close Slipway' }).click()
}

test('a start from the sources says so, and leaves the installed app’s data, lock, and secrets alone', async () => {
  test.skip(process.platform !== 'linux', 'needs a keyring of its own')
  const home = await mkdtemp(join(tmpdir(), 'slipway-development-'))
  const service = await startSimulator()
  const keyring = await startKeyring()
  const config = join(home, '.config')
  const userData = join(config, development.name)
  const launch = () =>
    launchApp({
      userData,
      userDataFrom: 'app',
      env: { HOME: home, XDG_CONFIG_HOME: config, SSH_AUTH_SOCK: '', ...keyring.env },
    })
  try {
    // The installed app is running: its lock is held by a process that lives.
    const theirs = join(config, installed.name)
    await mkdir(theirs, { recursive: true })
    await writeFile(join(theirs, 'instance.lock'), JSON.stringify({ pid: process.pid }))
    await writeFile(join(theirs, 'preferences.json'), '{"of":"the installed app"}')
    await writeFile(join(theirs, 'accounts.json'), '{"of":"the installed app"}')
    const before = await contentOf(theirs)
    const theirEntries = openKeychainOf(keyring, installed.name)
    // What each look at the keychain writes and removes again.
    await theirEntries.set('canary', 'theirs')

    let app = await launch()
    await setUp(app.page, service)
    const names = [...(await keychainEntries({ keyring, userData })).keys()]
    expect(names.map((name) => name.split('/')[0])).toEqual(expect.arrayContaining(['apikey', 'ssh']))
    for (const name of names) await theirEntries.set(name, `theirs: ${name}`)

    await test.step('it says what it is', async () => {
      await app.page.getByRole('link', { name: 'Settings' }).click()
      await expect(app.page.getByText('(development build)')).toBeVisible()
      await app.page.getByRole('link', { name: 'Diagnostics and reset' }).click()
      await expect(app.page.getByText('(development build)')).toBeVisible()
    })

    await test.step('a reset of all parts deletes its own entries', async () => {
      await resetWithSecrets(app.page)
      await app.ended
      app = await launch()
      await expect(app.page.getByLabel('Service address')).toBeVisible()
      await app.close()
      const ours = openKeychainOf(keyring, development.name)
      for (const name of names) expect(await ours.get(name), name).toBeNull()
      ours.close()
    })

    await test.step('all of the installed app’s is as it was', async () => {
      expect(await contentOf(theirs)).toEqual(before)
      expect(await theirEntries.get('canary')).toBe('theirs')
      for (const name of names) expect(await theirEntries.get(name)).toBe(`theirs: ${name}`)
      theirEntries.close()
    })
  } finally {
    await keyring.stop()
    await service.close()
    await rm(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }
})
