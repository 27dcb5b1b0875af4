import type { Page } from '@playwright/test'
import { setUp } from '../support/actions.ts'
import { findings } from '../support/axe.ts'
import { offersTable, search } from '../support/offers-actions.ts'
import { expect, test } from '../support/world-test.ts'

test.use({ account: 'none', worldOptions: { service: { offers: 200 } } })

const told = (page: Page, noun: string) =>
  page.getByRole('status').filter({ hasText: `Couldn’t read 1 ${noun}` })

test('an offer, an instance, a template, and a method that do not fit are told of; the others are listed', async ({
  world,
}) => {
  const { service, app } = world
  const { page } = app
  const oneWrong = { kind: 'wrong-types' as const, fields: ['id'], record: 2 }
  const { key } = service.account('default', {
    instances: 3,
    twoFactorMethods: [{ method: 'totp' }, { method: 'sms', phone_number: '+15550001234', label: 'Phone' }],
  })
  await setUp(page, { ...service, key })
  await search(page)
  service.faults.add({ method: 'POST', path: '/api/v0/bundles/', ...oneWrong })
  await search(page)
  await expect(told(page, 'offer')).toBeVisible()
  await expect(offersTable(page).getByRole('button', { name: /^Rent/ }).first()).toBeVisible()
  await told(page, 'offer').getByText('Show details').click()
  await expect(told(page, 'offer').getByRole('listitem')).toHaveText(/Record 2: id: .+/)
  await search(page)
  await expect(told(page, 'offer')).toBeHidden()

  await page.getByRole('link', { name: /^Instances/ }).click()
  const rows = page.getByRole('table', { name: 'Instances' }).locator('tbody tr[data-row]')
  await expect(rows).toHaveCount(3)
  service.faults.add({ method: 'GET', path: '/api/v0/instances/', ...oneWrong, times: 20 })
  await page.getByRole('button', { name: 'Refresh', exact: true }).click()
  await expect(told(page, 'instance')).toContainText('You may be charged for what isn’t shown.')
  // What can't be read may be the one that the list lacks.
  await expect(rows).toHaveCount(3)
  await expect(page.getByText(/^3 instances · about \$[\d.,]+\/h \(a record can’t be read\)$/)).toBeVisible()
  expect(await findings(page)).toEqual([])
  await page.evaluate(() => void (location.hash = '#/spending'))
  await expect(
    page.getByText('Couldn’t read 1 instance. You may be charged for what isn’t in the sum.'),
  ).toBeVisible()
  service.faults.clear()

  service.faults.add({ method: 'GET', path: '/api/v0/template/', ...oneWrong, fields: ['hash_id'] })
  await page.getByRole('link', { name: 'Templates' }).click()
  await expect(told(page, 'template')).toBeVisible()
  await expect(page.getByRole('table', { name: 'Templates' }).getByRole('row').nth(1)).toBeVisible()
  await told(page, 'template').getByText('Show details').click()
  await expect(told(page, 'template').getByRole('listitem')).toHaveText(/Record 2 \(ID \d+\): hash_id: .+/)

  service.faults.add({ method: 'GET', path: '/api/v0/tfa/status/', ...oneWrong, times: 20 })
  await page.getByRole('link', { name: 'Security' }).click()
  await expect(told(page, 'method')).toBeVisible()
  await expect(page.getByRole('list', { name: 'Methods' }).getByRole('listitem')).toHaveCount(1)
  expect(await findings(page)).toEqual([])
})

test('the only record of a list is told of when it does not fit, and nothing is said to be none', async ({
  world,
}) => {
  const { service, app } = world
  const { page } = app
  const { key } = service.account('default', { instances: 1, twoFactorMethods: [{ method: 'totp' }] })
  const wrong = { kind: 'wrong-types' as const, fields: ['id'], record: 1, times: 1000 }
  service.faults.add({ method: 'GET', path: '/api/v0/instances/', ...wrong })
  await setUp(page, { ...service, key })
  await page.getByRole('link', { name: /^Instances/ }).click()
  await expect(told(page, 'instance')).toContainText('You may be charged for what isn’t shown.')
  await expect(page.getByText('You have no instances')).toBeHidden()
  await expect(page.getByRole('button', { name: 'Spending' })).toContainText('–/h')
  expect(await findings(page)).toEqual([])
  await page.evaluate(() => void (location.hash = '#/spending'))
  await expect(page.getByText(/^Nothing counted in/)).toBeVisible()
  await expect(
    page.getByText('Couldn’t read 1 instance. You may be charged for what isn’t in the sum.'),
  ).toBeVisible()

  service.faults.add({ method: 'POST', path: '/api/v0/bundles/', ...wrong })
  await page.getByRole('link', { name: 'Offers' }).click()
  await page.getByLabel('Limit').fill('1')
  await search(page)
  await expect(told(page, 'offer')).toBeVisible()
  for (const text of ['No matching offers', 'All offers are filtered out'])
    await expect(page.getByText(text)).toBeHidden()
  expect(await findings(page)).toEqual([])

  service.faults.add({ method: 'GET', path: '/api/v0/tfa/status/', ...wrong })
  await page.getByRole('link', { name: 'Security' }).click()
  await expect(told(page, 'method')).toBeVisible()
  await expect(page.getByText(/^1 method/)).toBeVisible()
})
