import { chooseOffer, connect, instanceRow, setUp } from '../support/actions.ts'
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
    await setUp(page, service)
    await page.getByRole('link', { name: /^Instances/ }).click()
    await expect(instanceRow(page)).toBeVisible()
    await page.getByRole('link', { name: /^Offers/ }).click()
    await chooseOffer(page)
    // Right after a round: by itself the next one comes later than what follows an action.
    const rounds = polls().length
    await expect.poll(() => polls().length, { intervals: [50] }).toBeGreaterThan(rounds)
    await page.getByRole('button', { name: 'Rent this machine' }).click()
    await expect(page.getByRole('table', { name: 'Instances' })).toBeVisible()
    const rentedAt = service.journal().find(({ path }) => path.startsWith('/api/v0/asks/'))?.at ?? 0
    // Getting here may take longer than one round.
    const before = polls().filter((at) => at < rentedAt)
    const after = () => polls().filter((at) => at >= rentedAt)
    await expect.poll(() => after().length, { timeout: 90_000 }).toBeGreaterThanOrEqual(3)
    const [afterAction = 0] = after()
    expect(before.length).toBeGreaterThan(0)
    expect(afterAction - rentedAt).toBeLessThan(9)
    for (const gap of [...gapsOf(before), ...gapsOf(after())]) expect(gap).toBeGreaterThan(9.5)
    // One request for the list, never one for each instance.
    expect(service.journal().filter(({ path }) => /^\/api\/v0\/instances\/\d+/.test(path))).toEqual([])
  })
})

test('a window that was loaded again does not make the service be asked twice', async ({ world }) => {
  const { service, app } = world
  const { page } = app
  await connect(page, service)
  await expect(page.getByRole('button', { name: 'Create SSH key' })).toBeVisible()
  await page.reload()
  await page.getByRole('link', { name: /^Instances/ }).click()
  await expect(page.getByText('You have no instances')).toBeVisible()
  const polls = service.journal().filter(({ path }) => path === '/api/v0/instances/')
  expect(polls.length).toBeGreaterThan(0)
  for (const gap of gapsOf(polls.map(({ at }) => at))) expect(gap).toBeGreaterThan(9.5)
})

/** Seconds from each request to the next. */
const gapsOf = (times: readonly number[]): number[] =>
  times.slice(1).map((at, index) => at - (times[index] ?? 0))
