import { expect, type Page } from '@playwright/test'
import { instanceRow, screenText, type, untilRunning } from '../e2e/support/actions.ts'
import type { Walk } from './picture.ts'

const image = 'pytorch/pytorch:latest'

/** docs/first-run.md: from nothing to a shell, and to nothing again. */
export const firstRun: Walk = {
  name: 'first-run',
  world: { service: { port: 4100, offers: 400, bootSeconds: [7, 12] } },
  pictures: [
    {
      name: 'first-run-connect',
      steps: async ({ page, world: { service } }) => {
        await page.getByLabel('Service address').fill(service.baseUrl)
        await page.getByLabel('API key').fill(service.key)
      },
    },
    {
      name: 'first-run-machine',
      steps: async ({ page }) => {
        await page.getByRole('button', { name: 'Connect', exact: true }).click()
        await page.getByRole('button', { name: 'Create SSH key' }).click()
        await expect(page.getByText(/SHA256:/).first()).toBeVisible()
      },
    },
    {
      name: 'first-run-ready',
      steps: async ({ page }) => {
        await page.getByRole('button', { name: 'Continue' }).click()
        await expect(page.getByRole('link', { name: 'Find a machine' })).toBeVisible()
      },
    },
    {
      name: 'first-run-offers',
      steps: async ({ page }) => {
        await page.getByRole('link', { name: 'Find a machine' }).click()
        await page.getByRole('button', { name: 'Search', exact: true }).click()
        await expect(offers(page).getByRole('button', { name: /^Rent/ }).first()).toBeVisible()
      },
    },
    {
      name: 'first-run-rent',
      steps: async ({ page }) => {
        await offers(page).getByRole('button', { name: /^Rent/ }).first().click()
        await page.getByLabel('Image').fill(image)
        await expect(page.getByText('This will cost')).toBeVisible()
      },
    },
    {
      name: 'first-run-booting',
      steps: async ({ page }) => {
        await page.getByRole('button', { name: 'Rent this machine' }).click()
        await expect(page.getByText(/downloading the image/i).first()).toBeVisible({ timeout: 60_000 })
      },
    },
    {
      name: 'first-run-running',
      steps: async ({ page }) => {
        await untilRunning(page)
      },
    },
    {
      name: 'first-run-host-key',
      steps: async ({ page }) => {
        await instanceRow(page).getByRole('button', { name: 'Open terminal' }).click()
        await expect(page.getByRole('dialog', { name: 'Unknown host' })).toContainText('SHA256')
      },
    },
    {
      name: 'first-run-shell',
      steps: async ({ page }) => {
        await page.getByRole('button', { name: 'Trust this host' }).click()
        await expect.poll(() => screenText(page), { timeout: 20_000 }).toContain('instance-')
        await type(page, 'echo Hello from $(hostname)\n')
        await expect.poll(() => screenText(page)).toContain('\nHello from')
      },
    },
    {
      name: 'first-run-stop',
      steps: async ({ page }) => {
        await page.getByRole('link', { name: /^Instances/ }).click()
        await instanceRow(page).getByRole('button', { name: 'Stop' }).click()
        await expect(page.getByRole('dialog').getByRole('button', { name: 'Stop instance' })).toBeVisible()
      },
    },
    {
      name: 'first-run-destroy',
      steps: async ({ page }) => {
        await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
        await instanceRow(page).getByRole('button', { name: 'Destroy' }).click()
        await expect(page.getByLabel('Type the instance id')).toBeFocused()
      },
    },
  ],
}

function offers(page: Page) {
  return page.getByRole('table', { name: 'Offers' })
}
