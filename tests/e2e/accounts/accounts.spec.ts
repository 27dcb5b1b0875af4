import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { startSimulator } from '../../simulator/simulator.ts'
import { filesBelow } from '../../support/leaks.ts'
import { addAccount, connect, openTerminal, rent, screenText, type } from '../support/actions.ts'
import { findings } from '../support/axe.ts'
import { expect, test } from '../support/world-test.ts'

test.use({ account: 'none', worldOptions: { service: { bootSeconds: [0, 0] } } })

test('two accounts side by side: what is of one is neither shown, sent nor kept under the other', async ({
  world,
}) => {
  const { service: work, userData } = world
  // The same seed: both services know their account by the same id, and only the address tells them apart.
  const play = await startSimulator({ instances: 1 })
  try {
    const workPage = world.app.page
    await connect(workPage, work)
    await workPage.getByRole('button', { name: 'Create SSH key' }).click()
    await expect(workPage.getByText(/SHA256:/).first()).toBeVisible()
    await saveSearch(workPage, 'canary-work')
    await nameAccount(workPage, 'Work')
    await addBackupCodes(workPage)
    await test.step('a shell of the first one goes on from here', async () => {
      await workPage.getByRole('link', { name: /^Offers/ }).click()
      await rent(workPage)
      await openTerminal(workPage)
      await type(workPage, 'for i in 1 2 3; do sleep 2; echo tick-$i; done; echo away-$((40+2))\n')
    })

    const playPage = await addAccount(workPage)
    await expect(playPage.getByRole('heading', { name: 'Connect another account' })).toBeVisible()
    await connect(playPage, play)
    await saveSearch(playPage, 'canary-play')
    await nameAccount(playPage, 'Play')
    await playPage.getByRole('button', { name: /^Account:/ }).click()
    const accounts = playPage.getByRole('list', { name: 'Accounts' })
    await expect(accounts.getByRole('button')).toHaveText([/^Work/, /^Play/])
    await expect(accounts.getByRole('button', { name: /^Play/ })).toHaveAttribute('aria-current', 'true')
    expect(await findings(playPage)).toEqual([])

    await test.step('what the vault has of the other account is counted', async () => {
      await playPage.keyboard.press('Escape')
      await openVault(playPage)
      await expect(playPage.getByText('1 more set of backup codes belongs to other accounts.')).toBeVisible()
      expect(await findings(playPage)).toEqual([])
    })
    await test.step('its shell went on meanwhile, and takes what is typed', async () => {
      await playPage.keyboard.press('Alt+Shift+1')
      await expect.poll(() => screenText(workPage)).toContain('tick-3\naway-42')
      await type(workPage, 'echo back-$((40+2))\n')
      await expect.poll(() => screenText(workPage)).toContain('back-42')
      // In a terminal Alt belongs to the shell.
      await workPage.getByRole('button', { name: /^Account:/ }).click()
      await workPage.getByRole('list', { name: 'Accounts' }).getByRole('button', { name: /^Play/ }).click()
    })

    await test.step('both are at work, whichever is in front', async () => {
      const before = work.journal().length
      await expect.poll(() => work.journal().length, { timeout: 40_000 }).toBeGreaterThan(before)
    })
    await test.step('each key goes to its own service only', async () => {
      for (const service of [work, play])
        // What is being worked on has neither a key nor a status yet.
        await expect
          .poll(() => {
            const sent = service.journal()
            return [new Set(sent.map(({ key }) => key)).size, sent.every(({ status }) => status === 200)]
          })
          .toEqual([1, true])
    })
    await test.step('nothing of one is in the page of the other', async () => {
      await workPage.getByRole('link', { name: /^Offers/ }).click()
      await playPage.getByRole('link', { name: /^Offers/ }).click()
      for (const page of [workPage, playPage]) await page.getByRole('button', { name: 'Saved (1)' }).click()
      await expect(workPage.getByText('canary-work')).toBeVisible()
      await expect(playPage.getByText('canary-play')).toBeVisible()
      expect(await workPage.content()).not.toContain('canary-play')
      expect(await playPage.content()).not.toContain('canary-work')
    })
    await test.step('nor in its folder', async () => {
      const kept = await Promise.all((await foldersOf(userData)).map((name) => textBelow(userData, name)))
      expect(
        kept.map((text) => [text.includes('canary-work'), text.includes('canary-play')]).toSorted(),
      ).toEqual([
        [false, true],
        [true, false],
      ])
    })

    await test.step('signing out of one deletes what is its own, and leaves the other', async () => {
      await playPage.getByRole('link', { name: /^Settings/ }).click()
      await playPage.getByRole('button', { name: 'Sign out' }).click()
      const dialog = playPage.getByRole('dialog', { name: 'Sign out of Play' })
      await expect(dialog).toContainText('You’re still charged for your instance')
      await expect(dialog.getByRole('heading', { name: 'Stays' })).toBeVisible()
      const closed = playPage.waitForEvent('close')
      await dialog.getByRole('button', { name: 'Sign out' }).click()
      await closed
      await expect.poll(() => foldersOf(userData)).toHaveLength(1)
      await expect(workPage.getByRole('button', { name: /^Account: Work/ })).toBeVisible()
    })

    await test.step('and at the next start the other is there as it was', async () => {
      await world.app.close()
      const { page } = await world.startAgain()
      await expect(page.getByRole('button', { name: /^Account: Work/ })).toBeVisible()
      await page.getByRole('link', { name: /^Offers/ }).click()
      await page.getByRole('button', { name: 'Saved (1)' }).click()
      await expect(page.getByText('canary-work')).toBeVisible()
    })
  } finally {
    await play.close()
  }
})

async function nameAccount(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name: /^Settings/ }).click()
  const field = page.getByLabel('Account name')
  await field.fill(' ')
  await field.press('Enter')
  await expect(page.getByText('Enter a value.')).toBeVisible()
  await field.fill(name)
  await field.press('Enter')
  await expect(page.getByRole('button', { name: new RegExp(`^Account: ${name}`) })).toBeVisible()
  await expect(page.getByText('Only on this computer. No changes to save.')).toBeVisible()
}

/** A search under that name, once the first run has been left. */
async function saveSearch(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('link', { name: 'Find a machine' }).click()
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await page.getByRole('button', { name: 'Save search' }).click()
  await page.getByLabel('Search name').fill(name)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Saved (1)' })).toBeVisible()
}

async function addBackupCodes(page: Page): Promise<void> {
  await openVault(page)
  await page.getByRole('button', { name: 'Add backup codes' }).click()
  await page.getByLabel('Codes', { exact: true }).fill('AAAA-BBBB-CCCC')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(page.getByText('1 unused')).toBeVisible()
}

async function openVault(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Security', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'One-time passwords', exact: true })).toBeVisible()
}

/** Of the accounts that have something on the disk. */
async function foldersOf(userData: string): Promise<string[]> {
  const names = await readdir(join(userData, 'accounts'))
  return names.filter((name) => name !== 'none')
}

async function textBelow(userData: string, account: string): Promise<string> {
  return (await filesBelow(join(userData, 'accounts', account))).join('\n')
}
