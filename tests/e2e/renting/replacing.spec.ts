import type { Locator, Page } from '@playwright/test'
import { chooseOffer, instancesOf, rentalsOf, untilListed } from '../support/actions.ts'
import { findings } from '../support/axe.ts'
import { callWith } from '../support/rent-actions.ts'
import type { World } from '../support/world.ts'
import { expect, test } from '../support/world-test.ts'

test.use({ worldOptions: { service: { bootSeconds: [1, 1], offers: 400 } } })

/** What was rented and destroyed, in the order in which the service did it. */
function spending(service: World['service']): string[] {
  return service.journal().flatMap(({ method, path, status }) => {
    if (status !== 200) return []
    if (method === 'PUT' && path.startsWith('/api/v0/asks/')) return ['rented']
    return method === 'DELETE' ? [`destroyed ${path.split('/').at(-2)}`] : []
  })
}

const likeIt = { gpu_name: { eq: 'RTX 4090' }, num_gpus: { eq: 1 }, rentable: { eq: true } }

async function offersLikeIt(service: World['service']): Promise<readonly { readonly id: number }[]> {
  const found = await callWith(service.key, service, 'POST', '/api/v0/bundles/', { ...likeIt, limit: 400 })
  const { offers } = (await found.json()) as { offers: { id: number }[] }
  return offers
}

/** Another program rents an instance, which never runs. @returns its id */
async function rentDead(service: World['service']): Promise<number> {
  const [offer] = await offersLikeIt(service)
  service.instances.planNextFate({ actualStatus: 'exited', afterSeconds: 1 })
  await callWith(service.key, service, 'PUT', `/api/v0/asks/${offer?.id}/`, {
    image: 'team/elsewhere:1',
    disk: 24,
  })
  return (await instancesOf(service))[0]?.id ?? 0
}

/** Waits until an instance is seen as dead in the list, and asks for what takes its place. */
async function openReplacement(page: Page, id: number, by: (row: Locator) => Promise<void>): Promise<void> {
  await page.getByRole('link', { name: /^Instances/ }).click()
  await untilListed(page, page.getByRole('table', { name: 'Instances' }).getByText('Exited').first())
  await by(page.getByRole('table', { name: 'Instances' }).getByText(String(id)).first())
}

test('an instance that another program rented: its request is asked for, and the next offer is rented when it has gone', async ({
  world,
}) => {
  const { service, app } = world
  const { page } = app
  const id = await rentDead(service)
  await openReplacement(page, id, async (row) => {
    await row.click()
    await page.getByRole('button', { name: 'Destroy and rent next…' }).click()
  })

  const sheet = page.getByRole('dialog', { name: 'Destroy and rent the next offer' })
  await expect(sheet.getByText('This computer has no saved request for the instance')).toBeVisible()
  await expect(sheet.getByLabel('Image')).toHaveValue('team/elsewhere:1')
  await expect(sheet.getByLabel('Disk (GB)')).toHaveValue('24')
  await expect(sheet.getByText(/RTX 4090 · 1 GPU/)).toBeVisible()
  await expect(sheet.getByText('Enter the highest price.')).toBeVisible()
  const act = sheet.getByRole('button', { name: 'Destroy and rent next' })
  await sheet.getByLabel('Type the instance id').fill(String(id))
  await expect(act).toBeDisabled()
  await sheet.getByLabel('Highest price ($/h)').fill('0.0001')
  await act.click()
  await expect(sheet.getByText('No offer to rent instead')).toBeVisible()
  await expect(sheet.getByText('Nothing was destroyed or rented.')).toBeVisible()
  expect(spending(service)).toEqual(['rented'])
  await sheet.getByLabel('Highest price ($/h)').fill('1000')
  await expect(sheet.getByText(/First offer now: 1 × RTX 4090.*, \$[\d.]+\/h/)).toBeVisible()
  await expect(sheet.getByText('Amounts are Slipway’s estimates')).toHaveCount(1)
  expect(await findings(page)).toEqual([])
  await act.click()

  const panel = page.getByRole('region', { name: 'Auto-retry' })
  await untilListed(page, panel.getByText(/^Instance \d+ is running$/).first())
  expect(spending(service)).toEqual(['rented', `destroyed ${id}`, 'rented'])
  const [left, ...others] = await instancesOf(service)
  expect(others).toEqual([])
  expect(left).toMatchObject({ image_uuid: 'team/elsewhere:1', disk_space: 24 })
})

test('one rented from here without auto-retry, and a restart since: its search, limit, and request are known', async ({
  world,
}) => {
  const { service, app } = world
  await chooseOffer(app.page)
  await app.page.getByLabel('Image').fill('team/kept:2')
  service.instances.planNextFate({ actualStatus: 'exited', afterSeconds: 1 })
  await app.page.getByRole('button', { name: 'Rent this machine' }).click()
  await expect.poll(async () => (await instancesOf(service)).length).toBe(1)
  const id = (await instancesOf(service))[0]?.id ?? 0
  await expect(app.page.getByRole('table', { name: 'Instances' })).toBeVisible()
  await app.close()
  const { page } = await world.startAgain()
  await openReplacement(page, id, async (row) => {
    await row.click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Destroy and rent next…' }).click()
  })

  const sheet = page.getByRole('dialog', { name: 'Destroy and rent the next offer' })
  await expect(sheet.getByText('Saved when this computer rented the instance.')).toBeVisible()
  await expect(sheet.getByText('team/kept:2')).toBeVisible()
  await expect(sheet.getByLabel('Highest price ($/h)')).not.toHaveValue('')
  await sheet.getByLabel('Highest price ($/h)').fill('1000')
  // Another search, and back.
  await sheet.getByRole('button', { name: 'Change the search' }).click()
  await page.getByRole('button', { name: 'Use this search' }).click()
  await sheet.getByLabel('Type the instance id').fill(String(id))
  expect(await findings(page)).toEqual([])
  await sheet.getByRole('button', { name: 'Destroy and rent next' }).click()
  await untilListed(
    page,
    page
      .getByRole('region', { name: 'Auto-retry' })
      .getByText(/^Instance \d+ is running$/)
      .first(),
  )
  expect(spending(service)).toEqual(['rented', `destroyed ${id}`, 'rented'])
  const [first, second] = rentalsOf(service)
  expect(second?.body).toEqual(first?.body)
})

test('one that couldn’t be destroyed before all offers were above the limit is kept, which is told with what it costs', async ({
  world,
}) => {
  const { service, app } = world
  const id = await rentDead(service)
  await openReplacement(app.page, id, async (row) => {
    await row.click()
    await app.page.getByRole('button', { name: 'Destroy and rent next…' }).click()
  })
  const sheet = app.page.getByRole('dialog', { name: 'Destroy and rent the next offer' })
  await sheet.getByLabel('Highest price ($/h)').fill('1000')
  await sheet.getByLabel('Type the instance id').fill(String(id))
  await expect(sheet.getByText(/First offer now: 1 × RTX 4090/)).toBeVisible()
  service.faults.add({ kind: 'refused', method: 'DELETE', path: '/api/v0/instances/*', error: 'busy' })
  await sheet.getByRole('button', { name: 'Destroy and rent next' }).click()
  const panelOf = (page: Page) => page.getByRole('region', { name: 'Auto-retry' })
  await expect(
    panelOf(app.page)
      .getByText(/; Slipway tries again$/)
      .first(),
  ).toBeVisible()
  for (const offer of await offersLikeIt(service))
    service.offers.change(offer.id, { dph_base: 2000, dph_total: 2000 })
  await app.close()

  const { page } = await world.startAgain()
  await page.getByRole('link', { name: /^Instances/ }).click()
  await expect(panelOf(page)).toContainText(
    `Instance ${id} was kept, and you’re still charged for it: no offer is within your limits. Nothing was rented`,
  )
  await expect(page.getByRole('table', { name: 'Instances' })).toContainText(String(id))
  expect(await findings(page)).toEqual([])
  await page.screenshot({ path: test.info().outputPath('kept.png') })
  expect(spending(service)).toEqual(['rented'])
  expect(await instancesOf(service)).toMatchObject([{ id }])
  await panelOf(page).getByRole('button', { name: 'Dismiss this auto-retry' }).click()
  await expect(panelOf(page)).toBeHidden()
})
