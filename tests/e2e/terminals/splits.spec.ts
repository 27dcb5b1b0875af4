import { openTerminal, rent, type } from '../support/actions.ts'
import { findings } from '../support/axe.ts'
import { expect, test } from '../support/world-test.ts'

test.use({ worldOptions: { service: { bootSeconds: [0, 0] } } })

test('terminals stand side by side and below each other, and move between the splits', async ({ world }) => {
  const { page } = world.app
  await rent(page)
  await openTerminal(page)
  const screens = page.getByRole('region', { name: 'Terminal' })
  const tabs = page.getByRole('tab')
  const textOf = async (index: number) =>
    (await screens.nth(index).locator('.xterm-rows > div').allInnerTexts()).join('\n')
  const isTypedIn = (index: number) =>
    expect
      .poll(() => screens.nth(index).evaluate((screen) => screen.contains(document.activeElement)))
      .toBe(true)

  await type(page, 'echo first-$((40 + 2))\n')
  await expect.poll(() => textOf(0)).toMatch(/^first-42$/m)
  await page.keyboard.press('Control+Shift+E')
  await expect(screens).toHaveCount(2)
  await expect.poll(() => textOf(1)).toContain('instance-')
  await isTypedIn(1)
  await page.keyboard.type('echo second-$((40 + 2))\n')
  await expect.poll(() => textOf(1)).toMatch(/^second-42$/m)
  expect(await textOf(0)).toMatch(/^first-42$/m)
  expect(await textOf(0)).not.toContain('second-42')

  await page.keyboard.press('Control+Shift+O')
  await expect(screens).toHaveCount(3)
  await expect.poll(() => textOf(2)).toContain('instance-')
  expect(await textOf(1)).toMatch(/^second-42$/m)
  const [second, third] = [await screens.nth(1).boundingBox(), await screens.nth(2).boundingBox()]
  expect(third?.x).toBe(second?.x)
  expect(third?.y).toBeGreaterThan(second?.y ?? Infinity)
  await page.keyboard.press('Control+Shift+N')
  await isTypedIn(0)
  expect(await findings(page)).toEqual([])

  const width = async () => (await screens.nth(0).boundingBox())?.width ?? 0
  const before = await width()
  await page.getByRole('separator').first().focus()
  await page.keyboard.press('ArrowRight')
  await expect.poll(width).toBeGreaterThan(before)

  await tabs.nth(2).dragTo(tabs.nth(0))
  await expect(screens).toHaveCount(2)
  await expect(tabs).toHaveCount(3)
  await tabs.nth(1).click()
  await expect.poll(() => textOf(0)).toMatch(/^first-42$/m)
  await tabs.nth(1).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Move to the next split' }).click()
  await expect.poll(() => textOf(1)).toMatch(/^first-42$/m)
  await screens.nth(1).click()
  await page.keyboard.type('exit\n')
  await expect(page.getByText(/exit status 0/)).toBeVisible()
  await page.keyboard.press('Control+Shift+W')
  await expect(tabs).toHaveCount(2)
  await expect.poll(() => textOf(1)).toMatch(/^second-42$/m)
  await page.keyboard.press('Control+Shift+G')
  await expect(screens).toHaveCount(1)
  await expect.poll(() => textOf(0)).toMatch(/^second-42$/m)
  await isTypedIn(0)
})
