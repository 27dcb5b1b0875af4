import type { Page } from '@playwright/test'
import { idsInSight, offerRow, offersTable, search } from '../support/offers-actions.ts'
import { expect, test } from '../support/world-test.ts'

test.use({ worldOptions: { service: { offers: 200 } } })

const filterOf = (page: Page, name: string) =>
  page.getByRole('group', { name: `Filter: ${name}`, exact: true })

test('what the search means can be read whole; the keyboard goes on where it was when what it pressed goes away', async ({
  world,
}) => {
  const { app } = world
  const { page } = app

  await test.step('what the search means, in a narrow window', async () => {
    const size = page.viewportSize() ?? { width: 1280, height: 800 }
    await page.setViewportSize({ width: 960, height: 600 })
    await page.getByLabel('Model is', { exact: true }).fill('A model with a very long name indeed')
    await page.getByLabel('Price at most').fill('2.5')
    const sentence = page.getByRole('paragraph').filter({ hasText: 'cheapest per performance first' })
    await expect(sentence).toContainText('a very long name')
    const hidden = () =>
      sentence.evaluate(({ scrollWidth, clientWidth, scrollHeight, clientHeight }) => [
        scrollWidth - clientWidth,
        scrollHeight - clientHeight,
      ])
    await expect.poll(hidden).toEqual([0, 0])
    await page.getByLabel('Model is', { exact: true }).fill('')
    await page.getByLabel('Price at most').fill('')
    await page.setViewportSize(size)
  })

  const [first = 0, second = 0, third = 0] = await idsInSight(page)

  await test.step('the row of a machine that is blocked', async () => {
    await offerRow(page, first).focus()
    await page.keyboard.press('Shift+F10')
    await expect(page.getByRole('menuitem').first()).toBeFocused()
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('menuitem', { name: /^Block machine/ })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(offerRow(page, first)).toHaveCount(0)
    await expect(offerRow(page, second)).toBeFocused()
  })

  await test.step('the bar of what is selected', async () => {
    await page.keyboard.press('Space')
    await page.getByRole('button', { name: 'Clear selection' }).press('Enter')
    await expect(offerRow(page, second)).toBeFocused()
  })

  await test.step('the columns of a comparison, to the last', async () => {
    await page.keyboard.press('Space')
    await page.keyboard.press('Shift+ArrowDown')
    await page.getByRole('button', { name: 'Compare 2' }).press('Enter')
    await expect(page.getByLabel('Hours')).toBeFocused()
    await page.getByRole('button', { name: `Remove offer ${second} from the comparison` }).press('Enter')
    await expect(page.getByRole('region', { name: 'Side by side' })).toBeFocused()
    await page.getByRole('button', { name: `Remove offer ${third} from the comparison` }).press('Enter')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(offerRow(page, third)).toBeFocused()
  })

  await test.step('the last filter, and the last of the order', async () => {
    await page.getByRole('button', { name: 'Remove the filter Ports' }).press('Enter')
    await expect(page.getByRole('combobox', { name: 'Add a filter' })).toBeFocused()
    await page.getByRole('button', { name: 'Remove order row 1' }).press('Enter')
    await expect(page.getByRole('button', { name: 'Order by…' })).toBeFocused()
  })

  await test.step('ways out of a search that finds nothing', async () => {
    await filterOf(page, 'GPUs').getByRole('textbox').fill('77')
    await search(page)
    await page.getByRole('button', { name: 'Remove “77 GPUs”' }).press('Enter')
    await expect(offersTable(page)).toBeVisible()
    await expect(offersTable(page).locator('[data-row="0"]')).toBeFocused()
  })
})
