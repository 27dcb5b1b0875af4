import { copyFile, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import type { Simulator } from '../../simulator/simulator.ts'
import { chooseOffer, instanceRow, instancesOf, untilRunning } from '../support/actions.ts'
import { findings } from '../support/axe.ts'
import { setNvidiaSmi } from '../support/nvidia-smi.ts'
import { expect, test } from '../support/world-test.ts'

test.use({ worldOptions: { service: { bootSeconds: [0, 0] } } })

/** Requests that change an instance, with whose key each came. */
function changes(service: Simulator) {
  return service
    .journal()
    .filter(({ method, path }) => /^(PUT|DELETE)$/.test(method) && /\/instances\/\d+\/$/.test(path))
    .map(({ method, path, key }) => ({ method, path, key }))
}

/** Rents, and opens the page of the instance when it runs. */
async function openInstance(page: Page, service: Simulator, inSheet = () => Promise.resolve()) {
  await chooseOffer(page)
  await inSheet()
  await page.getByRole('button', { name: 'Rent this machine' }).click()
  await untilRunning(page)
  await instanceRow(page).click()
  const [instance] = await instancesOf(service)
  const rules = page.getByRole('region', { name: 'Auto-stop rules', exact: true })
  return { id: Number(instance?.id), rules }
}

test('an instance stops itself after Slipway was killed, and Slipway says so at its next start', async ({
  world,
}) => {
  const { service, app } = world
  const { page } = app
  const { id, rules } = await openInstance(page, service)
  await rules.getByLabel('Hours from now').fill('0.015')
  await rules.getByRole('button', { name: 'Add a rule' }).click()
  await page.getByRole('button', { name: 'Trust this host' }).click()
  await expect(rules.getByText(/^Active; .* left; heard from/)).toBeVisible()
  await app.kill()
  expect(changes(service), 'it was killed before the rule ran').toEqual([])

  await expect
    .poll(() => changes(service), { timeout: 120_000 })
    .toEqual([{ method: 'PUT', path: `/api/v0/instances/${id}/`, key: 'instance' }])
  const { page: again } = await world.startAgain()
  // It's stopped, so it can't say whose doing that was.
  const region = again.getByRole('region', { name: `Instance ${id} is stopped` })
  await expect(region).toBeVisible({ timeout: 60_000 })
  await expect(region).toContainText('It was due at')
  expect(changes(service), 'nothing is done twice').toHaveLength(1)
})

test('an instance stops itself while this computer sleeps, and nothing is done twice when it wakes', async ({
  world,
}) => {
  const { service, app } = world
  const { page } = app
  const { id, rules } = await openInstance(page, service)
  await rules.getByLabel('Hours from now').fill('0.012')
  await rules.getByRole('button', { name: 'Add a rule' }).click()
  await page.getByRole('button', { name: 'Trust this host' }).click()
  await expect(rules.getByText(/^Active; .* left; heard from/)).toBeVisible()
  const stop = { method: 'PUT', path: `/api/v0/instances/${id}/`, key: 'instance' }
  process.kill(app.pid, 'SIGSTOP')
  try {
    await expect.poll(() => changes(service), { timeout: 120_000 }).toEqual([stop])
  } finally {
    process.kill(app.pid, 'SIGCONT')
  }
  // Which of the two depends on whether it was heard from after it had warned.
  const ended = new RegExp(`^Instance ${id} (is stopped|stopped itself)`)
  const region = page.getByRole('region', { name: ended })
  await expect(region).toContainText('Rule: Stop 0.01 h after the rule was set.', { timeout: 90_000 })
  await expect(rules.getByRole('list', { name: 'Auto-stop rules', exact: true })).toHaveCount(0)
  expect(changes(service)).toEqual([stop])
})

const setGpuLoad = (home: string, percent: number) => setNvidiaSmi(home, `echo ${percent}`)

test('an instance that idles after Slipway was killed stops itself, and Slipway says when at its next start', async ({
  world,
}) => {
  const { service, app } = world
  const { page } = app
  const { id, rules } = await openInstance(page, service)
  const home = String(service.instances.homeOf(id))
  await setGpuLoad(home, 90)
  await rules.getByRole('combobox', { name: 'When' }).click()
  await page.getByRole('option', { name: 'When idle' }).click()
  await rules.getByLabel('For (min)').fill('1')
  await rules.getByRole('button', { name: 'Add a rule' }).click()
  await page.getByRole('button', { name: 'Trust this host' }).click()
  await expect(rules.getByText(/^Active; not idle: a GPU is in use; heard from/)).toBeVisible()
  await app.kill()
  await setGpuLoad(home, 0)
  const idleFrom = Date.now()
  await expect
    .poll(() => changes(service), { timeout: 150_000 })
    .toEqual([{ method: 'PUT', path: `/api/v0/instances/${id}/`, key: 'instance' }])
  expect(Date.now() - idleFrom, 'not before it idled for its time').toBeGreaterThan(55_000)

  // Somebody starts it again: now it can say what it did. Its first process is another one then.
  await service.instances.setFate(id, 'running')
  await rm(join(home, '.slipway/run'))
  const { page: again } = await world.startAgain()
  const region = again.getByRole('region', { name: `Instance ${id} stopped itself at` })
  await expect(region).toBeVisible({ timeout: 60_000 })
  await expect(region).toContainText('Rule: Stop after 1 min idle.')
  expect(changes(service), 'nothing is done twice').toHaveLength(1)
})

test('a new instance gets the rule that is switched on where one rents; rules that are removed are taken from it', async ({
  world,
}) => {
  const { service, app } = world
  const { page } = app
  const { rules } = await openInstance(page, service, () =>
    page.getByRole('switch', { name: 'Stop new instances when idle for 60 min' }).click(),
  )
  const lists = rules.getByRole('list', { name: /^Auto-stop rules$|^Rules being removed$/ })
  await page.getByRole('button', { name: 'Trust this host' }).click()
  await expect(rules.getByText(/^Active; idle 0 of 60 min; heard from/)).toBeVisible()
  await rules.getByRole('button', { name: 'Remove the rule: Stop after 60 min idle' }).click()
  await expect(lists).toHaveCount(0)

  await rules.getByRole('combobox', { name: 'When' }).click()
  await page.getByRole('option', { name: 'When idle' }).click()
  await rules.getByLabel('For (min)').fill('30')
  await rules.getByRole('button', { name: 'Add a rule' }).click()
  await expect(rules.getByText(/^Active; idle 0 of 30 min; heard from/)).toBeVisible()
  await rules.getByRole('combobox', { name: 'When' }).click()
  await page.getByRole('option', { name: 'When a process ends' }).click()
  await rules.getByLabel('Program or script').fill('train.py')
  await rules.getByRole('button', { name: 'Add a rule' }).click()
  await expect(rules.getByText('Stop when “train.py” ends')).toBeVisible()
  await expect(rules.getByText(/^Active; waits for the process to start; heard from/)).toBeVisible()
  expect(await findings(page)).toEqual([])
  await rules.getByRole('button', { name: 'Remove the rule: Stop when “train.py” ends' }).click()
  await page.getByRole('link', { name: /^Instances/ }).click()
  const badge = page.getByRole('img', { name: /^Auto-stop rules: Stop after 30 min idle \(Active;/ })
  await expect(badge).toBeVisible()
  await instanceRow(page).click()
  await rules.getByRole('button', { name: 'Remove the rule: Stop after 30 min idle' }).click()
  await expect(lists).toHaveCount(0)
})

test('a rule that is removed while SSH is down is shown until the instance has lost it; rules of another computer are removed after a question', async ({
  world,
}) => {
  const { service, app } = world
  const { page } = app
  const { id, rules } = await openInstance(page, service)
  await rules.getByRole('combobox', { name: 'Action' }).click()
  await page.getByRole('option', { name: 'Destroy instance' }).click()
  await rules.getByLabel('Hours from now').fill('2')
  await rules.getByRole('button', { name: 'Add a rule' }).click()
  await page.getByRole('button', { name: 'Trust this host' }).click()
  await expect(rules.getByText(/^Active; .* left; heard from/)).toBeVisible()
  await service.instances.setSshd(id, 'down')
  await rules.getByRole('button', { name: 'Remove the rule: Destroy 2 h after the rule was set' }).click()
  const removed = rules.getByRole('list', { name: 'Rules being removed' })
  await expect(removed).toContainText('Destroy in')
  await expect(removed).toContainText('Removed in Slipway. The instance still has it.')
  await expect(rules.getByText('Couldn’t reach the instance for its auto-stop rules')).toBeVisible()
  await page.setViewportSize({ width: 960, height: 700 })
  await app.menu('View', 'Theme', 'Dark')
  expect(await findings(page)).toEqual([])
  await rules.screenshot({ path: test.info().outputPath('removed-dark-960.png') })
  await page.setViewportSize({ width: 1280, height: 713 })
  await app.menu('View', 'Theme', 'Light')
  await rules.screenshot({ path: test.info().outputPath('removed-light.png') })
  await service.instances.setSshd(id, 'up')
  // It may look by itself just then.
  const check = rules.getByRole('button', { name: 'Check again' })
  await expect(async () => {
    if (await check.isVisible()) await check.click({ timeout: 1_000 })
    await expect(removed).toHaveCount(0, { timeout: 5_000 })
  }).toPass({ timeout: 90_000 })

  await test.step('rules of another computer', async () => {
    await rules.getByLabel('Hours from now').fill('2')
    await rules.getByRole('button', { name: 'Add a rule' }).click()
    await expect(rules.getByText(/^Active; .* left; heard from/)).toBeVisible()
    const orders = join(String(service.instances.homeOf(id)), '.slipway/orders')
    const [own = ''] = await readdir(orders)
    await copyFile(join(orders, own), join(orders, 'another-computer'))
    await rules.getByRole('button', { name: 'Add 1 hour' }).click()
    await expect(rules.getByText('1 more rule on the instance, set from another computer.')).toBeVisible()
    await rules.getByRole('button', { name: 'Remove all…' }).click()
    const dialog = page.getByRole('dialog', { name: `Remove all rules from instance ${id}?` })
    expect(await findings(page)).toEqual([])
    await dialog.screenshot({ path: test.info().outputPath('remove-all.png') })
    await dialog.getByRole('button', { name: 'Remove all rules' }).click()
    await expect(rules.getByText('set from another computer')).toHaveCount(0)
    await expect(rules.getByText(/^Active; .* left; heard from/)).toBeVisible()
    expect(await readdir(orders)).toEqual([own])
  })
})
