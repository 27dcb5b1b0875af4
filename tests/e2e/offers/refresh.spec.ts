import type { Simulator } from '../../simulator/simulator.ts'
import { idsInSight, offerRow, search, takeAway } from '../support/offers-actions.ts'
import { expect, test } from '../support/world-test.ts'

test.use({ worldOptions: { service: { offers: 200 } } })

/** $/h. */
async function priceOf(service: Simulator, id: number): Promise<number> {
  const response = await fetch(`${service.baseUrl}/api/v0/bundles/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.account('default').key}` },
    body: JSON.stringify({ id: { eq: id } }),
  })
  return ((await response.json()) as { offers: [{ dph_total: number }] }).offers[0].dph_total
}

test('a refresh marks what has become dearer, cheaper, gone and new, by sight and in words, and nothing vanishes under the pointer', async ({
  world,
}) => {
  const { service, app } = world
  const { page } = app
  const [up = 0, down = 0, gone = 0, same = 0] = await idsInSight(page)
  const before = await priceOf(service, up)
  service.offers.change(up, { dph_total: before + 1 })
  service.offers.change(down, { dph_total: 0.001 })
  await takeAway(service, gone)
  await page.getByRole('button', { name: 'Refresh the offers' }).click()

  await expect(page.getByText('1 gone, 2 prices changed')).toBeVisible()
  await expect(offerRow(page, up)).toContainText('Price up from $')
  await expect(offerRow(page, down)).toContainText('Price down from')
  await expect(offerRow(page, down)).toContainText('0.001')
  await expect(offerRow(page, gone)).toContainText('Gone')
  await expect(offerRow(page, same)).not.toContainText(/Price (?:up|down)|Gone/)

  await test.step('a price that comes back is no change', async () => {
    service.offers.change(up, { dph_total: before })
    await page.getByRole('button', { name: 'Refresh the offers' }).click()
    await expect(offerRow(page, up)).toContainText('Price down from')
    await page.getByRole('button', { name: 'Refresh the offers' }).click()
    await expect(page.getByText('Clear marks')).toHaveCount(0)
    await expect(offerRow(page, up)).not.toContainText(/Price (?:up|down)/)
  })

  await test.step('nothing vanishes under the pointer', async () => {
    await page.getByLabel('Limit', { exact: true }).fill('1000')
    await search(page)
    const before = await idsInSight(page)
    const [, second = 0, third = 0] = before
    await offerRow(page, third).focus()
    await takeAway(service, second)
    await page.getByRole('button', { name: 'Refresh the offers' }).click()

    await expect(offerRow(page, second).getByText('Gone')).toBeVisible()
    await expect(offerRow(page, second).getByRole('button', { name: /^Rent/ })).toHaveCount(0)
    expect(await idsInSight(page)).toEqual(before)
    await expect(page.getByText('1 gone')).toBeVisible()

    // By the clock too, once the table is left alone.
    await takeAway(service, third)
    await page.getByRole('combobox', { name: 'Refresh interval' }).click()
    await page.getByRole('option', { name: 'Every 15 s' }).click()
    await expect(page.getByText('2 gone')).toBeVisible({ timeout: 90_000 })

    await page.getByRole('button', { name: 'Clear marks' }).click()
    await expect(offerRow(page, second)).toHaveCount(0)
    await expect(page.getByText(/\d gone/)).toHaveCount(0)
  })
})
