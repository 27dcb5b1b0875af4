import type { Page } from '@playwright/test'
import { accountFolder, connect } from '../support/actions.ts'
import { findings } from '../support/axe.ts'
import { startHoldingProxy } from '../support/holding-proxy.ts'
import { idsInSight, offerRow, offersTable, search } from '../support/offers-actions.ts'
import { openTemplates, templatesTable } from '../support/templates-actions.ts'
import { expect, test } from '../support/world-test.ts'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

test.use({ account: 'none', worldOptions: { service: { bootSeconds: [0, 0] } } })

/** Nothing gets through to the service until `faults.clear`. */
const silence = { path: '*', kind: 'reset-before', times: 10_000 } as const
/** Requests are taken, and not answered sooner than they are given up. */
const hanging = { path: '*', kind: 'delay', ms: 600_000, times: 10_000 } as const

const exactly = (page: Page, label: string) => page.getByRole('table', { name: label, exact: true })
const age = (page: Page) => page.getByText(/^Last seen .+ ago|^Last seen now|^Last seen just now/)
const checking = (page: Page) => page.getByText('Checking…', { exact: true })
const spending = (page: Page) => page.getByRole('button', { name: /^Spending:/ })

async function openAccount(page: Page): Promise<void> {
  await page.getByRole('link', { name: /^Settings/ }).click()
  await page.getByRole('link', { name: 'Account and key' }).click()
  await expect(page.getByRole('heading', { name: 'Account', level: 1 })).toBeVisible()
}

/** Sees all five, as somebody does who works. */
async function seeAll(page: Page, { baseUrl, key }: { readonly baseUrl: string; readonly key: string }) {
  await fetch(`${baseUrl}/api/v0/users/cloud/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      provider: 's3',
      ...{ user_given_name: 'Weights', access_key: 'AK-1', secret_access_key: 'SK-1' },
    }),
  })
  await connect(page, { baseUrl, key })
  await expect(page.getByRole('heading', { name: 'This computer' })).toBeVisible()
  await page.getByRole('link', { name: 'Offers' }).click()
  await search(page)
  await expect(offersTable(page).getByRole('button', { name: /^Rent/ }).first()).toBeEnabled()
  await openTemplates(page)
  await page.getByRole('link', { name: 'Cloud' }).click()
  await expect(page.getByText('Weights')).toBeVisible()
  await page.getByRole('link', { name: 'Security' }).click()
  await expect(page.getByRole('list', { name: 'Methods' })).toBeVisible()
}

test('after a start without the service, each page shows what was last seen, with its age; then what is new', async ({
  world,
}) => {
  const { service, userData } = world
  const { key } = service.account('multi-sms')
  await seeAll(world.app.page, { baseUrl: service.baseUrl, key })
  await world.app.close()
  service.faults.add(silence)
  const { page } = await world.startAgain()

  await test.step('files of the account are for their owner only', async () => {
    const folder = await accountFolder(userData)
    const names = (await readdir(folder)).filter((name) => name.startsWith('last-'))
    expect(names).toHaveLength(6)
    if (process.platform !== 'win32')
      for (const name of names) expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600)
  })
  await test.step('offers, none of which can be rented', async () => {
    await page.getByRole('link', { name: 'Offers' }).click()
    const table = exactly(page, 'Offers as last seen')
    await expect(table).toBeVisible({ timeout: 60_000 })
    await expect(age(page)).toBeVisible()
    await expect(page.getByText(/Prices and availability may have changed/)).toBeVisible()
    const rents = table.getByRole('button', { name: /^Rent offer \d+$/ })
    await expect(rents.first()).toBeDisabled()
    expect(await rents.evaluateAll((all) => all.every((one) => one.matches(':disabled')))).toBe(true)
    expect(await findings(page)).toEqual([])
  })
  await test.step('templates', async () => {
    await page.getByRole('link', { name: 'Templates' }).click()
    await expect(exactly(page, 'Templates as last seen')).toBeVisible({ timeout: 60_000 })
    await expect(age(page)).toBeVisible()
    expect(await findings(page)).toEqual([])
  })
  await test.step('cloud connections', async () => {
    await page.getByRole('link', { name: 'Cloud' }).click()
    await expect(page.getByText('Weights')).toBeVisible({ timeout: 60_000 })
    await expect(age(page)).toBeVisible()
    await expect(page.getByRole('button', { name: 'Add a connection' })).toBeDisabled()
    expect(await findings(page)).toEqual([])
  })
  await test.step('2FA', async () => {
    await page.getByRole('link', { name: 'Security' }).click()
    await expect(page.getByRole('list', { name: 'Methods as last seen' })).toBeVisible({ timeout: 60_000 })
    await expect(age(page)).toBeVisible()
    await expect(page.getByRole('button', { name: 'Add a method' })).toBeHidden()
    expect(await findings(page)).toEqual([])
  })
  await test.step('account', async () => {
    await openAccount(page)
    await expect(age(page)).toBeVisible({ timeout: 60_000 })
    await expect(page.getByText(/@.+verified/)).toBeVisible()
    expect(await findings(page)).toEqual([])
  })
  await test.step('once the service answers, what is new takes its place by itself', async () => {
    service.faults.clear()
    await expect(age(page)).toBeHidden({ timeout: 90_000 })
    await page.getByRole('link', { name: 'Offers' }).click()
    await expect(offersTable(page).getByRole('button', { name: /^Rent/ }).first()).toBeEnabled()
    await expect(exactly(page, 'Offers as last seen')).toBeHidden()
    await page.getByRole('link', { name: 'Templates' }).click()
    await expect(templatesTable(page)).toBeVisible()
    await expect(exactly(page, 'Templates as last seen')).toBeHidden()
    await page.getByRole('link', { name: 'Security' }).click()
    await expect(page.getByRole('list', { name: 'Methods', exact: true })).toBeVisible()
    await page.getByRole('link', { name: 'Cloud' }).click()
    await expect(page.getByText('Weights')).toBeVisible()
    await expect(age(page)).toBeHidden()
  })
})

test('a page in sight follows by itself; a key that is refused shows nothing of before', async ({
  world,
}) => {
  const { service } = world
  const { key } = service.account('multi-sms')
  await seeAll(world.app.page, { baseUrl: service.baseUrl, key })
  await world.app.close()
  service.faults.add(silence)
  let { page } = await world.startAgain()
  await page.getByRole('link', { name: 'Offers' }).click()
  await expect(exactly(page, 'Offers as last seen')).toBeVisible({ timeout: 60_000 })
  service.faults.clear()
  await expect(offersTable(page).getByRole('button', { name: /^Rent/ }).first()).toBeEnabled({
    timeout: 90_000,
  })
  await expect(exactly(page, 'Offers as last seen')).toBeHidden()

  await world.app.close()
  service.faults.add({ path: '*', kind: 'refused', status: 401, error: 'auth_error', times: 10_000 })
  ;({ page } = await world.startAgain())
  await page.getByRole('link', { name: 'Offers' }).click()
  await expect(page.getByText('The service refused the API key').first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Search', exact: true })).toBeVisible()
  await expect(exactly(page, 'Offers as last seen')).toBeHidden()
  await page.getByRole('link', { name: 'Cloud' }).click()
  await expect(page.getByText('The service refused the API key').first()).toBeVisible()
  await expect(page.getByText('Weights')).toBeHidden()
  await expect(age(page)).toBeHidden()
})

test('while the service hangs, each page shows at once what was last seen, as being checked, until it answers', async ({
  world,
}) => {
  const { service } = world
  const { key } = service.account('multi-sms')
  const proxy = await startHoldingProxy(service.baseUrl)
  let { page } = world.app
  await seeAll(page, { baseUrl: proxy.baseUrl, key })
  await expect(spending(page)).toContainText(/\$\d+\.\d\d credit/)
  const [credit = ''] = /\$\d+\.\d\d(?= credit)/.exec(await spending(page).innerText()) ?? []
  await page.getByRole('link', { name: 'Offers' }).click()
  const [blocked = 0] = await idsInSight(page)
  await page.getByRole('button', { name: `More for offer ${blocked}` }).click()
  await page.getByRole('menuitem', { name: /^Block machine/ }).click()
  await expect(offerRow(page, blocked)).toHaveCount(0)
  const [other = 0] = await idsInSight(page)
  await page.getByRole('link', { name: 'Cloud' }).click()
  await world.app.close()

  service.faults.add(hanging)
  const searched = proxy.hold('POST', '/api/v0/bundles/', 'request')
  ;({ page } = await world.startAgain())
  /** No request is given up as early as this. */
  const atOnce = { timeout: 10_000 }
  await test.step('cloud connections', async () => {
    await expect(page.getByText('Weights')).toBeVisible(atOnce)
    await expect(age(page)).toBeVisible()
    await expect(checking(page)).toBeVisible()
    expect(await findings(page)).toEqual([])
  })
  await test.step('templates', async () => {
    await page.getByRole('link', { name: 'Templates' }).click()
    await expect(exactly(page, 'Templates as last seen')).toBeVisible(atOnce)
    await expect(checking(page)).toBeVisible()
  })
  await test.step('2FA', async () => {
    await page.getByRole('link', { name: 'Security' }).click()
    await expect(page.getByRole('list', { name: 'Methods as last seen' })).toBeVisible(atOnce)
    await expect(checking(page)).toBeVisible()
  })
  await test.step('credit and account', async () => {
    await expect(page.getByRole('button', { name: /^Service:/ })).not.toContainText('reachable')
    await expect(spending(page)).toContainText(`${credit} credit, last seen `)
    await spending(page).click()
    await expect(page.getByText(`${credit}, last seen `)).toBeVisible()
    await page.keyboard.press('Escape')
    await openAccount(page)
    await expect(page.getByText(/@.+verified/)).toBeVisible(atOnce)
    await expect(checking(page)).toBeVisible()
  })
  await test.step('offers, without those that are blocked, until the service answers', async () => {
    await page.getByRole('link', { name: 'Offers' }).click()
    const table = exactly(page, 'Offers as last seen')
    await expect(table.getByRole('button', { name: `Rent offer ${other}` })).toBeDisabled(atOnce)
    await expect(table.getByRole('button', { name: `Rent offer ${blocked}` })).toHaveCount(0)
    await expect(page.getByText(/ of \d+ offers, \d+ blocked, hidden/)).toBeVisible()
    await expect(checking(page)).toBeVisible()
    expect(await findings(page)).toEqual([])
    service.faults.clear()
    ;(await searched).release()
    await expect(offersTable(page).getByRole('button', { name: /^Rent/ }).first()).toBeEnabled()
    await expect(table).toBeHidden()
  })
  await proxy.close()
})

test('another search doesn’t show what the former one found; 2FA of the old kind shows its backup codes', async ({
  world,
}) => {
  const { service } = world
  const { key } = service.account('legacy', { twoFactorMethods: [{ method: 'totp' }] })
  await seeAll(world.app.page, { baseUrl: service.baseUrl, key })
  await world.app.close()
  service.faults.add(silence)
  const { page } = await world.startAgain()
  await page.getByRole('link', { name: 'Security' }).click()
  const section = page.getByRole('region', { name: 'Two-factor authentication as last seen' })
  await expect(section).toContainText('On (legacy)', { timeout: 60_000 })
  await expect(section).toContainText(/Backup codes:.*of 10 left/s)

  await page.getByRole('link', { name: 'Templates' }).click()
  const table = exactly(page, 'Templates as last seen')
  await expect(table).toBeVisible({ timeout: 60_000 })
  service.faults.clear()
  service.faults.add({ kind: 'delay', path: '/api/v0/template/', ms: 600_000, times: 100 })
  await page.getByRole('button', { name: 'All', exact: true }).click()
  // Sooner than the request is given up.
  await expect(table).toBeHidden({ timeout: 10_000 })
  await expect(page.getByText('Searching for templates…')).toBeVisible()
})
