import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import {
  accountFolder,
  chooseOffer,
  instanceRow,
  instancesOf,
  rent,
  rentalsOf,
  runRulesInSlipway,
  untilListed,
  untilRunning,
} from '../support/actions.ts'
import { findings } from '../support/axe.ts'
import type { World } from '../support/world.ts'
import { expect, test } from '../support/world-test.ts'

/** Machines that run almost at once: what is slow here is the poll. */
const quick = { service: { bootSeconds: [1, 1] } } as const

/** What was rented and destroyed, in the order in which the service did it. */
function spending(service: World['service']): string[] {
  return service.journal().flatMap(({ method, path, status }) => {
    if (status !== 200) return []
    if (method === 'PUT' && path.startsWith('/api/v0/asks/')) return ['rented']
    if (method === 'DELETE') return [`destroyed ${path.split('/').at(-2)}`]
    return []
  })
}

test.use({ worldOptions: quick })

test('try until it runs: exited, offline, running; each is destroyed before the next is rented', async ({
  world,
}) => {
  const { service, app } = world
  const { page } = app
  await chooseOffer(page)
  await page.getByRole('switch', { name: 'Auto-retry with the next offer' }).click()
  await page.getByLabel('Highest price ($/h)').fill('1000')
  expect(await findings(page)).toEqual([])
  service.instances.planNextFate({ actualStatus: 'exited', afterSeconds: 1 })
  service.instances.planNextFate({ actualStatus: 'offline', afterSeconds: 1 })
  await page.getByRole('button', { name: 'Rent this machine' }).click()

  const panel = page.getByRole('region', { name: 'Auto-retry' })
  await untilListed(page, panel.getByText(/^Instance \d+ is running$/).first())
  const [left, ...others] = await instancesOf(service)
  expect(others).toEqual([])
  const lastId = left?.id ?? 0
  expect(spending(service)).toEqual([
    'rented',
    `destroyed ${lastId - 2}`,
    'rented',
    `destroyed ${lastId - 1}`,
    'rented',
  ])
  await panel.getByText('History').click()
  const history = panel.getByRole('list', { name: 'Auto-retry history' })
  await expect(history.getByRole('listitem')).toContainText([
    /is running/,
    /Rented as instance/,
    /Renting/,
    /is no longer listed/,
    /Destroying/,
    /its host went offline/,
    /Rented as instance/,
    /Renting/,
    /is no longer listed/,
    /Destroying/,
    /its container exited/,
    /Rented as instance/,
    /Renting/,
  ])
  await expect(instanceRow(page)).toContainText(String(lastId))
  expect(await findings(page)).toEqual([])
})

test('the app is killed while it tries: the next start goes on, and one machine is left', async ({
  world,
}) => {
  const { service, app } = world
  await chooseOffer(app.page)
  await app.page.getByRole('switch', { name: 'Auto-retry with the next offer' }).click()
  await app.page.getByLabel('Highest price ($/h)').fill('1000')
  service.instances.planNextFate({ actualStatus: 'exited', afterSeconds: 1 })
  service.faults.add({ method: 'PUT', path: '/api/v0/asks/*', kind: 'slow-drip', ms: 20_000 })
  await app.page.getByRole('button', { name: 'Rent this machine' }).click()
  await expect.poll(async () => (await instancesOf(service)).length).toBe(1)
  await app.kill()
  const { page } = await world.startAgain()
  await page.getByRole('link', { name: /^Instances/ }).click()
  const panel = page.getByRole('region', { name: 'Auto-retry' })
  await untilListed(page, panel.getByText(/^Instance \d+ is running$/).first())
  expect(await instancesOf(service)).toHaveLength(1)
  expect(spending(service).map((line) => line.split(' ')[0])).toEqual(['rented', 'destroyed', 'rented'])
})

test('a guard that falls due while the app is closed acts at the next start, and says so', async ({
  world,
}) => {
  const { service, app, userData } = world
  const id = await rentAndOpen(app.page, service)
  const guards = app.page.getByRole('region', { name: 'Auto-stop rules', exact: true })
  await runRulesInSlipway(guards)
  await guards.getByRole('combobox', { name: 'Action' }).click()
  await app.page.getByRole('option', { name: 'Destroy instance' }).click()
  await guards.getByRole('combobox', { name: 'When' }).click()
  await app.page.getByRole('option', { name: 'When idle' }).click()
  await expect(guards.getByLabel('For (min)')).toBeVisible()
  await guards.getByRole('combobox', { name: 'When' }).click()
  await app.page.getByRole('option', { name: 'After a number of hours' }).click()
  await guards.getByLabel('Hours from now').fill('2')
  await guards.getByRole('button', { name: 'Add a rule' }).click()
  await expect(guards.getByText('Destroy 2 h after the rule was set')).toBeVisible()
  await app.close()

  await passHours(userData, 5)
  expect(spending(service)).toEqual(['rented'])
  const { page } = await world.startAgain()
  const banner = page.getByRole('region', { name: `Auto-stop rule destroyed instance ${id}` })
  await expect(banner).toBeVisible({ timeout: 90_000 })
  await expect(banner).toContainText('Slipway was closed')
  expect(spending(service)).toEqual(['rented', `destroyed ${id}`])
  expect(await instancesOf(service)).toEqual([])
  await banner.getByRole('button', { name: /^Dismiss/ }).click()
  await expect(banner).toHaveCount(0)
})

test('a guard that is due soon: one hour more; one of another kind beside it, and none twice', async ({
  world,
}) => {
  const { service, app, userData } = world
  const id = await rentAndOpen(app.page, service)
  const guards = app.page.getByRole('region', { name: 'Auto-stop rules', exact: true })
  await runRulesInSlipway(guards)
  await guards.getByLabel('Hours from now').fill('2')
  await guards.getByRole('button', { name: 'Add a rule' }).click()
  await expect(guards.getByText('Stop 2 h after the rule was set')).toBeVisible()

  await guards.getByRole('combobox', { name: 'When' }).click()
  await app.page.getByRole('option', { name: 'Once stopped for days' }).click()
  await expect(guards.getByRole('combobox', { name: 'Action' })).toHaveText('Destroy instance')
  await guards.getByLabel('Days stopped').fill('3')
  await guards.getByRole('button', { name: 'Add a rule' }).click()
  await expect(guards.getByText('Destroy once stopped for 3 days')).toContainText('not stopped now')
  await guards.getByRole('button', { name: 'Add a rule' }).click()
  await expect(guards.getByText('The instance has a rule with this action and condition.')).toBeVisible()
  expect(await findings(app.page)).toEqual([])
  await guards.screenshot({ path: test.info().outputPath('rules.png') })
  await app.close()
  await passHours(userData, 1.9)
  const { page } = await world.startAgain()
  const banner = page.getByRole('region', { name: new RegExp(`^Instance ${id} will be stopped`) })
  await expect(banner).toContainText(/will be stopped in \d/)
  await banner.getByRole('button', { name: 'Add 1 hour' }).click()
  await expect(banner).toHaveCount(0)
  expect(
    service.journal().filter(({ method, path }) => method === 'PUT' && path.includes('/instances/')),
  ).toEqual([])
})

test('the desktop is told of a machine that runs; lost replies to stop and destroy: never sent twice by themselves, and no false "destroyed"', async ({
  world,
}) => {
  const { service, app, userData } = world
  const { page } = app
  await rent(page)
  await untilRunning(page)
  const id = (await instancesOf(service))[0]?.id ?? 0

  // The real desktop can't be read from here.
  if (app.host === 'chromium')
    await test.step('the desktop is told, and a click leads to the machine', async () => {
      const title = `Instance ${id} is running`
      await expect
        .poll(() => readFile(join(userData, 'notifications.jsonl'), 'utf8').catch(() => ''))
        .toContain(title)
      await page.getByRole('link', { name: 'Settings' }).click()
      await writeFile(join(userData, 'click-notification'), title)
      await expect(page).toHaveURL(new RegExp(`/instances/${id}$`))
      await page.getByRole('button', { name: 'All instances' }).click()
    })

  service.faults.add({ method: 'PUT', path: '/api/v0/instances/*', kind: 'reset-after' })
  await instanceRow(page).getByRole('button', { name: 'Stop' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Stop instance' }).click()
  await expect(
    instanceRow(page)
      .getByText(/stopped/i)
      .first(),
  ).toBeVisible()

  service.faults.add({ method: 'DELETE', path: '/api/v0/instances/*', kind: 'reset-before' })
  await instanceRow(page).getByRole('button', { name: 'Destroy' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Type the instance id').fill(String(id))
  await dialog.getByRole('button', { name: 'Destroy for good' }).click()
  const banner = page.getByRole('region', { name: `Instance ${id} wasn’t destroyed` })
  await expect(banner).toBeVisible({ timeout: 60_000 })
  await expect(page.getByText(`Instance ${id} destroyed`)).toHaveCount(0)
  expect(await instancesOf(service)).toHaveLength(1)

  service.faults.add({ method: 'DELETE', path: '/api/v0/instances/*', kind: 'reset-after' })
  await banner.getByRole('button', { name: 'Destroy again' }).click()
  await expect(banner).toHaveCount(0)
  await expect.poll(() => instancesOf(service)).toEqual([])
  const sent = service.journal().filter(({ path }) => path === `/api/v0/instances/${id}/`)
  expect(sent.filter(({ method }) => method === 'PUT')).toHaveLength(1)
  expect(sent.filter(({ method }) => method === 'DELETE')).toHaveLength(2)
  expect(rentalsOf(service)).toHaveLength(1)

  await test.step('a second stop that the service declines is told as a stop', async () => {
    await page.getByRole('link', { name: /^Offers/ }).click()
    await rent(page)
    await untilRunning(page)
    const next = (await instancesOf(service))[0]?.id ?? 0
    const request = { method: 'PUT', path: '/api/v0/instances/*' } as const
    service.faults.add({ ...request, kind: 'reset-before' })
    await instanceRow(page).getByRole('button', { name: 'Stop' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Stop instance' }).click()
    const banner = page.getByRole('region', { name: `Instance ${next} wasn’t stopped` })
    await expect(banner).toBeVisible({ timeout: 60_000 })
    service.faults.add({ ...request, kind: 'refused', error: 'busy' })
    await banner.getByRole('button', { name: 'Stop again' }).click()
    await expect(page.getByText('The service didn’t stop the instance').first()).toBeVisible()
  })
})

/** Rents a machine and opens its details. */
async function rentAndOpen(page: Page, service: World['service']): Promise<number> {
  await rent(page)
  await expect(instanceRow(page)).toBeVisible()
  const id = (await instancesOf(service))[0]?.id ?? 0
  await instanceRow(page)
    .getByRole('cell', { name: String(id), exact: true })
    .click()
  return id
}

/** As if so many hours had gone by since the guards were set. */
async function passHours(userData: string, hours: number): Promise<void> {
  const file = join(await accountFolder(userData), 'guards.json')
  const { version, data } = JSON.parse(await readFile(file, 'utf8')) as {
    version: number
    data: { guards: { setAt: number }[]; fired: unknown[] }
  }
  const guards = data.guards.map((guard) => ({ ...guard, setAt: guard.setAt - hours * 3_600_000 }))
  await writeFile(file, JSON.stringify({ version, data: { ...data, guards } }))
}
