import { randomBytes } from 'node:crypto'
import type { Simulator } from '../../simulator/simulator.ts'
import { chooseOffer, instanceRow, rentalsOf } from '../support/actions.ts'
import { findings } from '../support/axe.ts'
import { addPort, makeTemplate, openSheet } from '../support/rent-actions.ts'
import { expect, test } from '../support/world-test.ts'

test.use({ worldOptions: { service: { bootSeconds: [0, 0] } } })

test('what would cost more, or could not run, is said before it is rented; an offer that has changed is asked about', async ({
  world,
}) => {
  const { service, app } = world
  const { page } = app
  await test.step('what would cost more, or could not run', async () => {
    await makeTemplate(service, { env: '-p 8080:80', recommended_disk_space: 100_000 })
    await openSheet(page)
    const cost = page.getByRole('region', { name: 'This will cost' })
    const perHour = async (): Promise<number> =>
      Number(/Per hour\s*\$([\d.,]+)\/h/.exec(await cost.innerText())?.[1]?.replaceAll(',', ''))
    await expect(page.getByLabel('Disk (GB)')).toHaveValue('8')
    await expect.poll(perHour).toBeGreaterThan(0)
    const small = await perHour()
    await page.getByLabel('Template').click()
    await page.getByRole('option', { name: /My trainer/ }).click()
    await expect(cost).toContainText(/has only [\d,]+ GB of disk/)
    await expect.poll(perHour).toBeGreaterThan(small + 1)
    await page.getByLabel('Disk (GB)').fill('8')
    await expect.poll(perHour).toBe(small)

    await page.getByLabel('Image').fill('two words')
    await addPort(page, 1, '8079-8081', '179-181')
    await addPort(page, 2, '9000', '90')
    await addPort(page, 3, '9000', '91')
    await expect(page.getByText('The template maps host port 8080 to another port')).toBeVisible()
    await expect(page.getByText('Host port 9000 is already mapped.')).toBeVisible()
    const body = page.getByLabel('Request body')
    await expect(body).toHaveAttribute('aria-busy', 'false')
    await expect(body).toContainText('-p 9000:90')
    await expect(body).not.toContainText('-p 9000:91')
    await page.getByLabel('Start script').fill(randomBytes(20_000).toString('base64'))
    await expect(page.getByText(/Even compressed, the script is [\d,]+ characters over/)).toBeVisible()
    await expect(page.getByText(/[\d,]+ \/ 4,048/)).toBeVisible()
    await page.getByRole('button', { name: 'Rent this machine' }).click()
    await expect(page.getByText('An image name can’t contain spaces.')).toBeVisible()
    expect(rentalsOf(service)).toEqual([])
  })

  // The page forgets the form.
  await page.reload()
  await test.step('an offer that has become dearer, or is found no more, is asked about first', async () => {
    await chooseOffer(page)
    const rentButton = page.getByRole('button', { name: 'Rent this machine' })
    const offerId = Number(/Offer (\d+)/.exec(await page.getByRole('dialog').innerText())?.[1])
    await changeOffer(service, offerId, { dph_base: 9, dlperf_per_dphtotal: 9999 })
    // Enter in a field spends nothing.
    await page.getByLabel('Image').press('Enter')
    await rentButton.click()
    await expect(page.getByText(/It went from \$0\.[\d.]+\/h to \$9[\d.]*\/h/)).toBeVisible()
    await expect(page.getByRole('region', { name: 'This will cost' })).toContainText('$9')
    await changeOffer(service, offerId, { verified: false })
    await rentButton.click()
    await expect(page.getByText('Your search no longer finds this offer')).toBeVisible()
    expect(rentalsOf(service)).toEqual([])
    await rentButton.click()
    await expect(instanceRow(page)).toBeVisible()
    expect(rentalsOf(service)).toHaveLength(1)
  })
})

test('a template is found by the keyboard among hundreds, also when its lookup failed at first', async ({
  world,
}) => {
  const { service, app } = world
  const { page } = app
  await test.step('a lookup that failed is tried again, and the template that it finds is chosen', async () => {
    const field = page.getByLabel('Template')
    await openSheet(page)
    await field.click()
    await expect(page.getByRole('option').first()).toBeVisible()
    // Another list that is on its way would take one of the faults.
    await expect(page.getByRole('dialog').locator('.animate-spin')).toHaveCount(0)
    // Not among those that were listed.
    await makeTemplate(service, { name: 'Late trainer' })
    service.faults.add({ kind: 'malformed-json', path: '/api/v0/template/', times: 2 })
    const asked = () => service.journal().filter(({ path }) => path.startsWith('/api/v0/template/')).length
    const before = asked()
    await page.keyboard.type('Late trainer')
    await page.getByRole('option', { name: 'Find template' }).click()
    // By its name and by its hash id: both fail before it's tried again.
    await expect.poll(asked).toBeGreaterThanOrEqual(before + 2)
    // The list is still open. Held as long as a finger holds it: the list, whole again as it closes, took the click.
    await page.getByRole('button', { name: 'Try again' }).click({ delay: 60 })
    await expect(field).toHaveValue('Late trainer')
    await expect(field).toBeFocused()
    await expect(page.getByRole('option')).toHaveCount(0)
    await expect(page.getByLabel('Disk (GB)')).toHaveValue('40')
  })

  // The page forgets the form.
  await page.reload()
  await test.step('hundreds of templates open at once, and one is found', async () => {
    await Promise.all(
      Array.from({ length: 150 }, (_, made) => makeTemplate(service, { name: `Mine ${made}` })),
    )
    await openSheet(page)
    await page.getByLabel('Template').click()
    await expect(page.getByRole('option', { name: /^Mine/ }).first()).toBeVisible()
    expect(await page.getByRole('option').count()).toBeLessThan(50)
    expect(await findings(page)).toEqual([])
    await page.keyboard.type('Mine 117')
    await expect(page.getByRole('option', { name: /^Mine 117/ })).toHaveAttribute('data-highlighted')
    await page.keyboard.press('Enter')
    await expect(page.getByLabel('Template')).toHaveValue('Mine 117')
    await expect(page.getByLabel('Disk (GB)')).toHaveValue('40')
  })
})

/** Changes fields of an offer, as its host does. */
async function changeOffer({ baseUrl }: Simulator, id: number, fields: object): Promise<void> {
  const reply = await fetch(`${baseUrl}/_simulator/offers/${id}`, {
    method: 'POST',
    body: JSON.stringify(fields),
  })
  expect(reply.status).toBe(200)
}
