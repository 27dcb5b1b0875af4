import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findings } from '../support/axe.ts'
import { expect, test } from '../support/world-test.ts'

const folder = join(import.meta.dirname, '../../..')

test('the licenses of what Slipway contains are listed, found, and read by keyboard', async ({ world }) => {
  const { page } = world.app
  const list = page.getByRole('list', { name: 'Packages' })
  const rows = list.getByRole('button')
  const count = page.getByRole('status').filter({ hasText: /package/ })

  await test.step('the settings and the palette lead to the page', async () => {
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('link', { name: 'Show licenses' }).click()
    await expect(page.getByRole('heading', { name: 'Licenses', level: 1 })).toBeVisible()
    await page.getByRole('link', { name: 'Settings', exact: true }).last().click()
    await expect(page.getByRole('link', { name: 'Show licenses' })).toBeVisible()
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog', { name: 'Go to' }).getByRole('combobox').fill('licenses')
    await page.keyboard.press('Enter')
    await expect(rows.first()).toContainText('Slipway')
  })

  await test.step('every package of the build is listed', async () => {
    const built = JSON.parse(await readFile(join(folder, 'out/licenses/packages.json'), 'utf8')) as unknown[]
    await expect(rows).toHaveCount(built.length)
    await expect(count).toHaveText(`${built.length} packages`)
    for (const name of ['electron', 'ssh2', 'vue', 'zod', '@iconify-json/lucide', 'tailwindcss'])
      await expect(rows.filter({ hasText: new RegExp(`^${name} \\d`) })).toHaveCount(1)
    expect(await findings(page)).toEqual([])
  })

  await test.step('a package is found by its name and by its license', async () => {
    const search = page.getByRole('textbox', { name: 'Find a package' })
    await search.fill('mpl-2')
    await expect(count).toHaveText('1 package')
    await expect(rows).toContainText('dompurify')
    await search.fill('no such package')
    await expect(page.getByRole('heading', { name: 'No matching packages' })).toBeVisible()
    expect(await findings(page)).toEqual([])
    await page.getByRole('button', { name: 'Clear search' }).click()
    await expect(search).toBeFocused()
    await search.fill('zod')
    await expect(rows).toHaveCount(1)
  })

  await test.step('its text opens and closes by keyboard, and is nothing but text', async () => {
    await page.keyboard.press('Tab')
    await expect(rows).toBeFocused()
    await expect(rows).toHaveAttribute('aria-expanded', 'false')
    await page.keyboard.press('Enter')
    const text = page.getByRole('region', { name: /^License of zod / })
    await expect(text).toContainText('Permission is hereby granted')
    await expect(rows).toHaveAttribute('aria-expanded', 'true')
    expect(await text.locator('pre').evaluate((pre) => pre.childElementCount)).toBe(0)
    expect(await findings(page)).toEqual([])
    await page.keyboard.press('Tab')
    await expect(text).toBeFocused()
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Enter')
    await expect(text).toBeHidden()
  })
})
