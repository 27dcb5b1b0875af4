import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { idsInSight, offersTable } from '../support/offers-actions.ts'
import { button } from '../support/security-actions.ts'
import type { World } from '../support/world.ts'
import { expect, test } from '../support/world-test.ts'

test('what is done in the instant before quitting is there at the next start', async ({ world }) => {
  const { app } = world
  const { page } = app
  const chosen = (await idsInSight(page)).slice(0, 4)
  const model = offersTable(page).getByRole('columnheader', { name: /^Model/ })
  const widthBefore = (await model.boundingBox())?.width ?? 0

  // Faster than any hand: a wide column, stars and pages, each while the one before is being written down.
  await offersTable(page).evaluate(async (table, ids) => {
    const head = [...table.querySelectorAll('th button')].find((one) => one.textContent.includes('Model'))
    for (let step = 0; step < 10; step += 1) {
      const key = { key: 'ArrowRight', shiftKey: true, bubbles: true }
      head?.dispatchEvent(new KeyboardEvent('keydown', key))
      await new Promise((resolve) => setTimeout(resolve))
    }
    for (const id of ids) table.querySelector<HTMLElement>(`[aria-label="Favorite: offer ${id}"]`)?.click()
    for (const path of ['#/templates', '#/cloud', '#/settings']) {
      document.querySelector<HTMLElement>(`nav a[href$="${path}"]`)?.click()
      while (location.hash !== path) await new Promise((resolve) => setTimeout(resolve))
    }
  }, chosen)
  await app.close()
  const file = join(world.userData, 'logs', 'slipway.log')
  const logLines = (): readonly string[] =>
    existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : []
  const waited = logLines()
  // Nothing went wrong, so there is no log, unless the disk of a busy computer took longer than the page may.
  expect(waited.filter((line) => !line.includes('A page was still at work'))).toEqual([])

  const { page: again, close } = await world.startAgain()
  await expect.poll(() => new URL(again.url()).hash).toBe('#/settings')
  await again.getByRole('link', { name: 'Offers' }).click()
  await expect(offersTable(again)).toBeVisible()
  for (const id of chosen)
    await expect(again.getByRole('button', { name: `Favorite: offer ${id}`, exact: true })).toHaveAttribute(
      'aria-pressed',
      'true',
    )
  const width = (await again.getByRole('columnheader', { name: /^Model/ }).boundingBox())?.width ?? 0
  expect(width).toBeGreaterThan(widthBefore + 60)
  await close()
  expect(logLines(), 'no page with nothing left to do was waited for').toEqual(waited)
})

for (const [end, how] of [
  ['quitting', (app: World['app']) => app.close()],
  ['the system shuts down', (app: World['app']) => app.power('shutdown').then(() => app.ended)],
] as const)
  test(`a draft that is typed in the instant before ${end} is there at the next start`, async ({ world }) => {
    const { app } = world
    const { page } = app
    await page.getByRole('link', { name: 'Templates' }).click()
    await page.getByRole('button', { name: 'New template' }).click()
    await page.getByLabel('Name', { exact: true }).fill('typed last')
    await how(app)
    // It ended in time: when the double is killed, its lock stays.
    expect(existsSync(join(world.userData, 'instance.lock'))).toBe(false)

    const { page: again } = await world.startAgain()
    await again.getByRole('link', { name: 'Templates' }).click()
    await again.getByRole('button', { name: 'Drafts (1)' }).click()
    await expect(again.getByRole('list', { name: 'Drafts' })).toContainText('typed last')
  })

test('a clipboard that hangs does not use up the time to end', async ({ world }) => {
  const { app, userData } = world
  test.skip(app.host === 'electron', 'the clipboard is the computer’s own')
  const { page } = app
  await page.getByRole('link', { name: 'Security', exact: true }).click()
  await button(page, 'Add a one-time password').click()
  await page.getByLabel('Service', { exact: true }).fill('Git')
  await page.getByLabel('Key', { exact: true }).fill('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Copy the code of Git', exact: true }).click()
  await expect(page.getByText('The clipboard is cleared in')).toBeVisible()
  writeFileSync(join(userData, 'clipboard-hangs'), '')
  await app.close()
  const log = readFileSync(join(userData, 'logs', 'slipway.log'), 'utf8')
  expect(log).toContain('The clipboard did not answer')
  expect(log).not.toContain('Not everything had ended')
})
