import type { Page } from '@playwright/test'
import { instanceRow, instancesOf } from '../support/actions.ts'
import { findings } from '../support/axe.ts'
import { rowsRenderedAnew } from '../support/rendered-rows.ts'
import { expect, test } from '../support/world-test.ts'

const table = (page: Page) => page.getByRole('table', { name: 'Instances' })
const head = (page: Page, name: string) => table(page).getByRole('columnheader', { name })
/** What stands in a column of the rows that are drawn, from the top. */
async function texts(page: Page, column: string): Promise<readonly string[]> {
  const heads = await table(page).getByRole('columnheader').allInnerTexts()
  const at = heads.findIndex((text) => text.trim() === column)
  return table(page)
    .locator('tr[data-row]')
    .evaluateAll((rows, index) => rows.map((row) => row.children[index]?.textContent?.trim() ?? ''), at)
}
/** The focus stays where it is, as when the list comes anew by itself. */
const refreshUnseen = (page: Page) =>
  page
    .getByRole('button', { name: 'Refresh', exact: true })
    .evaluate((button) => button instanceof HTMLElement && button.click())
const toInstances = (page: Page) => page.getByRole('link', { name: /^Instances/ }).click()

test.describe('the table of instances', () => {
  test.use({ worldOptions: { service: { instances: 12 } } })

  test('is sorted, searched, and worked with by keyboard; its columns stay, and what is selected when the list comes anew', async ({
    world,
  }) => {
    const { service } = world
    let { page } = world.app
    await toInstances(page)
    await expect(table(page).locator('tr[data-row]')).toHaveCount(12)
    const ids = (await instancesOf(service)).map(({ id }) => id)
    const idTexts = ids.map(String)
    const row = (at: number) => table(page).locator(`tr[data-row="${at}"]`)

    await test.step('sorted by a column, and as it came again', async () => {
      const byCost = head(page, 'Cost so far').getByRole('button')
      await byCost.click()
      await expect(head(page, 'Cost so far')).toHaveAttribute('aria-sort', 'ascending')
      const usd = (text: string) => Number(text.replace(/[^\d.]/g, ''))
      const costs = async () => (await texts(page, 'Cost so far')).map(usd)
      const ascending = await costs()
      expect(ascending).toEqual(ascending.toSorted((one, other) => one - other))
      await byCost.click()
      await expect(head(page, 'Cost so far')).toHaveAttribute('aria-sort', 'descending')
      // They grow meanwhile.
      const descending = await costs()
      expect(descending).toEqual(descending.toSorted((one, other) => other - one))
      await byCost.click()
      await expect.poll(() => texts(page, 'ID')).toEqual(idTexts)
    })

    await test.step('searched by what stands in the rows', async () => {
      const find = page.getByLabel('Find in the table')
      await find.fill(idTexts[4] ?? '')
      await expect.poll(() => texts(page, 'ID')).toEqual([idTexts[4]])
      await expect(page.getByText('1 of 12', { exact: true })).toBeVisible()
      await find.fill('no such instance')
      await expect(page.getByText('All instances are filtered out')).toBeVisible()
      expect(await findings(page)).toEqual([])
      await page.getByRole('button', { name: 'Clear filter' }).press('Enter')
      await expect(table(page).locator('tr[data-row]')).toHaveCount(12)
      await expect(table(page).locator('tr[data-row="0"]')).toBeFocused()
    })

    await test.step('rows are walked through and selected by keyboard', async () => {
      await page.setViewportSize({ width: 1200, height: 750 })
      await row(0).focus()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('ArrowDown')
      await expect(row(2)).toBeFocused()
      await page.keyboard.press('Space')
      await page.keyboard.press('Shift+ArrowDown')
      await expect(page.getByText('2 selected')).toBeVisible()
      await page.keyboard.press('Control+a')
      await expect(page.getByText('12 selected')).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(page.getByText(/\d selected/)).toHaveCount(0)
    })

    await test.step('details of a row by keyboard, and back to it', async () => {
      await page.keyboard.press('Enter')
      await expect(page.getByRole('heading', { name: `Instance ${ids[3] ?? 0}`, level: 1 })).toBeVisible()
      await page.getByRole('button', { name: 'All instances' }).press('Enter')
      await expect(row(3)).toBeFocused()
    })

    await test.step('buttons of a row, one Tab after the other', async () => {
      await page.keyboard.press('Tab')
      await expect(page.getByRole('checkbox', { name: `Select instance ${ids[3] ?? 0}` })).toBeFocused()
      await page.keyboard.press('Tab')
      await expect(page.getByRole('button', { name: `More for instance ${ids[3] ?? 0}` })).toBeFocused()
      await page.keyboard.press('Tab')
      await expect(row(3).getByRole('button', { name: 'Open terminal' })).toBeFocused()
      await page.keyboard.press('Tab')
      await expect(row(3).getByRole('button', { name: 'Stop' })).toBeFocused()
    })

    await test.step('the menu of a row, and a dialog out of it', async () => {
      await row(3).focus()
      await page.keyboard.press('Shift+F10')
      await expect(page.getByRole('menuitem').first()).toBeFocused()
      expect(await findings(page)).toEqual([])
      await page.getByRole('menuitem', { name: 'Destroy' }).press('Enter')
      await expect(page.getByLabel('Type the instance id')).toBeFocused()
      await page.keyboard.press('Escape')
      await expect(row(3)).toBeFocused()
    })

    await test.step('a column is hidden, one is added and one is moved; they stay so', async () => {
      await page.getByRole('button', { name: 'Columns' }).click()
      await page.getByRole('checkbox', { name: 'Age', exact: true }).click()
      await page.getByLabel('Find a field to add').fill('reliability')
      await page.getByRole('checkbox', { name: 'Reliability' }).click()
      expect(await findings(page)).toEqual([])
      await page.keyboard.press('Escape')
      await head(page, 'Model').getByRole('button').press('Alt+ArrowLeft')
      const heads = async () =>
        (await table(page).getByRole('columnheader').allInnerTexts()).map((text) => text.trim()).slice(2, -1)
      const wanted = [
        'State',
        'ID',
        'Model',
        'Label',
        'Charged now',
        'Cost so far',
        'GPU use %',
        'Address',
        'Reliability %',
      ]
      await expect.poll(heads).toEqual(wanted)
      await world.app.close()
      page = (await world.startAgain()).page
      await toInstances(page)
      await expect.poll(heads).toEqual(wanted)
    })

    const [first = 0, second = 0, third = 0] = ids

    await test.step('what is selected, the keyboard and an open menu stay when the list comes anew', async () => {
      await page.getByRole('checkbox', { name: `Select instance ${first}` }).click()
      await page.getByRole('checkbox', { name: `Select instance ${third}` }).click({ modifiers: ['Shift'] })
      await service.instances.setFate(second, 'offline')
      await refreshUnseen(page)
      await expect(instanceRow(page, second).getByText(/It won’t recover/)).toBeVisible()
      await expect(page.getByText('3 selected')).toBeVisible()
      await expect(page.getByRole('checkbox', { name: `Select instance ${third}` })).toBeFocused()
      await instanceRow(page, third).focus()
      await service.instances.setFate(first, 'offline')
      await refreshUnseen(page)
      await expect(instanceRow(page, first).getByText(/It won’t recover/)).toBeVisible()
      await expect(instanceRow(page, third)).toBeFocused()

      await page.keyboard.press('Shift+F10')
      const open = page.getByRole('menuitem', { name: 'Open terminal' })
      await expect(open).toBeVisible()
      await page.keyboard.press('ArrowDown')
      await expect(open).toBeFocused()
      await service.instances.setFate(third, 'exited')
      await refreshUnseen(page)
      await expect(open).toHaveAttribute('aria-disabled', 'true')
      await expect(page.getByRole('menuitem', { name: 'Destroy…', exact: true })).toBeVisible()
      await page.keyboard.press('Escape')
    })

    await test.step('what is hidden stays selected, and is counted', async () => {
      await page.getByLabel('Find in the table').fill(String(first))
      await expect(page.getByText('2 hidden by “Find in the table”')).toBeVisible()
      await page.getByLabel('Find in the table').fill('')
      await page.getByRole('button', { name: 'Clear selection' }).press('Enter')
      await expect(instanceRow(page, first)).toBeFocused()
    })
  })
})

test.describe('a thousand instances', () => {
  test.use({ worldOptions: { service: { instances: 1000 } } })

  test('are scrolled to the end and back; rows that grow out of sight move nothing in it', async ({
    world,
  }) => {
    const { service, app } = world
    const { page } = app
    await page.setViewportSize({ width: 960, height: 600 })
    await toInstances(page)
    const ids = (await instancesOf(service)).map(({ id }) => id)
    const row = (at: number) => table(page).locator(`tr[data-row="${at}"]`)
    await expect(table(page)).toHaveAttribute('aria-rowcount', '1001')

    await row(0).focus()
    await page.keyboard.press('End')
    await expect(row(999)).toBeFocused()
    await expect(row(999).getByRole('button', { name: 'Stop' })).toBeInViewport({ ratio: 1 })
    await page.keyboard.press('Home')
    await expect(row(0)).toBeFocused()
    expect(await table(page).locator('tr[data-row]').count()).toBeLessThan(60)

    const scroller = table(page).locator('..')
    const topOf = (at: number) =>
      row(at).evaluate((element) => Math.round(element.getBoundingClientRect().top))
    const grow = async (...rows: readonly number[]) => {
      for (const at of rows) await service.instances.setFate(ids[at] ?? 0, 'offline')
      await refreshUnseen(page)
    }

    await test.step('a row that stays in sight is not rendered anew', async () => {
      await scroller.evaluate((element) => element.scrollTo({ top: 8_000 }))
      await expect(row(255)).toBeInViewport()
      // Each second all of them are: time goes on in them.
      await expect(async () => {
        const rows = await rowsRenderedAnew(page, { table: 'Instances', prop: 'instance', px: 96 })
        expect(rows.stayed).toBeGreaterThan(15)
        expect(rows.anew).toBe(0)
      }).toPass()
    })

    await test.step('with the keyboard elsewhere', async () => {
      await scroller.evaluate((element) => element.scrollTo({ top: 16_000 }))
      await expect(row(505)).toBeInViewport()
      const before = await topOf(505)
      await grow(3, 7, 495)
      await expect(page.getByText('3 need a decision', { exact: true })).toBeVisible()
      await expect.poll(() => topOf(505)).toBe(before)
      await expect(row(505)).toBeInViewport()
    })

    await test.step('with the keyboard on a row, which stays', async () => {
      await row(506).focus()
      const before = await topOf(506)
      await grow(20, 502)
      await expect(page.getByText('5 need a decision', { exact: true })).toBeVisible()
      await expect.poll(() => topOf(506)).toBe(before)
      await expect(row(506)).toBeFocused()
    })

    await test.step('and when one of them is gone', async () => {
      await row(510).focus()
      const [before, id] = [await topOf(510), ids[510] ?? 0]
      await fetch(`${service.baseUrl}/api/v0/instances/${ids[30] ?? 0}/`, {
        method: 'DELETE',
        headers: { authorization: `Bearer ${service.key}` },
      })
      await refreshUnseen(page)
      await expect(table(page)).toHaveAttribute('aria-rowcount', '1000')
      await expect(instanceRow(page, id)).toHaveAttribute('data-row', '509')
      await expect.poll(() => topOf(509)).toBe(before)
      await expect(row(509)).toBeFocused()
    })

    await test.step('notes are seen whole on the way to the end and back', async () => {
      for (const key of ['End', 'Home']) {
        await page.keyboard.press(key)
        await expect(row(key === 'End' ? 998 : 0)).toBeFocused()
      }
      const note = row(3).getByText(/It won’t recover/)
      await expect(note).toBeInViewport({ ratio: 1 })
      const [rowBox, noteBox] = [await row(3).boundingBox(), await note.boundingBox()]
      const below = (box: typeof rowBox) => (box?.y ?? 0) + (box?.height ?? 0)
      expect(below(rowBox)).toBeGreaterThanOrEqual(below(noteBox))
      const next = await row(4).boundingBox()
      expect(next?.y).toBeCloseTo(below(rowBox), 0)
    })
  })
})
