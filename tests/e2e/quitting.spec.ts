import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setUp } from './actions.ts'
import { idsInSight, offersTable } from './offers-actions.ts'
import { expect, test } from './world-test.ts'

test('what is done in the instant before quitting is there at the next start', async ({ world }) => {
  const { service, app } = world
  const { page } = app
  await setUp(page, service)
  const chosen = (await idsInSight(page)).slice(0, 3)
  expect(chosen).toHaveLength(3)

  // Faster than any hand: three stars and three pages, each while the one before is being written down.
  await offersTable(page).evaluate(async (table, ids) => {
    for (const id of ids) table.querySelector<HTMLElement>(`[aria-label="Favourite: offer ${id}"]`)?.click()
    for (const path of ['#/templates', '#/cloud', '#/settings']) {
      document.querySelector<HTMLElement>(`nav a[href$="${path}"]`)?.click()
      while (location.hash !== path) await new Promise((resolve) => setTimeout(resolve))
    }
  }, chosen)
  await app.close()
  // Nor does it wait for what will not come.
  const log = await readFile(join(world.userData, 'logs', 'slipway.log'), 'utf8').catch(() => '')
  expect(log).not.toContain('still at work')

  const { page: again } = await world.startAgain()
  await expect.poll(() => new URL(again.url()).hash).toBe('#/settings')
  await again.getByRole('link', { name: 'Offers' }).click()
  await expect(offersTable(again)).toBeVisible()
  for (const id of chosen)
    await expect(again.getByRole('button', { name: `Favourite: offer ${id}`, exact: true })).toHaveAttribute(
      'aria-pressed',
      'true',
    )
})
