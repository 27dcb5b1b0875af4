import type { Page } from '@playwright/test'
import { startSimulator, type Simulator } from '../../simulator/simulator.ts'
import { connect } from '../support/actions.ts'
import { offersTable } from '../support/offers-actions.ts'
import { expect, test } from '../support/world-test.ts'

test.use({ worldOptions: { service: { offers: 200 } } })

test('offers are refreshed by the clock while their page is seen, and at once when it is seen again', async ({
  world,
}) => {
  const { service: work, app } = world
  const { page: workPage } = app
  const play = await startSimulator()
  try {
    await refreshByTheClock(workPage)
    await sinceThen(workPage, work, async (searches) => {
      await passTime(workPage)
      await expect.poll(searches).toBe(1)
    })

    const opened = workPage.context().waitForEvent('page')
    await workPage.getByRole('button', { name: /^Account:/ }).click()
    await workPage.getByRole('button', { name: 'Add an account' }).click()
    const playPage = await opened
    await connect(playPage, play)
    await playPage.getByRole('button', { name: 'Continue' }).click()
    await playPage.getByRole('link', { name: 'Find a machine' }).click()
    await refreshByTheClock(playPage)

    await sinceThen(workPage, work, async (searchesBehind) => {
      // Although Chromium takes both for visible, as Electron does.
      expect(await workPage.evaluate(() => document.visibilityState)).toBe('visible')
      await passTime(workPage)
      await sinceThen(playPage, play, async (searches) => {
        for (const refreshes of [1, 2, 3]) {
          await passTime(playPage)
          await expect.poll(searches).toBe(refreshes)
        }
      })
      expect(searchesBehind()).toBe(0)

      await playPage.keyboard.press('Alt+Shift+1')
      await expect.poll(searchesBehind).toBe(1)
    })
  } finally {
    await play.close()
  }
})

async function refreshByTheClock(page: Page): Promise<void> {
  await expect(offersTable(page)).toBeVisible()
  await page.getByRole('combobox', { name: 'Refresh interval' }).click()
  // All of them, though none was made before this.
  await expect(page.getByRole('option')).toHaveCount(5)
  await page.getByRole('option', { name: 'Every 15 s' }).click()
  await expect(page.getByRole('combobox', { name: 'Refresh interval' })).toHaveText('Every 15 s')
}

/** Longer than a refresh takes to come due. */
async function passTime(page: Page): Promise<void> {
  await page.evaluate(() => {
    const before = Date.now
    Date.now = () => before() + 20_000
  })
}

/** What its service has been searched for since, once nothing is under way on the page. */
async function sinceThen(
  page: Page,
  service: Simulator,
  look: (searches: () => number) => Promise<void>,
): Promise<void> {
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
  const searches = (): number => service.journal().filter(({ path }) => path.includes('/bundles')).length
  const before = searches()
  await look(() => searches() - before)
}
