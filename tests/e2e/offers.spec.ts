import type { Page } from '@playwright/test'
import type { Simulator } from '../simulator/simulator.ts'
import { setUp } from './actions.ts'
import { expect, test } from './world-test.ts'

const table = (page: Page) => page.getByRole('table', { name: 'Offers' })
const rowOf = (page: Page, id: number) =>
  table(page)
    .getByRole('row')
    .filter({ has: page.getByRole('checkbox', { name: `Select offer ${id}` }) })
const heads = (page: Page) => table(page).getByRole('columnheader').allInnerTexts()

async function search(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await expect(page.locator('[aria-busy="false"]').first()).toBeVisible()
}

/** The bodies of all searches so far. */
function searchesOf(service: Simulator): unknown[] {
  return service
    .journal()
    .filter(({ path }) => path === '/api/v0/bundles/')
    .map(({ body }) => body)
}

/** Ids of the offers in sight, from the top. */
async function idsInSight(page: Page): Promise<number[]> {
  const boxes = table(page).getByRole('checkbox', { name: /^Select offer / })
  const labels = await boxes.evaluateAll((all) => all.map((box) => box.getAttribute('aria-label') ?? ''))
  return labels.map((label) => Number(/\d+$/.exec(label)?.[0]))
}

/** $/h. */
async function priceOf(service: Simulator, id: number): Promise<number> {
  const response = await fetch(`${service.baseUrl}/api/v0/bundles/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.account('default').key}` },
    body: JSON.stringify({ id: { eq: id } }),
  })
  return ((await response.json()) as { offers: [{ dph_total: number }] }).offers[0].dph_total
}

/** Another user takes an offer off the market. */
async function takeAway(service: Simulator, id: number): Promise<void> {
  const response = await fetch(`${service.baseUrl}/api/v0/asks/${id}/`, {
    method: 'PUT',
    headers: {
      authorization: `Bearer ${service.account('default').key}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ image: 'ubuntu:24.04', disk: 8 }),
  })
  expect(response.ok).toBe(true)
}

test('a search is built of rows on any field, said in a sentence, undone, saved, and there at the next start', async ({
  world,
}) => {
  const { service } = world
  let { page } = world.app
  await setUp(page, service)
  await expect(table(page)).toBeVisible()

  await page.getByLabel('Model is', { exact: true }).fill('RTX 4090')
  await page.getByLabel('Price at most').fill('2.5')
  await page.getByRole('combobox', { name: 'Add a filter' }).fill('gpu_ram')
  await page.getByRole('option', { name: /^VRAM\s*gpu_ram/ }).click()
  await expect(page.getByLabel('VRAM at least')).toBeFocused()
  await page.keyboard.type('24')
  await page.getByRole('button', { name: 'JSON' }).click()
  await page.getByLabel('More filters as JSON').fill('{"pci_gen": {"in": [3, 4, 5]}')
  await expect(page.getByText(/This is not JSON/)).toBeVisible()
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
  await expect(page.getByText(sentence)).toBeVisible()

  await test.step('undo goes back word by word, and forth', async () => {
    await page.getByLabel('Price at most').fill('1')
    await page.getByLabel('Price at most').press('Control+z')
    await expect(page.getByText(sentence)).toBeVisible()
    await page.getByRole('button', { name: 'Remove the filter Model' }).click()
    await expect(page.getByText(sentence)).toHaveCount(0)
    await page.getByRole('button', { name: 'Undo the last edit of the search' }).click()
    await expect(page.getByText(sentence)).toBeVisible()
  })

  await test.step('what makes no sense is named and not sent', async () => {
    const before = searchesOf(service).length
    await page.getByLabel('Price at most').fill('cheap')
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await expect(page.getByText('A number, such as 0.5.')).toBeVisible()
    await expect(page.getByLabel('Price at most')).toBeFocused()
    expect(searchesOf(service)).toHaveLength(before)
    await page.getByLabel('Price at most').fill('2.5')
  })

  await page.getByRole('button', { name: 'Save search' }).click()
  await page.getByLabel('Name of the search').fill('Big and cheap')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Saved (1)' })).toBeVisible()

  await world.app.close()
  page = (await world.startAgain()).page
  await expect(page.getByText(sentence)).toBeVisible()
  await expect.poll(() => searchesOf(service).at(-1)).toEqual(expected)

  await test.step('the saved search brings all of it back', async () => {
    await page.getByRole('button', { name: 'Remove the filter Model' }).click()
    await search(page)
    await expect(page.getByText(sentence)).toHaveCount(0)
    await page.getByRole('button', { name: 'Saved (1)' }).click()
    await page.getByRole('button', { name: /^Big and cheap/ }).click()
    await expect(page.getByText(sentence)).toBeVisible()
    await expect.poll(() => searchesOf(service).at(-1)).toEqual(expected)
  })

  await test.step('deleting it can be taken back', async () => {
    await page.getByRole('button', { name: 'Saved (1)' }).click()
    await page.getByRole('button', { name: 'Delete the search Big and cheap' }).click()
    await expect(page.getByRole('button', { name: /^Saved/ })).toHaveCount(0)
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await expect(page.getByRole('button', { name: 'Saved (1)' })).toBeVisible()
  })
})

test('favourites and blocks are of machines and last; what is left out is counted and comes back', async ({
  world,
}) => {
  const { service } = world
  let { page } = world.app
  await setUp(page, service)
  await expect(table(page)).toBeVisible()
  const [first = 0, second = 0, third = 0] = await idsInSight(page)

  await page.getByRole('button', { name: `Favourite: offer ${first}` }).click()
  await expect(page.getByRole('button', { name: `Favourite: offer ${first}` })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  await rowOf(page, second).focus()
  await page.keyboard.press('f')
  await expect(page.getByRole('button', { name: `Favourite: offer ${second}` })).toHaveAttribute(
    'aria-pressed',
    'true',
  )

  await page.getByRole('button', { name: `More for offer ${third}` }).click()
  await page.getByRole('menuitem', { name: /^Block machine/ }).click()
  await expect(rowOf(page, third)).toHaveCount(0)
  await expect(page.getByText(/^1 blocked, left out/)).toBeVisible()

  await world.app.close()
  page = (await world.startAgain()).page
  await expect(rowOf(page, first)).toBeVisible()
  await expect(rowOf(page, third)).toHaveCount(0)
  await page.getByRole('button', { name: 'Favourites', exact: true }).click()
  await expect.poll(() => idsInSight(page)).toEqual([first, second])
  await page.getByRole('button', { name: 'Favourites', exact: true }).click()

  await page.getByRole('button', { name: 'Show blocked offers' }).click()
  await rowOf(page, third).click({ button: 'right' })
  await page.getByRole('menuitem', { name: /^Unblock machine/ }).click()
  await expect(page.getByText(/blocked/)).toHaveCount(0)
  await expect(rowOf(page, third)).toBeVisible()
})

test('columns are chosen, moved and resized by mouse and keyboard, and stay so', async ({ world }) => {
  const { service } = world
  let { page } = world.app
  await setUp(page, service)
  await expect(table(page)).toBeVisible()
  const names = async (count: number) => (await heads(page)).map((text) => text.trim()).slice(2, 2 + count)
  expect(await names(3)).toEqual(['Model', 'GPUs', 'VRAM GB'])

  const price = table(page).getByRole('columnheader', { name: /^Price/ })
  await price.getByRole('button').focus()
  await page.keyboard.press('Alt+ArrowLeft')
  await page.keyboard.press('Alt+ArrowLeft')
  await expect.poll(() => names(3)).toEqual(['Model', 'Price $/h', 'GPUs'])
  await table(page)
    .getByRole('columnheader', { name: /^VRAM/ })
    .getByRole('button')
    .dragTo(table(page).getByRole('columnheader', { name: /^Model/ }))
  await expect.poll(() => names(3)).toEqual(['VRAM GB', 'Model', 'Price $/h'])

  const widthOf = async () => (await price.boundingBox())?.width ?? 0
  const before = await widthOf()
  await price.getByRole('button').focus()
  for (let step = 0; step < 6; step += 1) await page.keyboard.press('Shift+ArrowRight')
  await expect.poll(widthOf).toBeGreaterThan(before + 30)
  const after = await widthOf()

  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByLabel('Find a field to add').fill('cuda')
  await page.getByRole('checkbox', { name: 'CUDA' }).click()
  await page.getByRole('checkbox', { name: 'GPUs', exact: true }).click()
  await page.keyboard.press('Escape')
  await expect.poll(() => heads(page)).toContain('CUDA')
  // The last change is kept, however soon one quits after it.
  await price.getByRole('button').press('Alt+ArrowLeft')
  await expect.poll(() => names(3)).toEqual(['VRAM GB', 'Price $/h', 'Model'])

  await world.app.close()
  page = (await world.startAgain()).page
  await expect(table(page)).toBeVisible()
  const shown = (await heads(page)).map((text) => text.trim())
  expect(shown.slice(2, 5)).toEqual(['VRAM GB', 'Price $/h', 'Model'])
  expect(shown).toContain('CUDA')
  expect(shown).not.toContain('GPUs')
  const again = table(page).getByRole('columnheader', { name: /^Price/ })
  expect(Math.abs(((await again.boundingBox())?.width ?? 0) - after)).toBeLessThan(40)
})

test('rows are found, selected by mouse and keyboard, and the selection follows its offers', async ({
  world,
}) => {
  const { service, app } = world
  const { page } = app
  await setUp(page, service)
  await expect(table(page)).toBeVisible()
  const [first = 0, second = 0, third = 0, fourth = 0] = await idsInSight(page)

  await page.getByRole('checkbox', { name: `Select offer ${first}` }).click()
  await page.getByRole('checkbox', { name: `Select offer ${third}` }).click({ modifiers: ['Shift'] })
  await expect(page.getByText('3 selected')).toBeVisible()
  await rowOf(page, third).focus()
  await page.keyboard.press('Shift+ArrowDown')
  await expect(page.getByText('4 selected')).toBeVisible()
  await page.keyboard.press('Space')
  await expect(page.getByText('3 selected')).toBeVisible()
  await expect(page.getByRole('checkbox', { name: `Select offer ${fourth}` })).not.toBeChecked()
  await expect(page.getByRole('checkbox', { name: `Select offer ${second}` })).toBeChecked()

  await page.getByLabel('Find in the table').fill(String(second))
  await expect.poll(() => idsInSight(page)).toEqual([second])
  await page.getByLabel('Find in the table').fill('no such machine')
  await expect(page.getByText('The table leaves out every offer')).toBeVisible()
  await page.getByRole('button', { name: 'Show all of them' }).click()
  await table(page)
    .getByRole('button', { name: /^Price/ })
    .click()
  await expect(page.getByText('3 selected')).toBeVisible()
  await page.getByRole('button', { name: 'Clear selection' }).click()
  await expect(page.getByText(/\d selected/)).toHaveCount(0)
})

test('a refresh marks what is gone and what is new, and nothing vanishes under the pointer', async ({
  world,
}) => {
  const { service, app } = world
  const { page } = app
  await setUp(page, service)
  await page.getByLabel('Limit', { exact: true }).fill('1000')
  await search(page)
  const before = await idsInSight(page)
  const [, second = 0, third = 0] = before
  await rowOf(page, third).focus()
  await takeAway(service, second)
  await page.getByRole('button', { name: 'Refresh the offers' }).click()

  await expect(rowOf(page, second).getByText('Gone')).toBeVisible()
  await expect(rowOf(page, second).getByRole('button', { name: /^Rent/ })).toHaveCount(0)
  expect(await idsInSight(page)).toEqual(before)
  await expect(page.getByText('1 gone')).toBeVisible()

  await test.step('by the clock too, once the table is left alone', async () => {
    await takeAway(service, third)
    await page.getByRole('combobox', { name: 'Refresh by the clock' }).click()
    await page.getByRole('option', { name: 'every 15 s' }).click()
    await expect(page.getByText('2 gone')).toBeVisible({ timeout: 30_000 })
  })

  await page.getByRole('button', { name: 'Clear marks' }).click()
  await expect(rowOf(page, second)).toHaveCount(0)
  await expect(page.getByText(/\d gone/)).toHaveCount(0)
})

test('a refresh marks what has become dearer, cheaper and gone, by sight and in words', async ({ world }) => {
  const { service, app } = world
  const { page } = app
  await setUp(page, service)
  const [up = 0, down = 0, gone = 0, same = 0] = await idsInSight(page)
  const before = await priceOf(service, up)
  service.offers.change(up, { dph_total: before + 1 })
  service.offers.change(down, { dph_total: 0.001 })
  await takeAway(service, gone)
  await page.getByRole('button', { name: 'Refresh the offers' }).click()

  await expect(page.getByText('1 gone, 2 prices changed')).toBeVisible()
  await expect(rowOf(page, up)).toContainText('Dearer: it was $')
  await expect(rowOf(page, down)).toContainText('Cheaper: it was')
  await expect(rowOf(page, down)).toContainText('0.001')
  await expect(rowOf(page, gone)).toContainText('Gone')
  await expect(rowOf(page, same)).not.toContainText(/Dearer|Cheaper|Gone/)

  await test.step('a price that comes back is no change', async () => {
    service.offers.change(up, { dph_total: before })
    await page.getByRole('button', { name: 'Refresh the offers' }).click()
    await expect(rowOf(page, up)).toContainText('Cheaper: it was')
    await page.getByRole('button', { name: 'Refresh the offers' }).click()
    await expect(page.getByText('Clear marks')).toHaveCount(0)
    await expect(rowOf(page, up)).not.toContainText(/Dearer|Cheaper/)
  })
})

test('nothing found: every condition can be dropped with a click', async ({ world }) => {
  const { service, app } = world
  const { page } = app
  await setUp(page, service)
  await page.getByLabel('Model is', { exact: true }).fill('No such model')
  await search(page)
  await expect(page.getByText('No machine fits this search')).toBeVisible()
  await page.getByRole('button', { name: 'without “No such model”' }).click()
  await expect(table(page)).toBeVisible()
  await expect(page.getByLabel('Model is', { exact: true })).toHaveValue('')
})
