import type { Simulator } from '../../simulator/simulator.ts'
import { offersTable, search } from '../support/offers-actions.ts'
import { expect, test } from '../support/world-test.ts'

test.use({ worldOptions: { service: { offers: 200 } } })

/** The bodies of all searches so far. */
function searchesOf(service: Simulator): unknown[] {
  return service
    .journal()
    .filter(({ path }) => path === '/api/v0/bundles/')
    .map(({ body }) => body)
}

test('a search is built of rows on any field, said in a sentence, undone, saved, and there at the next start', async ({
  world,
}) => {
  const { service } = world
  let { page } = world.app
  await expect(offersTable(page)).toBeVisible()

  await page.getByLabel('Model is', { exact: true }).fill('RTX 4090')
  await page.getByLabel('Price at most').fill('2.5')
  await page.getByRole('combobox', { name: 'Add a filter' }).fill('gpu_ram')
  await page.getByRole('option', { name: /^VRAM\s*gpu_ram/ }).click()
  await expect(page.getByLabel('VRAM at least')).toBeFocused()
  await page.keyboard.type('24')
  await page.getByRole('button', { name: 'JSON' }).click()
  await page.getByLabel('More filters as JSON').fill('{"pci_gen": {"in": [3, 4, 5]}')
  await expect(page.getByText(/Invalid JSON/)).toBeVisible()
  await page.getByLabel('More filters as JSON').press('End')
  await page.getByLabel('More filters as JSON').pressSequentially('}')
  await page.getByRole('button', { name: 'Add an order row' }).click()
  // What is typed into a field that stands there takes its place.
  await page.getByRole('combobox', { name: /^Order by, row 2/ }).click()
  await page.keyboard.type('dph_total')
  await expect(page.getByRole('option', { name: /^Price\s*dph_total/ })).toBeVisible()
  await page.keyboard.press('Escape')
  await search(page)

  const expected = {
    gpu_name: { eq: 'RTX 4090' },
    dph_total: { lte: 2.5 },
    verified: { eq: true },
    rentable: { eq: true },
    direct_port_count: { gte: 1 },
    gpu_ram: { gte: 24_000 },
    pci_gen: { in: [3, 4, 5] },
    order: [
      ['dlperf_per_dphtotal', 'desc'],
      ['dph_total', 'asc'],
    ],
    type: 'on-demand',
    limit: 100,
  }
  await expect.poll(() => searchesOf(service).at(-1)).toEqual(expected)
  const sentence =
    'RTX 4090 · price at most $2.5/h · verified · rentable · at least 1 port · VRAM at least 24 GB · PCIe generation one of 3, 4, 5 · cheapest per performance first, then cheapest first'
  const shownSentence = () => page.getByRole('paragraph').filter({ hasText: sentence })
  await expect(shownSentence()).toBeVisible()

  await test.step('undo goes back word by word, and forth', async () => {
    await page.getByLabel('Price at most').fill('1')
    await page.getByLabel('Price at most').press('Control+z')
    await expect(shownSentence()).toBeVisible()
    await page.getByRole('button', { name: 'Remove the filter Model' }).click()
    await expect(shownSentence()).toHaveCount(0)
    await page.getByRole('button', { name: 'Undo the last edit of the search' }).click()
    await expect(shownSentence()).toBeVisible()
  })

  await test.step('what makes no sense is named and not sent', async () => {
    const before = searchesOf(service).length
    await page.getByLabel('Price at most').fill('cheap')
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await expect(page.getByText('Enter a number, such as 0.5.')).toBeVisible()
    await expect(page.getByLabel('Price at most')).toBeFocused()
    expect(searchesOf(service)).toHaveLength(before)
    await page.getByLabel('Price at most').fill('2.5')
  })

  await page.getByRole('button', { name: 'Save search' }).click()
  await page.getByLabel('Search name').fill(' ')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Enter a value.')).toBeVisible()
  await page.getByLabel('Search name').fill('Big and cheap')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Saved (1)' })).toBeVisible()

  await world.app.close()
  const untilThen = searchesOf(service).length
  page = (await world.startAgain()).page
  await expect(shownSentence()).toBeVisible()
  await expect.poll(() => searchesOf(service).slice(untilThen).at(-1)).toEqual(expected)

  await test.step('the saved search brings all of it back', async () => {
    await page.getByRole('button', { name: 'Remove the filter Model' }).click()
    await search(page)
    await expect(shownSentence()).toHaveCount(0)
    await page.getByRole('button', { name: 'Saved (1)' }).click()
    await page.getByRole('button', { name: /^Big and cheap/ }).click()
    await expect(shownSentence()).toBeVisible()
    await expect.poll(() => searchesOf(service).at(-1)).toEqual(expected)
  })

  await test.step('deleting it can be taken back', async () => {
    await page.getByRole('button', { name: 'Saved (1)' }).click()
    await page.getByRole('button', { name: 'Delete the search Big and cheap' }).click()
    await expect(page.getByRole('button', { name: 'Saved', exact: true })).toBeFocused()
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await expect(page.getByRole('button', { name: 'Saved (1)' })).toBeVisible()
  })
})

test('a condition that finds nothing is dropped; “Try again” asks what failed, whatever is being edited; a newer search does not wait for an older one', async ({
  world,
}) => {
  const { service, app } = world
  const { page } = app
  await test.step('nothing found: every condition can be dropped with a click', async () => {
    await page.getByLabel('Model is', { exact: true }).fill('No such model')
    await search(page)
    await expect(page.getByText('No matching offers')).toBeVisible()
    await page.getByRole('button', { name: 'Remove “No such model”' }).click()
    await expect(offersTable(page)).toBeVisible()
    await expect(page.getByLabel('Model is', { exact: true })).toHaveValue('')
  })

  const first = searchesOf(service).at(-1)

  service.faults.add({ kind: 'malformed-json', path: '/api/v0/bundles/' })
  await page.getByRole('button', { name: 'Refresh the offers' }).click()
  await expect(page.getByText('Unexpected reply from the service')).toBeVisible()
  await page.getByLabel('Price at most').fill('cheap')
  const failed = searchesOf(service).length
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('Unexpected reply from the service')).toHaveCount(0)
  await expect.poll(() => searchesOf(service).slice(failed)).toEqual([first])

  service.faults.add({ kind: 'delay', path: '/api/v0/bundles/', ms: 60_000 })
  await page.getByRole('button', { name: 'Refresh the offers' }).click()
  await expect(page.locator('[aria-busy="true"]')).toBeVisible()
  // The delay is for this one, not for the next.
  await expect.poll(() => searchesOf(service).length).toBe(failed + 2)
  await page.getByLabel('Price at most').fill('0.2')
  await page.getByLabel('Price at most').press('Enter')
  await expect.poll(() => searchesOf(service).at(-1)).toMatchObject({ dph_total: { lte: 0.2 } })
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
  await expect(page.getByRole('alert')).toHaveCount(0)
})
