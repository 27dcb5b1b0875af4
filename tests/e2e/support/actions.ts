import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { expect } from '@playwright/test'
import type { Simulator } from '../../simulator/simulator.ts'
import { offersTable, search } from './offers-actions.ts'

/** What people do with the window, in the words that stand in it. */

export async function connect(
  page: Page,
  { baseUrl, key }: Pick<Simulator, 'baseUrl' | 'key'>,
): Promise<void> {
  await page.getByLabel('Service address').fill(baseUrl)
  await page.getByLabel('API key').fill(key)
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
}

/** The window for one more account, which asks for its key. */
export async function addAccount(page: Page): Promise<Page> {
  const opened = page.context().waitForEvent('page')
  await page.getByRole('button', { name: /^Account:/ }).click()
  await page.getByRole('button', { name: 'Add an account' }).click()
  return opened
}

/** Signs the account of a page out; the page of one of several accounts goes with it. */
export async function signOut(page: Page): Promise<void> {
  await page.evaluate(() => void (location.hash = '#/settings'))
  await page.getByRole('button', { name: 'Sign out' }).click()
  const closed = page.waitForEvent('close')
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click()
  await closed
}

/** Where the app keeps the files of the one account that is connected. */
export async function accountFolder(userData: string): Promise<string> {
  const accounts = join(userData, 'accounts')
  const [id, ...others] = (await readdir(accounts)).filter((name) => name !== 'none')
  if (id === undefined || others.length > 0) throw new Error('There is not exactly one account')
  return join(accounts, id)
}

/** First run, with a new SSH key. */
export async function setUp(page: Page, service: Simulator): Promise<void> {
  await connect(page, service)
  await page.getByRole('button', { name: 'Create SSH key' }).click()
  // One can go on without it, and then rents without it.
  await expect(page.getByText(/SHA256:/).first()).toBeVisible()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('link', { name: 'Find a machine' }).click()
}

/** In the form for an auto-stop rule: the next ones run in Slipway, and not on their instance. */
export async function runRulesInSlipway(rules: Locator): Promise<void> {
  await rules.getByRole('combobox', { name: 'Where' }).click()
  await rules.page().getByRole('option', { name: 'In Slipway' }).click()
}

/** On the page of offers: searches, and opens the rent sheet of the first one. */
export async function chooseOffer(page: Page): Promise<void> {
  // Until it is answered, the rows are those of before: the first one may be rented by now.
  await search(page)
  await offersTable(page).getByRole('button', { name: /^Rent/ }).first().click()
  await page.getByLabel('Image').fill('pytorch/pytorch:latest')
}

export async function rent(page: Page): Promise<void> {
  await chooseOffer(page)
  await page.getByRole('button', { name: 'Rent this machine' }).click()
}

/** A row of the list of instances; the only one without an id. */
export function instanceRow(page: Page, id?: number) {
  const rows = page.getByRole('table', { name: 'Instances' }).getByRole('row')
  return id === undefined ? rows.nth(1) : rows.filter({ hasText: String(id) })
}

/** On the page of instances: waits as somebody impatient does, by asking again, and not for the next poll. */
export async function untilListed(page: Page, news: Locator): Promise<void> {
  await expect(async () => {
    if (!(await news.isVisible()))
      await page.getByRole('button', { name: 'Refresh', exact: true }).click({ timeout: 1_000 })
    await expect(news).toBeVisible({ timeout: 1_000 })
  }).toPass({ timeout: 150_000 })
}

export async function untilRunning(page: Page, id?: number): Promise<void> {
  await untilListed(page, instanceRow(page, id).getByText(/^running$/i))
}

/** Opens a terminal on the only instance, when it runs, and trusts its host key. */
export async function openTerminal(page: Page): Promise<void> {
  await untilRunning(page)
  await instanceRow(page).getByRole('button', { name: 'Open terminal' }).click()
  await page.getByRole('button', { name: 'Trust this host' }).click()
  await expect.poll(() => screenText(page)).toContain('instance-')
}

/** What the terminal's screen shows. */
export async function screenText(page: Page): Promise<string> {
  const rows = await page
    .getByRole('region', { name: 'Terminal' })
    .locator('.xterm-rows > div')
    .allInnerTexts()
  return rows.join('\n')
}

/** Types into the terminal as a person does. */
export async function type(page: Page, text: string): Promise<void> {
  await page.getByRole('region', { name: 'Terminal' }).click()
  await page.keyboard.type(text)
}

/** Pastes into the terminal as the system does, without its clipboard. */
export async function paste(page: Page, text: string): Promise<void> {
  await page.locator('.xterm-helper-textarea').evaluate((field, pasted) => {
    const data = new DataTransfer()
    data.setData('text/plain', pasted)
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
  }, text)
}

/**
 * Opens an element's menu. One that is still fading out takes the keyboard back when it's gone, and the next one would
 * close with that.
 */
export async function openMenu(of: Locator): Promise<void> {
  await expect(of.page().getByRole('menu')).toHaveCount(0)
  await of.click({ button: 'right' })
}

/**
 * Ctrl+clicks a row of the terminal that begins with an address, once it is said what that does. The mouse moves until
 * then, as a hand does: a terminal that draws itself anew no longer knows what it was over.
 */
export async function clickAddress(page: Page, address: string, told: string): Promise<void> {
  const row = page.locator('.xterm-rows > div').filter({ hasText: new RegExp(`^${address.slice(0, 26)}`) })
  let [x, y] = [0, 0]
  await expect(async () => {
    const box = await row.boundingBox({ timeout: 1_000 })
    ;[x, y] = [(box?.x ?? 0) + 40, (box?.y ?? 0) + 8]
    await page.mouse.move(x - 10, y)
    await page.mouse.move(x, y)
    await expect(page.getByText(told)).toBeVisible({ timeout: 2_000 })
  }).toPass({ timeout: 30_000 })
  await page.keyboard.down('Control')
  await page.mouse.click(x, y)
  await page.keyboard.up('Control')
}

/** The rentals that the service was asked for. */
export function rentalsOf(service: Simulator) {
  return service.journal().filter(({ method, path }) => method === 'PUT' && path.startsWith('/api/v0/asks/'))
}

/** The instances that the service has for the default account. */
export async function instancesOf({ baseUrl, key }: Pick<Simulator, 'baseUrl' | 'key'>) {
  const response = await fetch(`${baseUrl}/api/v0/instances/`, {
    headers: { authorization: `Bearer ${key}` },
  })
  const { instances } = (await response.json()) as {
    instances: {
      id: number
      ssh_port: number
      ports: Readonly<Record<string, readonly { HostPort: string }[] | undefined>>
    }[]
  }
  return instances
}
