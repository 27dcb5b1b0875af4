import type { Page } from '@playwright/test'
import type { Simulator } from '../../simulator/simulator.ts'
import { rentalsOf } from '../support/actions.ts'
import { findings } from '../support/axe.ts'
import { offersTable } from '../support/offers-actions.ts'
import { expect, test } from '../support/world-test.ts'

test.use({ worldOptions: { service: { offers: 60, bootSeconds: [0, 0] } } })

const comparison = (page: Page) => page.getByRole('table', { name: 'Comparison' })

/** Selects the first so many offers; answers with their ids. */
async function select(page: Page, many: number): Promise<number[]> {
  const boxes = offersTable(page).getByRole('checkbox', { name: /^Select offer / })
  await expect(boxes.nth(many - 1)).toBeVisible()
  const ids: number[] = []
  for (let at = 0; at < many; at += 1) {
    ids.push(Number(/\d+$/.exec((await boxes.nth(at).getAttribute('aria-label')) ?? '')?.[0]))
    await boxes.nth(at).click()
  }
  return ids
}

/** The offers as the service has them, by id. */
async function offersOf({ baseUrl, key }: Simulator) {
  const response = await fetch(`${baseUrl}/api/v0/bundles/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ limit: 1000 }),
  })
  const { offers } = (await response.json()) as { offers: Record<string, number>[] }
  return new Map(offers.map((offer) => [offer['id'] ?? 0, offer]))
}

/** The texts of a row of the comparison, without its name. */
async function rowOf(page: Page, name: string | RegExp): Promise<string[]> {
  const row = comparison(page)
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name, exact: true }) })
  const texts = await row.getByRole('cell').allInnerTexts()
  return texts.map((text) => text.trim())
}

test('up to five offers side by side: totals as counted by hand, differences, and the cheapest is rented from its column', async ({
  world,
}) => {
  const { service, app } = world
  const { page } = app

  await test.step('one is too few and six are too many, and the window says so', async () => {
    const boxes = offersTable(page).getByRole('checkbox', { name: /^Select offer / })
    await boxes.first().click()
    await expect(page.getByRole('button', { name: 'Compare 1' })).toBeDisabled()
    await expect(page.getByText('Select at least 2 to compare.')).toBeVisible()
    await boxes.nth(5).click({ modifiers: ['Shift'] })
    await expect(page.getByRole('button', { name: 'Compare 6' })).toBeDisabled()
    await expect(page.getByText('You can compare up to 5: deselect 1.')).toBeVisible()
    await boxes.nth(5).click()
    await page.getByRole('button', { name: 'Compare 5' }).press('Enter')
    await expect(comparison(page).getByRole('button', { name: /^Rent offer/ })).toHaveCount(5)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('button', { name: 'Compare 5' })).toBeFocused()
    await page.getByRole('button', { name: 'Clear selection' }).click()
  })

  const [first = 0, second = 0, third = 0] = await select(page, 3)
  await page.getByRole('button', { name: 'Compare 3' }).click()
  await expect(page.getByLabel('Hours')).toBeFocused()
  await page.getByLabel('Hours').fill('12')
  await page.getByLabel('Disk (GB)').fill('50')
  await page.getByLabel('Upload (GB)').fill('3')
  await page.getByLabel('Download (GB)').fill('40')

  const records = await offersOf(service)
  const totalsUsd = [first, second, third].map((id) => {
    const { dph_base, storage_cost, inet_up_cost, inet_down_cost } = records.get(id) ?? {}
    if (!dph_base || !storage_cost || !inet_up_cost || !inet_down_cost) throw new Error('A price is missing')
    return dph_base * 12 + (storage_cost * 50 * 12) / 730 + inet_up_cost * 3 + inet_down_cost * 40
  })
  const lowestUsd = Math.min(...totalsUsd)
  const inWords = totalsUsd.map((usd) => `$${usd.toFixed(2)}${usd === lowestUsd ? ' lowest' : ''}`)
  await expect
    .poll(async () => (await rowOf(page, 'Total')).map((text) => text.replace(/\s+/g, ' ')))
    .toEqual(inWords)

  await test.step('what is not a number makes its parts unknown, never free', async () => {
    await page.getByLabel('Hours').fill('soon')
    await expect.poll(() => rowOf(page, /^GPU, /)).toEqual(Array(3).fill('– (no amount)'))
    for (const total of await rowOf(page, 'Total')) expect(total).toMatch(/^at least \$/)
    await page.getByLabel('Hours').fill('12')
  })

  await test.step('fields that the API’s document doesn’t have stand apart', async () => {
    const fieldOf = (group: string, name: RegExp) =>
      comparison(page)
        .getByRole('rowgroup')
        .filter({ has: page.getByText(group, { exact: true }) })
        .getByRole('rowheader', { name })
    await expect(fieldOf('Price', /^DLP/)).toBeVisible()
    await expect(fieldOf('Price', /^Storage/)).toHaveCount(0)
    await expect(fieldOf('Price (seen, not documented)', /^Storage/)).not.toHaveCount(0)
    await expect(fieldOf('Price (seen, not documented)', /^DLP/)).toHaveCount(0)
  })

  await test.step('only differences', async () => {
    const verified = comparison(page).getByRole('rowheader', { name: 'Verified', exact: true })
    await expect(verified).toBeVisible()
    await page.getByRole('switch', { name: 'Only differences' }).click()
    await expect(verified).toHaveCount(0)
    await expect(comparison(page).getByRole('rowheader', { name: 'Offer ID (differs)' })).toBeVisible()
  })
  expect(await findings(page)).toEqual([])

  await test.step('a column is taken off', async () => {
    const dearest = [first, second, third][totalsUsd.indexOf(Math.max(...totalsUsd))] ?? 0
    await page.getByRole('button', { name: `Remove offer ${dearest} from the comparison` }).click()
    await expect(page.getByRole('dialog', { name: 'Compare 2 offers' })).toBeVisible()
  })

  const cheapest = [first, second, third][totalsUsd.indexOf(lowestUsd)] ?? 0
  await comparison(page)
    .getByRole('button', { name: `Rent offer ${cheapest}` })
    .click()
  await expect(page.getByText(`Offer ${cheapest}`, { exact: true })).toBeVisible()
  await page.getByLabel('Image').fill('ubuntu:24.04')
  await page.getByRole('button', { name: 'Rent this machine' }).click()
  await expect.poll(() => rentalsOf(service).map(({ path }) => path)).toEqual([`/api/v0/asks/${cheapest}/`])
})
