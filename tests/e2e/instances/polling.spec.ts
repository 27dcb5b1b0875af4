import { findings } from '../support/axe.ts'
import { chooseOffer, instanceRow } from '../support/actions.ts'
import { expect, test } from '../support/world-test.ts'

test.describe('with 300 instances', () => {
  test.use({ worldOptions: { service: { instances: 300 } } })

  test('the list is asked for once in 10 s at most, and once right after an action', async ({ world }) => {
    const { service, app } = world
    const { page } = app
    const polls = () =>
      service
        .journal()
        .filter(({ method, path }) => method === 'GET' && path === '/api/v0/instances/')
        .map(({ at }) => at)
    await page.getByRole('link', { name: /^Instances/ }).click()
    await expect(instanceRow(page)).toBeVisible()
    await page.getByRole('link', { name: /^Offers/ }).click()
    await chooseOffer(page)
    // Right after a round: by itself the next one comes later than what follows an action.
    const rounds = polls().length
    await expect.poll(() => polls().length, { intervals: [50], timeout: 60_000 }).toBeGreaterThan(rounds)
    await page.getByRole('button', { name: 'Rent this machine' }).click()
    await expect(page.getByRole('table', { name: 'Instances' })).toBeVisible()
    const rentedAt = service.journal().find(({ path }) => path.startsWith('/api/v0/asks/'))?.at ?? 0
    // Getting here may take longer than one round.
    const before = polls().filter((at) => at < rentedAt)
    const after = () => polls().filter((at) => at >= rentedAt)
    await expect.poll(() => after().length, { timeout: 90_000 }).toBeGreaterThanOrEqual(2)
    const [afterAction = 0] = after()
    expect(before.length).toBeGreaterThan(0)
    expect(afterAction - rentedAt).toBeLessThan(9)
    for (const gap of [...gapsOf(before), ...gapsOf(after())]) expect(gap).toBeGreaterThan(9.5)
    // One request for the list, never one for each instance.
    expect(service.journal().filter(({ path }) => /^\/api\/v0\/instances\/\d+/.test(path))).toEqual([])
  })
})

test.describe('with instances at rest', () => {
  test.use({ worldOptions: { service: { instances: 3, bootSeconds: [0, 0] } } })

  test('the list is asked for every 10 s while it is shown, and otherwise at the pause that was chosen', async ({
    world,
  }) => {
    const { service, app } = world
    const { page } = app
    const polls = () =>
      service
        .journal()
        .filter(({ method, path }) => method === 'GET' && path === '/api/v0/instances/')
        .map(({ at }) => at)
    const pages = page.getByRole('navigation', { name: 'Pages' })

    await test.step('shown', async () => {
      await pages.getByRole('link', { name: /^Instances/ }).click()
      await expect(instanceRow(page)).toBeVisible()
      const before = polls().length
      await expect.poll(() => polls().length, { timeout: 60_000 }).toBeGreaterThanOrEqual(before + 3)
      for (const gap of gapsOf(polls().slice(before, before + 3))) {
        expect(gap).toBeGreaterThan(9.5)
        expect(gap).toBeLessThan(20)
      }
    })

    // A page that was loaded again while it showed them holds nothing any more, and asks no second time.
    const beforeReload = polls().length
    await page.reload()
    await expect(instanceRow(page)).toBeVisible()
    await pages.getByRole('link', { name: 'Settings' }).click()
    const pause = page.getByLabel('Background refresh interval (s)')
    await expect(pause).toHaveValue('30')

    await test.step('a pause out of range is refused, with what is possible', async () => {
      await pause.fill('301')
      await pause.press('Enter')
      await expect(page.getByText('Enter a whole number from 10 to 300.')).toBeVisible()
      await expect(pause).toHaveValue('301')
      expect(await findings(page)).toEqual([])
    })

    await test.step('at rest', async () => {
      await pause.fill('300')
      await pause.press('Enter')
      await expect(page.getByText('Background refresh interval: 30 s by default')).toBeVisible()
      await expect(pause).toHaveValue('300')
      await page.getByRole('button', { name: 'Service' }).click()
      await expect(page.getByText(/next check in [45] min/)).toBeVisible()
      await page.keyboard.press('Escape')
    })

    await test.step('shown again', async () => {
      const before = polls().length
      await pages.getByRole('link', { name: /^Instances/ }).click()
      await expect.poll(() => polls().length, { timeout: 30_000 }).toBeGreaterThan(before)
    })
    for (const gap of gapsOf(polls().slice(beforeReload - 1))) expect(gap).toBeGreaterThan(9.5)
  })
})

/** Seconds from each request to the next. */
const gapsOf = (times: readonly number[]): number[] =>
  times.slice(1).map((at, index) => at - (times[index] ?? 0))
