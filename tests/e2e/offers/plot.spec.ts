import type { Locator, Page } from '@playwright/test'
import { findings } from '../support/axe.ts'
import { offersTable } from '../support/offers-actions.ts'
import { preferencesOf, untilKept } from '../support/on-disk.ts'
import { expect, test } from '../support/world-test.ts'

test.use({ worldOptions: { service: { offers: 60, bootSeconds: [0, 0] } } })

type Box = NonNullable<Awaited<ReturnType<Locator['boundingBox']>>>

/** Goes over the whole plot with the pointer, and notes which offer is marked where. */
async function pointsOf(page: Page, box: Box): Promise<Map<number, { x: number; y: number }>> {
  const marks = await page.evaluateHandle(() => {
    const found = new Map<number, { x: number; y: number }>()
    const observer = new MutationObserver(() => {
      const mark = document.querySelector('[data-point]')
      if (!mark) return
      const { x, y, width, height } = mark.getBoundingClientRect()
      found.set(Number(mark.getAttribute('data-point')), { x: x + width / 2, y: y + height / 2 })
    })
    observer.observe(document.body, { subtree: true, childList: true, attributes: true })
    return { found, observer }
  })
  for (let y = box.y + 4; y < box.y + box.height; y += 24) {
    await page.mouse.move(box.x + 1, y)
    await page.mouse.move(box.x + box.width - 1, y, { steps: Math.ceil(box.width / 14) })
  }
  return new Map(
    await marks.evaluate(({ found, observer }) => {
      observer.disconnect()
      return [...found]
    }),
  )
}

/** Where it is, once it has come to rest: all that is done on it goes by that place. */
async function placeOf(plot: Locator): Promise<Box> {
  const look = async () => JSON.stringify(await plot.boundingBox())
  let before = ''
  await expect
    .poll(async () => {
      const former = before
      before = await look()
      return before !== 'null' && before === former
    })
    .toBe(true)
  return JSON.parse(before) as Box
}

test('the plot: the pointer names an offer, a click selects it in the table, a lasso narrows the table', async ({
  world,
}) => {
  const { app } = world
  const { page } = app
  // Points and the place of the plot come with the offers.
  await expect(page.getByRole('checkbox', { name: /^Select offer / }).first()).toBeVisible()
  const toggle = page.getByRole('button', { name: 'Plot', exact: true })
  if ((await toggle.getAttribute('aria-pressed')) === 'false') await toggle.click()
  const plot = page.getByRole('img', { name: /^Price against/ })
  await expect(plot.locator('canvas')).toBeVisible()
  const box = await placeOf(plot)

  const points = await pointsOf(page, box)
  expect(points.size).toBeGreaterThan(10)
  const [[id, place] = [0, { x: 0, y: 0 }]] = [...points].slice(-1)
  await page.mouse.move(place.x, place.y)
  await expect(page.getByRole('tooltip')).toContainText(`Offer ${id}`)
  await page.mouse.click(place.x, place.y)
  await expect(page.getByRole('checkbox', { name: `Select offer ${id}` })).toBeChecked()
  await expect(page.getByRole('checkbox', { name: `Select offer ${id}` })).toBeInViewport()
  await expect(page.getByText('1 selected')).toBeVisible()

  const [other = place] = points.values()
  await page.keyboard.down('Control')
  await page.mouse.click(other.x, other.y)
  await page.keyboard.up('Control')
  await expect(page.getByText('2 selected')).toBeVisible()

  // Between two points that are far enough apart for the pointer to have met either from its own side.
  const columns = [...points.values()].map(({ x }) => x).toSorted((a, b) => a - b)
  const gaps = columns
    .slice(1)
    .map((x, at) => ({ width: x - (columns[at] ?? x), middle: (x + (columns[at] ?? x)) / 2 }))
  const middle = gaps.reduce((widest, gap) => (gap.width > widest.width ? gap : widest)).middle
  const draw = async (): Promise<void> => {
    await page.mouse.move(box.x + 2, box.y + 2)
    await page.mouse.down()
    await page.mouse.move(middle, box.y + 2, { steps: 4 })
    await page.mouse.move(middle, box.y + box.height - 2, { steps: 4 })
    await page.mouse.move(box.x + 2, box.y + box.height - 2, { steps: 4 })
    await page.mouse.up()
  }
  await draw()
  const chip = page.getByRole('button', { name: /^Filtered to \d+$/ })
  await expect(chip).toBeVisible()
  const chosen = Number((await chip.innerText()).replace(/\D/g, ''))
  await expect(offersTable(page)).toHaveAttribute('aria-rowcount', String(chosen + 1))
  const isLeft = [...points].filter(([, { x }]) => x < middle).map(([left]) => left)
  expect(chosen).toBeGreaterThanOrEqual(isLeft.length)
  for (const [offer, { x }] of [...points].slice(0, 5).concat([...points].slice(-5))) {
    await page.getByLabel('Find in the table').fill(String(offer))
    const row = page.getByRole('checkbox', { name: `Select offer ${offer}` })
    await expect(row).toHaveCount(x < middle ? 1 : 0)
  }
  await page.getByLabel('Find in the table').fill('')
  expect(await findings(page)).toEqual([])
  await chip.click()
  await expect(chip).toHaveCount(0)
  await expect
    .poll(async () => Number(await offersTable(page).getAttribute('aria-rowcount')))
    .toBeGreaterThan(chosen + 1)
})

test('whether the plot is shown, and by which field, is remembered', async ({ world }) => {
  let { page } = world.app
  const toggle = () => page.getByRole('button', { name: 'Plot', exact: true })
  const wasShown = (await toggle().getAttribute('aria-pressed')) === 'true'
  if (!wasShown) await toggle().click()
  await page.getByRole('combobox', { name: 'Performance field' }).click()
  await page.getByRole('option', { name: 'Disk bandwidth (MB/s)' }).click()
  if (wasShown) await toggle().click()
  await expect(toggle()).toHaveAttribute('aria-pressed', String(!wasShown))

  // At first it is shown in wide windows only: one of the two has changed.
  const kept = /"field": "disk_bw",\s*"shownWide": (true|false),\s*"shownNarrow": \1/
  await untilKept(preferencesOf(world.userData), kept)
  await world.app.close()
  page = (await world.startAgain()).page
  await expect(toggle()).toHaveAttribute('aria-pressed', String(!wasShown))
  if (wasShown) await toggle().click()
  await expect(page.getByRole('combobox', { name: 'Performance field' })).toHaveText('Disk bandwidth (MB/s)')
})
