import type { Page } from '@playwright/test'
import { chooseOffer, instanceRow, instancesOf, untilListed } from '../support/actions.ts'
import { callWith, openSheet } from '../support/rent-actions.ts'
import type { World } from '../support/world.ts'
import { expect, test } from '../support/world-test.ts'

const hour = 3600
// It boots for so long that the test sees it charged meanwhile.
test.use({ worldOptions: { service: { bootSeconds: [2 * hour, 2 * hour] } } })

const note = 'Amounts are Slipway’s estimates'

/** What the account loses in ten hours. */
async function lostInTenHours(service: World['service']): Promise<number> {
  const credit = async (): Promise<number> => {
    const reply = await callWith(service.key, service, 'GET', '/api/v0/users/current/')
    return ((await reply.json()) as { credit: number }).credit
  }
  const before = await credit()
  await service.clock.advance(10 * hour)
  return before - (await credit())
}

/** The rate at the head of the list, in $/h. */
async function shownRate(page: Page): Promise<number> {
  const text = await page.getByText(/^1 instance · \$[\d.,]+\/h$/).innerText()
  return Number(/\$([\d.,]+)/.exec(text)?.[1]?.replaceAll(',', ''))
}

test('what is said to be charged is what the account loses: while it boots, runs, is stopped, and never runs', async ({
  world,
}) => {
  const { service, app } = world
  const { page } = app
  await openSheet(page)
  await expect(page.getByText(note)).toHaveCount(1)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await chooseOffer(page)
  await page.getByLabel('Disk (GB)').fill('2000')
  const cost = await page.getByRole('region', { name: 'This will cost' }).innerText()
  const promised = Number(/Per hour\s*\$([\d.,]+)\/h/.exec(cost)?.[1]?.replaceAll(',', ''))
  await page.getByRole('button', { name: 'Rent this machine' }).click()
  await expect(instanceRow(page)).toBeVisible()
  await expect(page.getByText(note)).toHaveCount(1)
  const id = (await instancesOf(service))[0]?.id ?? 0

  // The list shows three digits.
  const expectLoss = (lost: number, rate: number) => expect(Math.abs(lost / 10 / rate - 1)).toBeLessThan(0.01)
  await service.instances.setFate(id, 'loading')
  await untilListed(page, instanceRow(page).getByText(/Downloading the image/))
  expectLoss(await lostInTenHours(service), promised)
  expectLoss(await lostInTenHours(service), await shownRate(page))
  for (const [fate, word] of [
    ['running', 'Running'],
    ['exited', 'Exited'],
    ['stopped', 'Stopped'],
  ] as const) {
    await service.instances.setFate(id, fate)
    await untilListed(page, instanceRow(page).getByText(word, { exact: true }))
    expectLoss(await lostInTenHours(service), await shownRate(page))
  }
  await page.getByRole('button', { name: /^Spending/ }).click()
  await expect(page.getByRole('dialog').getByText(note)).toBeVisible()
})
