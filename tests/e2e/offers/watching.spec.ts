import type { Page } from '@playwright/test'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { accountFolder } from '../support/actions.ts'
import { findings } from '../support/axe.ts'
import { offersTable } from '../support/offers-actions.ts'
import { expect, test } from '../support/world-test.ts'

test.use({ worldOptions: { service: { offers: 200 } } })

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** A day of looks with a gap, and before it two weeks of hours with another one, as an earlier run left them. */
function formerCourse(now: number): string {
  const wave = (at: number): number =>
    0.42 + 0.08 * Math.sin(at / (5 * hourMs)) + 0.02 * Math.sin(at / 700_000)
  const line = (kind: string, at: number) =>
    JSON.stringify({ kind, at, offers: 40, lowestUsd: wave(at), medianUsd: wave(at) + 0.3 })
  const hour = Math.floor(now / hourMs) * hourMs
  const hours = Array.from({ length: 13 * 24 + 1 }, (_, index) => hour - (14 * 24 - index) * hourMs)
  const looks = Array.from({ length: 23 * 60 }, (_, index) => now - (23 * 60 - index) * minuteMs)
  return [
    '{"version":2}',
    ...hours
      .filter((at) => hour - at < 9 * 24 * hourMs || hour - at > 10 * 24 * hourMs)
      .map((at) => line('hour', at)),
    ...looks.filter((at) => now - at < 5 * hourMs || now - at > 8 * hourMs).map((at) => line('look', at)),
    '',
  ].join('\n')
}

const picture = (page: Page, name: string) =>
  page.screenshot({ path: test.info().outputPath(`watch-${name}.png`) })

async function openWatch(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: /^Saved/ }).click()
  await page.getByRole('button', { name: `Watch the search ${name}` }).click()
}

test('a saved search is watched: what is cheap enough is told, and the course of its prices is there at the next start', async ({
  world,
}) => {
  const { userData } = world
  const { page } = world.app
  await expect(offersTable(page)).toBeVisible()
  await page.getByRole('button', { name: 'Save search' }).click()
  await page.getByLabel('Search name').fill('Any machine')
  await page.getByRole('button', { name: 'Save', exact: true }).click()

  await test.step('what is typed is checked, and the first look is there at once', async () => {
    await openWatch(page, 'Any machine')
    const dialog = page.getByRole('dialog', { name: 'Watch “Any machine”' })
    await dialog.getByLabel('Tell me at or below ($/h)').fill('0')
    await dialog.getByRole('button', { name: 'Watch search' }).click()
    await expect(dialog.getByText('Enter a price above 0, such as 0.5.')).toBeVisible()
    expect(await findings(page), 'before it is watched').toEqual([])
    await picture(page, 'new')
    await dialog.getByLabel('Tell me at or below ($/h)').fill('5')
    await dialog.getByRole('button', { name: 'Watch search' }).click()
    await expect(dialog.getByRole('img', { name: /^Lowest price \$/ })).toBeVisible()
    await expect(dialog.getByText(/^\d+ s ago$/).first()).toBeVisible()
    await picture(page, 'first')
    await page.keyboard.press('Escape')
  })

  await test.step('what it found leads to the search, and was seen then', async () => {
    const news = page.getByRole('region', { name: /^\d+ offers at or below \$5\.00\/h$/ })
    await expect(news).toBeVisible()
    await expect
      .poll(() => readFile(join(userData, 'notifications.jsonl'), 'utf8').catch(() => ''))
      .toMatch(/offers at or below \$5\.00\/h.*Search: Any machine/)
    await page.getByRole('link', { name: 'Instances', exact: true }).click()
    await picture(page, 'news')
    await expect(news.getByRole('link', { name: 'Show offers' })).toBeVisible()
    const [told = ''] = (await readFile(join(userData, 'notifications.jsonl'), 'utf8')).split('\n')
    await writeFile(
      join(userData, 'click-notification'),
      z.object({ title: z.string() }).parse(JSON.parse(told)).title,
    )
    await expect(offersTable(page)).toBeVisible()
    await expect(news).toBeHidden()
    await page.getByRole('button', { name: 'Saved (1)' }).click()
    await expect(page.getByText(/^Watched · tells at \$5\.00\/h · lowest \$/)).toBeVisible()
    await picture(page, 'list')
    await page.keyboard.press('Escape')
  })

  await world.app.close()
  const folder = join(await accountFolder(userData), 'offer-prices')
  await mkdir(folder, { recursive: true })
  const [file] = await readdir(folder)
  await writeFile(join(folder, basename(file ?? '')), formerCourse(Date.now()))
  world.service.faults.add({ kind: '500', path: '/api/v0/bundles/', times: 50 })
  const { page: again } = await world.startAgain()

  await test.step('its course goes on, with its gaps, and as a table', async () => {
    await again.keyboard.press('Control+K')
    await again.getByRole('combobox', { name: 'Search or run a command' }).fill('watch any')
    await expect(again.getByRole('option').first()).toHaveText(/^Watch Any machine/)
    await again.keyboard.press('Enter')
    const dialog = again.getByRole('dialog', { name: 'Watch “Any machine”' })
    await expect(dialog.getByRole('img', { name: /, with 1 gap$/ })).toBeVisible()
    // The look fails, and says so.
    await expect(dialog.getByText('Service error')).toBeVisible()
    expect(await findings(again), 'chart').toEqual([])
    await again.emulateMedia({ colorScheme: 'dark' })
    await picture(again, 'dark')
    await again.emulateMedia({ colorScheme: 'light' })
    await dialog.getByRole('tab', { name: 'Last 30 days' }).click()
    await expect(dialog.getByRole('img', { name: /, with 2 gaps$/ })).toBeVisible()
    await picture(again, 'light')
    await dialog.getByRole('switch', { name: 'Table' }).click()
    await expect(dialog.getByText(/^Not watched for 1 day/)).toBeVisible()
    await again.setViewportSize({ width: 960, height: 600 })
    expect(await findings(again), 'table').toEqual([])
    await picture(again, 'narrow')
    await dialog.getByRole('button', { name: 'Stop watching' }).click()
    await expect(dialog).toBeHidden()
    await again.getByRole('button', { name: 'Saved (1)' }).click()
    await expect(again.getByText(/^Watched/)).toBeHidden()
  })
})

test('a watched search rents automatically, once it is agreed to what that may cost, and the window says what it rented', async ({
  world,
}) => {
  const { service } = world
  const { page } = world.app
  await expect(offersTable(page)).toBeVisible()
  await page.getByRole('button', { name: 'Save search' }).click()
  await page.getByLabel('Search name').fill('Any machine')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await openWatch(page, 'Any machine')
  const dialog = page.getByRole('dialog', { name: 'Watch “Any machine”' })
  await dialog.getByRole('button', { name: 'Watch search' }).click()
  await dialog.getByRole('button', { name: 'Rent automatically…' }).click()

  const sheet = page.getByRole('dialog', { name: 'Rent automatically from “Any machine”' })
  await sheet.getByLabel('Instances at most').fill('2')
  await sheet.getByRole('button', { name: 'Review' }).click()
  await expect(sheet.getByText('Enter a price above 0, such as 0.5.')).toBeVisible()
  expect(await findings(page), 'what is wrong').toEqual([])
  await sheet.getByLabel('Highest price ($/h)').fill('0.12')
  await sheet.getByLabel('Image', { exact: true }).fill('ubuntu:24.04')
  await picture(page, 'sheet')
  await sheet.getByRole('button', { name: 'Review' }).click()
  const question = page.getByRole('dialog', { name: 'Rent automatically?' })
  await expect(question).toContainText(
    'up to 2 instances at up to $0.12/h each: you may be charged up to $0.24/h',
  )
  await expect(question).toContainText('Slipway must be open or in the tray')
  expect(await findings(page), 'question').toEqual([])
  await picture(page, 'question')
  const rentals = () =>
    service.journal().filter(({ method, path }) => method === 'PUT' && path.startsWith('/api/v0/asks/'))
  expect(rentals()).toEqual([])
  await question.getByRole('button', { name: 'Turn on auto-rent' }).click()

  await expect(dialog.getByText(/^Auto-rent/)).toBeVisible()
  await expect(dialog.getByText('Auto-rent is off: 2 of 2 instances rented.')).toBeVisible({
    timeout: 90_000,
  })
  await expect(dialog.getByRole('link', { name: /^Show \d+$/ })).toHaveCount(2)
  expect(rentals()).toHaveLength(2)
  await picture(page, 'rented')
  expect(await findings(page), 'rented').toEqual([])
  await dialog
    .getByRole('link', { name: /^Show \d+$/ })
    .first()
    .click()
  await expect(page).toHaveURL(/instances\/\d+/)
  const done = page.getByRole('region', { name: 'Auto-rent is off: 2 of 2 instances rented' })
  await expect(done).toBeVisible()
  await picture(page, 'done')
  await done.getByRole('button', { name: /^Dismiss/ }).click()
  await expect(done).toBeHidden()
})
