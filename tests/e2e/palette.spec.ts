import { openTerminal, rent, screenText, setUp, type, untilRunning } from './actions.ts'
import { findings } from './axe.ts'
import { expect, test } from './world-test.ts'

test.use({ worldOptions: { service: { bootSeconds: [0, 0] } } })

test('the palette leads to pages and instances by a few letters, and leaves the shell its keys', async ({
  world,
}) => {
  const { page } = world.app
  await setUp(page, world.service)
  const palette = page.getByRole('dialog', { name: 'Go to' })
  const entries = palette.getByRole('option')

  await test.step('pages', async () => {
    await page.keyboard.press('Control+K')
    await expect(palette).toBeVisible()
    expect(await findings(page)).toEqual([])
    await page.keyboard.type('secu')
    await expect(entries).toHaveCount(1)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Security', level: 1 })).toBeVisible()
    await expect(palette).toHaveCount(0)
    await page.keyboard.press('?')
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await expect(sheet).toContainText('Go to a page or an instance')
    expect(await findings(page)).toEqual([])
    await page.keyboard.press('Escape')
  })

  await test.step('instances, by what can be done with them', async () => {
    await page.getByRole('link', { name: 'Offers' }).click()
    await rent(page)
    await untilRunning(page)
    await page.getByRole('button', { name: 'Go to', exact: true }).click()
    await page.keyboard.type('files of')
    await expect(entries).toHaveCount(1)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('button', { name: 'Go to', exact: true })).toBeFocused()
  })

  await test.step('a shell keeps Ctrl+K; with Shift the palette opens over it', async () => {
    await openTerminal(page)
    await type(page, 'echo gone')
    await page.keyboard.press('Home')
    await page.keyboard.press('Control+K')
    await page.keyboard.type('echo it-was-$((40 + 2))\n')
    await expect.poll(() => screenText(page)).toContain('it-was-42')
    expect(await screenText(page)).not.toContain('echo gone')
    await expect(palette).toHaveCount(0)
    await page.keyboard.press('Control+Shift+K')
    await expect(palette).toBeVisible()
    await page.keyboard.type('offers')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('table', { name: 'Offers' })).toBeVisible()
  })
})
