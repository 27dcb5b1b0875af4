import { expect, type Page } from '@playwright/test'
import { rent, setUp, untilRunning } from '../e2e/support/actions.ts'
import { projectJobWorld } from '../e2e/support/project-job.ts'
import { hideFirstSteps } from './hide-first-steps.ts'
import type { Walk } from './picture.ts'

const sheet = (page: Page) => page.getByRole('dialog', { name: 'New job' })

/** docs/guide/jobs.md: the demo's project on an instance, once to its end and once while it's under way. */
export const jobs: Walk = {
  name: 'jobs',
  world: { ...projectJobWorld, account: 'none', service: { port: 4103, offers: 400, bootSeconds: [0, 0] } },
  pictures: [
    {
      name: 'new-job',
      steps: async ({ page, world }) => {
        await setUp(page, world.service)
        await hideFirstSteps(page)
        await rent(page)
        await untilRunning(page)
        await page.getByRole('link', { name: /^Jobs/ }).click()
        await page.getByRole('button', { name: 'New job' }).click()
        await sheet(page).getByRole('button', { name: 'Choose folder…' }).click()
        await expect(sheet(page).getByText('Filled in from slipway.json')).toBeVisible()
        await sheet(page).getByText('Keep instance').click()
        await sheet(page).getByRole('heading', { name: 'What' }).scrollIntoViewIfNeeded()
      },
    },
    {
      name: 'job',
      steps: async ({ page }) => {
        await sheet(page).getByRole('button', { name: 'Start job' }).click()
        await page.getByRole('button', { name: 'Trust this host' }).click()
        await expect(page.getByText('Finished, exit code 0').first()).toBeVisible({ timeout: 60_000 })
        await page.getByRole('button', { name: 'Change and run…' }).click()
        await sheet(page).getByLabel('Name', { exact: true }).fill('Fit a line, 600 epochs')
        await sheet(page).getByLabel('Command').fill('sh train.sh 600')
        await sheet(page).getByRole('button', { name: 'Start job' }).click()
        await expect(page.getByText(/epoch 40 of 600/).first()).toBeVisible({ timeout: 60_000 })
      },
    },
    {
      name: 'jobs',
      steps: async ({ page }) => {
        await page.getByRole('link', { name: 'Jobs', exact: true }).first().click()
        await expect(page.getByRole('table', { name: 'Jobs' }).getByRole('row')).toHaveCount(3)
      },
    },
  ],
}
