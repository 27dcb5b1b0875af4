import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { accountFolder } from '../support/actions.ts'
import { findings } from '../support/axe.ts'
import { expect, test } from '../support/world-test.ts'

/** Auto-stop rules in a file that Slipway can't use at its start. */

test.describe('with guards that cannot be read', () => {
  const prepare = async (userData: string): Promise<void> => {
    const folder = await accountFolder(userData)
    await writeFile(join(folder, 'guards.json'), '{"version":1,"data":{"guards":[{"id"')
    await writeFile(join(folder, 'ssh-choices.json'), '{"version":99,"data":{}}')
  }
  test.use({ worldOptions: { prepare } })

  test('it is told on every page, in one line with all else, the file is kept, and nothing is guessed', async ({
    world,
  }) => {
    const { page } = world.app
    const banner = page.getByRole('region', { name: 'Couldn’t read your auto-stop rules' })
    const newer = page.getByRole('region', { name: 'A newer Slipway saved ssh-choices.json' })
    const firstSteps = page.getByRole('region', { name: 'First steps' })

    await test.step('two banners and the first steps take one line, in any width', async () => {
      for (const width of [960, 1280]) {
        await page.setViewportSize({ width, height: 600 })
        await expect(banner.getByRole('button', { name: 'Show 2 more' })).toBeVisible()
        expect((await banner.boundingBox())?.height).toBeLessThan(40)
        await expect(newer).toBeHidden()
        await expect(firstSteps).toBeHidden()
      }
      await banner.getByRole('button', { name: 'Show 2 more' }).click()
      await expect(newer).toBeVisible()
      await expect(firstSteps).toBeVisible()
      expect(await findings(page)).toEqual([])
      await banner.getByRole('button', { name: 'Show less' }).click()
      await expect(newer).toBeHidden()
    })

    await expect(banner).toContainText('no instance is stopped or destroyed automatically')
    await banner.getByRole('link', { name: 'Show file' }).click()
    await expect(page.getByText(/guards\.json\.corrupt-/)).toBeVisible()

    await test.step('what is dismissed stays so, and the next one has its place', async () => {
      await banner.getByRole('button', { name: /^Dismiss/ }).click()
      await expect(newer.getByRole('button', { name: 'Show 1 more' })).toBeVisible()
      await page.reload()
      await expect(newer.getByRole('button', { name: 'Show 1 more' })).toBeVisible()
      await expect(banner).toHaveCount(0)
    })
    await newer.getByRole('button', { name: /^Dismiss/ }).click()
    await expect(newer).toHaveCount(0)
    await expect(firstSteps).toBeVisible()
    expect((await firstSteps.boundingBox())?.height).toBeLessThan(40)
  })
})

test.describe('with guards and settings of a newer Slipway', () => {
  const content = '{"version":99,"data":{"of":"a newer Slipway"}}'
  const filesOf = async (userData: string): Promise<string[]> => [
    join(await accountFolder(userData), 'guards.json'),
    join(userData, 'preferences.json'),
  ]
  const prepare = async (userData: string): Promise<void> => {
    for (const file of await filesOf(userData)) await writeFile(file, content)
  }
  test.use({ worldOptions: { prepare } })

  test('it is told on every page, and neither is changed', async ({ world }) => {
    const { page } = world.app
    const files = await filesOf(world.userData)
    const banner = page.getByRole('region', { name: 'A newer Slipway saved 2 files' })
    await expect(banner).toContainText('preferences.json and guards.json')
    await expect(banner).toContainText('Auto-stop rules don’t run, and you’re still charged.')
    await expect(banner).toContainText('Update Slipway.')
    // The page below it may come later.
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    expect(await findings(page)).toEqual([])
    await banner.getByRole('link', { name: 'Show files' }).click()
    for (const file of files) await expect(page.getByText(`A newer Slipway saved ${file}`)).toBeVisible()
    await page.getByRole('radio', { name: 'Light' }).click()
    await expect(page.locator('html')).toHaveClass(/light/)
    await banner.getByRole('button', { name: /^Dismiss/ }).click()
    await expect(banner).toHaveCount(0)
    await expect.poll(() => page.evaluate(() => document.activeElement !== document.body)).toBe(true)
    await world.app.close()
    for (const file of files) expect(await readFile(file, 'utf8')).toBe(content)
  })
})
