import { connect, instanceRow, rent, setUp } from './actions.ts'
import { expect, test } from './world-test.ts'

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
    const atRest = polls().length
    expect(atRest).toBe(1)
    await page.getByRole('link', { name: /^Offers/ }).click()
    await rent(page)
    await expect(page.getByRole('table', { name: 'Instances' })).toBeVisible()
    const rented = service.journal().find(({ path }) => path.startsWith('/api/v0/asks/'))
    await expect.poll(() => polls().length, { timeout: 30_000 }).toBe(4)
    const [first = 0, afterAction = 0, ...later] = polls()
    expect(first).toBeLessThan(rented?.at ?? 0)
    expect(afterAction - (rented?.at ?? 0)).toBeLessThan(2)
    const gaps = [afterAction, ...later]
      .slice(1)
      .map((at, index) => at - ([afterAction, ...later][index] ?? 0))
    for (const gap of gaps) expect(gap).toBeGreaterThan(9.5)
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
  expect(polls).toHaveLength(1)
})
