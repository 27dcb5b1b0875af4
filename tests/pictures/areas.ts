import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { accountFolder, instancesOf, rent, screenText, setUp, type } from '../e2e/support/actions.ts'
import { lastMonth } from '../e2e/support/last-month.ts'
import { setNvidiaSmi } from '../e2e/support/nvidia-smi.ts'
import type { Walk } from './picture.ts'
import { hideFirstSteps } from './hide-first-steps.ts'

const details = (page: Page) => page.getByRole('region', { name: /^Details of instance/ })

/** README.md and docs/guide/: each area of the window, with an account that has machines. */
export const areas: Walk = {
  name: 'areas',
  world: { service: { port: 4101, offers: 400, instances: 5, bootSeconds: [0, 0] } },
  pictures: [
    {
      name: 'offers',
      steps: async ({ page, world }) => {
        await setUp(page, world.service)
        await hideFirstSteps(page)
        await page.getByRole('button', { name: 'Search', exact: true }).click()
        await expect(
          page.getByRole('table', { name: 'Offers' }).getByRole('button', { name: /^Rent/ }).first(),
        ).toBeVisible()
      },
    },
    {
      name: 'instances',
      steps: async ({ page }) => {
        await rent(page)
        const rows = page.getByRole('table', { name: 'Instances' }).getByRole('row')
        await expect(rows.filter({ hasText: /running/i })).toHaveCount(6, { timeout: 60_000 })
      },
    },
    {
      name: 'instance',
      steps: async ({ page, world: { service } }) => {
        const rented = (await instancesOf(service)).find(({ id }) => service.instances.homeOf(id) !== null)
        await page.evaluate((id) => (location.hash = `/instances/${id}`), rented?.id)
        // Each row of the list that is being left has this button, too.
        await expect(details(page).getByRole('button', { name: 'Open terminal' })).toBeVisible()
        // What is asked for when the page is opened comes after the rest.
        await expect(details(page).getByRole('button', { name: /^Change address/ })).toBeVisible()
        await expect(details(page).getByRole('list', { name: 'Activity' })).toBeVisible()
      },
    },
    {
      name: 'terminals',
      steps: async ({ page }) => {
        await details(page).getByRole('button', { name: 'Open terminal' }).click()
        await page.getByRole('button', { name: 'Trust this host' }).click()
        await expect.poll(() => screenText(page), { timeout: 20_000 }).toContain('instance-')
        await type(page, 'echo one connection, several shells\n')
        await page.keyboard.press('Control+Shift+E')
        await expect(page.getByRole('region', { name: 'Terminal' })).toHaveCount(2)
        const second = page.getByRole('region', { name: 'Terminal' }).last().locator('.xterm-rows')
        await expect(second).toContainText('instance-', { timeout: 20_000 })
      },
    },
    {
      name: 'figures',
      steps: async ({ page, world: { service } }) => {
        const rented = (await instancesOf(service)).find(({ id }) => service.instances.homeOf(id) !== null)
        const home = service.instances.homeOf(rented?.id ?? 0) ?? ''
        const line = '0, GPU-0, NVIDIA RTX 3080, $((90 - $(date +%s) % 9)), 8192, 10240, 64, 285, 320, 1905'
        await setNvidiaSmi(
          home,
          `case $* in *compute-apps*) echo 'GPU-0, 4117, 8000, python3 train.py' ;; *) echo "${line}" ;; esac`,
        )
        await page.evaluate((id) => (location.hash = `/instances/${id}`), rented?.id)
        const figures = details(page).getByRole('region', { name: 'Figures', exact: true })
        await figures.getByRole('button', { name: 'Show figures' }).click()
        await expect(figures.getByText('train.py')).toBeVisible({ timeout: 30_000 })
        // A minute of it makes lines.
        await page.waitForTimeout(60_000)
      },
      of: (page) => details(page).getByRole('region', { name: 'Figures', exact: true }),
    },
    {
      name: 'spending',
      steps: async ({ page, world }) => {
        const { month, lines } = lastMonth()
        const folder = join(await accountFolder(world.userData), 'spending')
        await mkdir(folder, { recursive: true })
        await writeFile(
          join(folder, `${month}.jsonl`),
          ['{"version":2}', ...lines.map((line) => JSON.stringify(line)), ''].join('\n'),
        )
        await page.evaluate(() => (location.hash = '/spending'))
        await page.getByRole('combobox', { name: 'Month' }).click()
        await page.getByRole('option').last().click()
        await expect(page.getByRole('img', { name: /in all/ })).toBeVisible()
      },
    },
    {
      name: 'files',
      steps: async ({ page, world }) => {
        const { service } = world
        const rented = (await instancesOf(service)).find(({ id }) => service.instances.homeOf(id) !== null)
        const [here, there] = [join(world.userData, 'home'), service.instances.homeOf(rented?.id ?? 0) ?? '']
        await mkdir(join(here, 'my-model', 'data'), { recursive: true })
        await writeFile(join(here, 'my-model', 'train.py'), 'print("training")\n'.repeat(200))
        await mkdir(join(there, 'checkpoints'))
        await writeFile(join(there, 'loss.csv'), 'step,loss\n'.repeat(9_000))
        await page.evaluate((id) => (location.hash = `/instances/${id}/files`), rented?.id)
        await expect(page.getByText('loss.csv')).toBeVisible({ timeout: 30_000 })
      },
    },
    {
      name: 'templates',
      steps: async ({ page }) => {
        await page.getByRole('link', { name: 'Templates' }).click()
        await expect(page.getByRole('table', { name: 'Templates' }).getByRole('row').nth(3)).toBeVisible()
      },
    },
    {
      name: 'cloud',
      steps: async ({ page }) => {
        await page.getByRole('link', { name: 'Cloud' }).click()
        await page.getByRole('button', { name: 'Add a connection' }).first().click()
        await expect(page.getByLabel('Provider')).toBeVisible()
      },
    },
    {
      name: 'settings',
      steps: async ({ page }) => {
        await page.keyboard.press('Escape')
        await page.getByRole('link', { name: 'Settings' }).click()
        await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible()
      },
    },
    {
      name: 'palette',
      steps: async ({ page }) => {
        await page.keyboard.press('Control+K')
        await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused()
      },
    },
  ],
}
