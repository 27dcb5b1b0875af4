import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { connect, instanceRow, instancesOf, rentalsOf, screenText, type } from './actions.ts'
import type { World } from './world.ts'

/** What the steps find out on their way. */
export interface Found {
  instanceId: number
}

export interface Step {
  readonly name: string
  readonly run: (page: Page, world: World, found: Found) => Promise<void>
}

const bootMs = 60_000

/**
 * The main job, as a person does it through the window: the end-to-end test and the demo's tour walk these
 * same steps.
 */
export const mainJob: readonly Step[] = [
  {
    name: 'store the API key in the keychain',
    run: async (page, { service }) => {
      await connect(page, service)
      await expect(page.getByRole('button', { name: 'Create SSH key' })).toBeVisible()
    },
  },
  {
    name: 'make an SSH key',
    run: async (page) => {
      await page.getByRole('button', { name: 'Create SSH key' }).click()
      await expect(page.getByText(/SHA256:/).first()).toBeVisible()
      await page.getByRole('button', { name: 'Continue' }).click()
    },
  },
  {
    name: 'see who you are and what you may do',
    run: async (page) => {
      await expect(page.getByRole('link', { name: 'Find a machine' })).toBeVisible()
    },
  },
  {
    name: 'find an offer',
    run: async (page) => {
      await page.getByRole('link', { name: 'Find a machine' }).click()
      await page.getByRole('button', { name: 'Search', exact: true }).click()
      const offers = page.getByRole('table', { name: 'Offers' })
      await expect(offers.getByRole('button', { name: /^Rent/ }).first()).toBeVisible()
    },
  },
  {
    name: 'choose it and see what it will cost',
    run: async (page) => {
      const offers = page.getByRole('table', { name: 'Offers' })
      await offers.getByRole('button', { name: /^Rent/ }).first().click()
      await page.getByLabel('Image').fill('pytorch/pytorch:latest')
      await expect(page.getByLabel('Disk (GB)')).toHaveValue('8')
      await expect(page.getByRole('switch', { name: 'Add my SSH key to the machine' })).toBeChecked()
      await expect(page.getByText('This will cost')).toBeVisible()
    },
  },
  {
    name: 'rent it',
    run: async (page, { service }, found) => {
      await page.getByRole('button', { name: 'Rent this machine' }).click()
      await expect(page.getByRole('table', { name: 'Instances' }).getByRole('row')).toHaveCount(2)
      await expect(page.getByText(/provisioning/i).first()).toBeVisible()
      expect(rentalsOf(service)).toHaveLength(1)
      const row = page.getByRole('table', { name: 'Instances' }).getByRole('row').nth(1)
      found.instanceId = Number(/\b\d{3,}\b/.exec(await row.innerText())?.[0])
    },
  },
  {
    name: 'watch it download its image',
    run: async (page) => {
      await expect(page.getByText(/downloading the image/i).first()).toBeVisible({ timeout: bootMs })
    },
  },
  {
    name: 'see it running',
    run: async (page, _, { instanceId }) => {
      await expect(instanceRow(page, instanceId).getByText(/^running$/i)).toBeVisible({ timeout: bootMs })
    },
  },
  {
    name: 'open a terminal and compare the fingerprint',
    run: async (page, _, { instanceId }) => {
      await instanceRow(page, instanceId).getByRole('button', { name: 'Open terminal' }).click()
      const dialog = page.getByRole('dialog', { name: 'Unknown host' })
      await expect(dialog).toBeVisible()
      await expect(dialog).toContainText('SHA256')
    },
  },
  {
    name: 'trust the host and get a shell',
    run: async (page, _, { instanceId }) => {
      await page.getByRole('button', { name: 'Trust this host' }).click()
      await expect.poll(() => screenText(page)).toContain(`instance-${instanceId}`)
    },
  },
  {
    name: 'run a command and read its output',
    run: async (page) => {
      await type(page, 'echo slipway-$((6 * 7))\n')
      await expect.poll(() => screenText(page)).toMatch(/^slipway-42$/m)
    },
  },
  {
    name: 'stop it',
    run: async (page, _, { instanceId }) => {
      await page.getByRole('link', { name: /^Instances/ }).click()
      await instanceRow(page, instanceId).getByRole('button', { name: 'Stop' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Stop instance' }).click()
      await expect(
        instanceRow(page, instanceId)
          .getByText(/stopped/i)
          .first(),
      ).toBeVisible()
    },
  },
  {
    name: 'destroy it, so that nothing is charged any more',
    run: async (page, { service }, { instanceId }) => {
      await instanceRow(page, instanceId).getByRole('button', { name: 'Destroy' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Type the instance id').fill(String(instanceId))
      await dialog.getByRole('button', { name: 'Destroy for good' }).click()
      // Behind the dialog there is no row for anybody.
      await expect(dialog).toHaveCount(0)
      await expect(instanceRow(page, instanceId)).toHaveCount(0)
      expect(await instancesOf(service)).toEqual([])
    },
  },
]
