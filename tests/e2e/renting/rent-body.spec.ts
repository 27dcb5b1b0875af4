import type { Page } from '@playwright/test'
import type { Simulator } from '../../simulator/simulator.ts'
import { instancesOf, rentalsOf } from '../support/actions.ts'
import { chooseTemplate, makeTemplate, openSheet } from '../support/rent-actions.ts'
import { expect, test } from '../support/world-test.ts'

test.use({ worldOptions: { service: { bootSeconds: [0, 0] } } })

const sent = (page: Page) => page.getByRole('group', { name: 'Request body' })
const rentIt = (page: Page) => page.getByRole('button', { name: 'Rent this machine' }).click()

/** What the last rental asked for, once it is made: the only one after so many. */
async function rentedBody(page: Page, service: Simulator, before: number): Promise<unknown> {
  await expect(page.getByRole('table', { name: 'Instances' })).toBeVisible()
  expect(rentalsOf(service)).toHaveLength(before + 1)
  return rentalsOf(service)[before]?.body
}

const volumes = [
  {
    kind: 'Link a volume',
    idLabel: 'Volume ID',
    fields: { 'Volume ID': '71', 'Mount path': '/data/sets' },
    body: { create_new: false, volume_id: 71, mount_path: '/data/sets' },
  },
  {
    kind: 'Create a volume',
    idLabel: 'Volume offer ID',
    fields: { 'Volume offer ID': '72', 'Size (GB)': '12.5', 'Mount path': '/new' },
    body: { create_new: true, volume_id: 72, size: 12.5, mount_path: '/new' },
  },
] as const

test('machine filters and volumes are checked, shown, and sent', async ({ world }) => {
  const { service, app } = world
  const { page } = app

  await test.step('machine filters, put together with the template’s', async () => {
    await makeTemplate(service, { extra_filters: { gpu_ram: { gte: 8 }, reliability: { gte: 0.5 } } })
    await openSheet(page)
    await chooseTemplate(page)
    const field = page.getByLabel('Machine filters (JSON)')
    await field.fill('{"gpu_ram": 24}')
    await expect(page.getByText(/“gpu_ram” must be an object/)).toBeVisible()
    await rentIt(page)
    expect(rentalsOf(service)).toEqual([])

    const extraFilters = { gpu_ram: { gte: 24 }, num_gpus: { in: [1, 2] } }
    await field.fill(JSON.stringify(extraFilters))
    const gets = page.getByRole('group', { name: 'Request details' })
    await expect(gets).toContainText('Machine filters')
    await expect(gets).toContainText('{"gte":24}')
    await expect(gets).toContainText('{"gte":0.5}')
    await expect(sent(page)).toContainText('"extra_filters"')
    await rentIt(page)
    expect(await rentedBody(page, service, 0)).toMatchObject({ extra_filters: extraFilters })
    // What the service made of both.
    expect(await instancesOf(service)).toMatchObject([
      { extra_filters: { ...extraFilters, reliability: { gte: 0.5 } } },
    ])
  })

  for (const { kind, idLabel, fields, body } of volumes)
    await test.step(`a volume, ${kind.toLowerCase()}: each field is needed`, async () => {
      const before = rentalsOf(service).length
      // The page forgets the form.
      await page.reload()
      await page.getByRole('link', { name: /^Offers/ }).click()
      await openSheet(page)
      await page.getByLabel('Image').fill('ubuntu:24.04')
      await page.getByRole('radio', { name: kind }).click()
      await page.getByLabel('Mount path').fill('data')
      await rentIt(page)
      await expect(page.getByText('Enter the ID, a whole number.')).toBeVisible()
      await expect(page.getByText('Enter a folder in the container, such as /data.')).toBeVisible()
      await expect(sent(page)).not.toContainText('volume_info')
      expect(rentalsOf(service)).toHaveLength(before)

      for (const [label, value] of Object.entries(fields)) await page.getByLabel(label).fill(value)
      // What belongs to the other kind isn't asked for.
      await expect(page.getByLabel('Size (GB)')).toHaveCount(kind === 'Create a volume' ? 1 : 0)
      await expect(page.getByLabel(idLabel)).toBeVisible()
      await expect(sent(page)).toContainText(`"volume_id": ${body.volume_id}`)
      await rentIt(page)
      expect(await rentedBody(page, service, before)).toMatchObject({ volume_info: body })
    })
})
