import type { Page } from '@playwright/test'
import { idsInSight, offerRow, offersTable } from '../support/offers-actions.ts'
import { expect, test } from '../support/world-test.ts'

const heads = (page: Page) => offersTable(page).getByRole('columnheader').allInnerTexts()

test('what one makes of the table stays: favorites, blocks, and columns; rows are found and selected', async ({
  world,
}) => {
  let { page } = world.app
  await expect(offersTable(page)).toBeVisible()
  const [first = 0, second = 0, third = 0, fourth = 0] = await idsInSight(page)
  const names = async (count: number) => (await heads(page)).map((text) => text.trim()).slice(2, 2 + count)
  const priceHead = () => offersTable(page).getByRole('columnheader', { name: /^Price/ })
  const widthOfPrice = async () => (await priceHead().boundingBox())?.width ?? 0

  await test.step('favorites and blocks are of machines', async () => {
    await page.getByRole('button', { name: `Favorite: offer ${first}` }).click()
    await expect(page.getByRole('button', { name: `Favorite: offer ${first}` })).toHaveAttribute(
      'aria-pressed',
      'true',
    )
    await offerRow(page, second).focus()
    await page.keyboard.press('f')
    await expect(page.getByRole('button', { name: `Favorite: offer ${second}` })).toHaveAttribute(
      'aria-pressed',
      'true',
    )

    await page.getByRole('button', { name: `More for offer ${third}` }).click()
    await page.getByRole('menuitem', { name: /^Block machine/ }).click()
    await expect(offerRow(page, third)).toHaveCount(0)
    await expect(page.getByText(/^1 blocked, hidden/)).toBeVisible()
  })

  const width = await test.step('columns are chosen, moved and resized by mouse and keyboard', async () => {
    expect(await names(3)).toEqual(['Model', 'GPUs', 'VRAM GB'])
    await priceHead().getByRole('button').focus()
    await page.keyboard.press('Alt+ArrowLeft')
    await expect.poll(() => names(4)).toEqual(['Model', 'GPUs', 'Price $/h', 'VRAM GB'])
    await expect(priceHead().getByRole('button')).toBeFocused()
    await page.keyboard.press('Alt+ArrowLeft')
    await expect.poll(() => names(3)).toEqual(['Model', 'Price $/h', 'GPUs'])
    await offersTable(page)
      .getByRole('columnheader', { name: /^VRAM/ })
      .getByRole('button')
      .dragTo(offersTable(page).getByRole('columnheader', { name: /^Model/ }))
    await expect.poll(() => names(3)).toEqual(['VRAM GB', 'Model', 'Price $/h'])

    const before = await widthOfPrice()
    await priceHead().getByRole('button').focus()
    for (let step = 0; step < 6; step += 1) await page.keyboard.press('Shift+ArrowRight')
    await expect.poll(widthOfPrice).toBeGreaterThan(before + 30)
    const after = await widthOfPrice()

    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByLabel('Find a field to add').fill('cuda')
    await page.getByRole('checkbox', { name: 'CUDA' }).click()
    await page.getByRole('checkbox', { name: 'GPUs', exact: true }).click()
    await page.keyboard.press('Escape')
    await expect.poll(() => heads(page)).toContain('CUDA')
    // The last change is kept, however soon one quits after it.
    await priceHead().getByRole('button').press('Alt+ArrowLeft')
    await expect.poll(() => names(3)).toEqual(['VRAM GB', 'Price $/h', 'Model'])
    return after
  })

  await world.app.close()
  page = (await world.startAgain()).page
  await expect(offerRow(page, first)).toBeVisible()

  await test.step('columns are as they were', async () => {
    await expect.poll(() => names(3)).toEqual(['VRAM GB', 'Price $/h', 'Model'])
    const shown = (await heads(page)).map((text) => text.trim())
    expect(shown).toContain('CUDA')
    expect(shown).not.toContain('GPUs')
    await expect.poll(async () => Math.abs((await widthOfPrice()) - width)).toBeLessThan(40)
  })

  await test.step('so are favorites and blocks; what is hidden is counted and comes back', async () => {
    await expect(offerRow(page, third)).toHaveCount(0)
    await page.getByRole('button', { name: 'Favorites', exact: true }).click()
    await expect.poll(() => idsInSight(page)).toEqual([first, second])
    await page.getByRole('button', { name: 'Favorites', exact: true }).click()

    await page.getByRole('button', { name: 'Show blocked offers' }).click()
    await offerRow(page, third).click({ button: 'right' })
    await page.getByRole('menuitem', { name: /^Unblock machine/ }).click()
    await expect(page.getByText(/blocked, hidden/)).toHaveCount(0)
    await expect(offerRow(page, third)).toBeVisible()
  })

  await test.step('rows are selected by mouse and keyboard, and the selection follows its offers', async () => {
    await page.getByRole('checkbox', { name: `Select offer ${first}` }).click()
    await page.getByRole('checkbox', { name: `Select offer ${third}` }).click({ modifiers: ['Shift'] })
    await expect(page.getByText('3 selected')).toBeVisible()
    await offerRow(page, third).focus()
    await page.keyboard.press('Shift+ArrowDown')
    await expect(page.getByText('4 selected')).toBeVisible()
    await page.keyboard.press('Space')
    await expect(page.getByText('3 selected')).toBeVisible()
    await expect(page.getByRole('checkbox', { name: `Select offer ${fourth}` })).not.toBeChecked()
    await expect(page.getByRole('checkbox', { name: `Select offer ${second}` })).toBeChecked()

    await page.getByLabel('Find in the table').fill(String(second))
    await expect.poll(() => idsInSight(page)).toEqual([second])
    await page.getByLabel('Find in the table').fill('no such machine')
    await expect(page.getByText('All offers are filtered out')).toBeVisible()
    await page.getByRole('button', { name: 'Show all offers' }).click()
    await priceHead().getByRole('button').click()
    await expect(page.getByText('3 selected')).toBeVisible()
    await page.getByRole('button', { name: 'Clear selection' }).click()
    await expect(page.getByText(/\d selected/)).toHaveCount(0)
  })
})

test.describe('with a clock of its own', () => {
  test.use({ worldOptions: { browser: 'own', service: { offers: 200 } } })

  test('a block is undone by keyboard, however long that takes', async ({ world }) => {
    const { page } = world.app
    const [first = 0, second = 0] = await idsInSight(page)
    await page.clock.install()

    const undo = page.getByRole('region', { name: 'What happened' }).getByRole('button', { name: 'Undo' })
    const block = async (id: number) => {
      await page.getByRole('button', { name: `More for offer ${id}` }).click()
      await page.getByRole('menuitem', { name: /^Block machine/ }).click()
      await expect(offerRow(page, id)).toHaveCount(0)
      await expect(undo).toBeVisible()
    }
    await block(first)
    await page.clock.runFor(10_000)
    await undo.focus()
    await page.clock.runFor(60_000)
    await page.keyboard.press('Enter')
    await expect(offerRow(page, first)).toBeVisible()

    await block(second)
    await page.clock.runFor(60_000)
    await expect(undo).toHaveCount(0)
  })
})
