import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { instanceRow, instancesOf, rent, untilRunning } from '../support/actions.ts'
import { findings } from '../support/axe.ts'
import { setNvidiaSmi } from '../support/nvidia-smi.ts'
import { expect, test } from '../support/world-test.ts'

test.use({ worldOptions: { service: { offers: 200, bootSeconds: [0, 0] } } })

const gpuAt = (use: number, memory = 7_920): string =>
  `case $* in *compute-apps*) ;; *) echo '0, GPU-0, NVIDIA A100, ${use}, ${memory}, 24000, 61, 214.33, 450.00, 1410' ;; esac`
const toInstances = (page: Page) => page.getByRole('link', { name: /^Instances/ }).click()
const rows = (page: Page) => page.getByRole('table', { name: 'Instances' }).locator('tr[data-row]')

test('the list shows what GPUs do, finds those that are idle and paid for, and offers to stop them', async ({
  world,
}) => {
  const { service, app, userData } = world
  const { page } = app
  const ids: number[] = []
  for (const use of [0, 90, 40]) {
    await page.evaluate(() => (location.hash = '#/offers'))
    await rent(page)
    await expect.poll(async () => (await instancesOf(service)).length).toBe(ids.length + 1)
    const id = (await instancesOf(service)).find((one) => !ids.includes(one.id))?.id ?? 0
    ids.push(id)
    await untilRunning(page, id)
    await setNvidiaSmi(String(service.instances.homeOf(id)), gpuAt(use))
  }
  const [idle = 0, busy = 0, unknown = 0] = ids

  await test.step('nothing is connected to before it is asked for', async () => {
    await expect(rows(page)).toHaveCount(3)
    for (const id of ids) await expect(instanceRow(page, id)).toContainText('–')
    expect(await findings(page), 'off').toEqual([])
    await page.getByRole('button', { name: 'Idle and paid' }).click()
    await expect(page.getByText(/^No running instance is known to have idle GPUs only/)).toBeVisible()
    expect(await findings(page), 'filtered out').toEqual([])
    await page.screenshot({ path: test.info().outputPath('filtered-out.png') })
    await page.getByRole('button', { name: 'Clear filter' }).click()
    await expect(rows(page)).toHaveCount(3)
  })

  await test.step('two host keys are trusted on their pages', async () => {
    for (const id of [idle, busy]) {
      await page.evaluate((at) => (location.hash = `#/instances/${at}`), id)
      const figures = page.getByRole('region', { name: 'Figures', exact: true })
      await figures.getByRole('button', { name: 'Show figures' }).click()
      await page.getByRole('button', { name: 'Trust this host' }).click()
      await expect(figures.getByText(/^Heard from/)).toBeVisible()
    }
  })

  await test.step('the switch shows all that connect without a question', async () => {
    await toInstances(page)
    await page.getByRole('switch', { name: 'Show figures of all running instances' }).click()
    await expect(instanceRow(page, busy).getByText('90', { exact: true })).toBeVisible({ timeout: 30_000 })
    await expect(instanceRow(page, idle).locator('svg path[vector-effect]')).toHaveCount(1)
    await expect(instanceRow(page, unknown).getByText('not connected')).toBeVisible()
    await expect(page.getByText(/needs your answer to connect/)).toHaveCount(0)
    expect(await findings(page), 'on').toEqual([])
    await page.screenshot({ path: test.info().outputPath('list.png') })
  })

  await test.step('other figures are chosen as columns, and any of them sorts', async () => {
    await page.getByRole('button', { name: 'Columns' }).click()
    for (const name of ['GPU memory used', 'Fullest disk']) {
      await page.getByLabel('Find a field to add').fill(name)
      await page.getByRole('checkbox', { name }).click()
    }
    await page.keyboard.press('Escape')
    await expect(instanceRow(page, busy).getByText('33', { exact: true })).toBeVisible()
    const head = page.getByRole('columnheader', { name: 'GPU use' }).getByRole('button')
    const order = async () =>
      (await rows(page).allInnerTexts()).map((text) => ids.find((id) => text.includes(String(id))))
    await head.click()
    await expect.poll(order).toEqual([idle, busy, unknown])
    await head.click()
    await expect.poll(order).toEqual([busy, idle, unknown])
    await page.setViewportSize({ width: 960, height: 640 })
    await page.screenshot({ path: test.info().outputPath('narrow.png') })
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  await test.step('the filter leaves those that are idle and paid for', async () => {
    const filter = page.getByRole('button', { name: 'Idle and paid' })
    await filter.click()
    await expect(rows(page)).toHaveCount(1)
    await expect(instanceRow(page)).toContainText(String(idle))
    await filter.click()
    await expect(rows(page)).toHaveCount(3)
  })

  await test.step('what is idle for too long is told, with what it costs and what to do', async () => {
    await page.evaluate(() => (location.hash = '#/settings'))
    const minutes = page.getByLabel('Warn after idle GPUs for (min)')
    await minutes.fill('0.2')
    await minutes.blur()
    await page.screenshot({ path: test.info().outputPath('settings.png') })
    await toInstances(page)
    const banner = page.getByRole('region', { name: `Instance ${idle}: GPU idle` })
    await expect(banner).toContainText(/GPU idle for \d+ min, \$[\d.]+\/h/, { timeout: 60_000 })
    await expect(instanceRow(page, idle).getByText(/^GPU idle for \d+ min, \$[\d.]+\/h$/)).toBeVisible()
    expect(await findings(page), 'alarm').toEqual([])
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.screenshot({ path: test.info().outputPath('alarm.png') })
    const told = (await readFile(join(userData, 'notifications.jsonl'), 'utf8')).trim().split('\n')
    expect(told.filter((line) => line.includes('GPU idle'))).toHaveLength(1)

    await banner.getByRole('link', { name: 'Stop when idle…' }).click()
    const rules = page.getByRole('region', { name: 'Auto-stop rules', exact: true })
    await expect(rules.getByRole('combobox', { name: 'When' })).toHaveText('When idle')
    await expect(rules.getByLabel('For (min)')).toBeFocused()
    await expect(rules.getByLabel('For (min)')).toHaveValue('1')
    const where = rules.getByRole('combobox', { name: 'Where' })
    await where.click()
    await page.getByRole('option', { name: 'In Slipway' }).click()
    await banner.getByRole('link', { name: 'Stop when idle…' }).click()
    await expect(where).toHaveText('On the instance')
    await page.getByRole('region', { name: 'Figures', exact: true }).scrollIntoViewIfNeeded()
    await expect(page.getByRole('list', { name: 'Warnings' })).toContainText('You’re charged while it runs')
    await page.screenshot({ path: test.info().outputPath('page.png') })
    expect(await findings(page), 'page').toEqual([])

    await banner.getByRole('link', { name: 'Stop…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Stop instance' }).click()
    await expect(banner).toHaveCount(0, { timeout: 30_000 })
  })
})
