import { cp, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { instancesOf, rentalsOf } from './actions.ts'
import type { Step } from './main-job.ts'
import type { World, WorldOptions } from './world.ts'

/** Where the desktop's stand-in finds the folder that is chosen in the system's dialog. */
const projectOf = (userData: string) => join(userData, 'chosen-files', 'project')

/** A connected account, and the demo's project as the folder that is chosen in the system's dialog. */
export const projectJobWorld: WorldOptions = {
  account: 'connected',
  prepare: (userData) =>
    cp(join(import.meta.dirname, 'demo-project'), projectOf(userData), { recursive: true }),
}

const searchName = 'For the demo'
const rentedMs = 60_000
const runMs = 60_000

/** The files that came back, by their names; of however many runs. */
async function outputsOf({ userData }: World): Promise<Readonly<Record<string, string>>> {
  const folder = join(projectOf(userData), 'slipway-outputs')
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const outputs: Record<string, string> = {}
  for (const { name, parentPath } of files) outputs[name] = await readFile(join(parentPath, name), 'utf8')
  return outputs
}

/**
 * A job with the demo's project, as a person does it through the window: an instance is rented by a saved search, gets
 * the project, learns from its points, and is destroyed once the model is here and compared.
 */
export const projectJob: readonly Step[] = [
  {
    name: 'save a search for offers',
    run: async (page) => {
      await page.getByRole('link', { name: /^Offers/ }).click()
      await page.getByRole('button', { name: 'Search', exact: true }).click()
      await page.getByRole('button', { name: 'Save search' }).click()
      await page.getByLabel('Search name').fill(searchName)
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await expect(page.getByRole('button', { name: 'Saved (1)' })).toBeVisible()
    },
  },
  {
    name: 'choose a project, whose slipway.json fills in the job',
    run: async (page) => {
      await page.getByRole('link', { name: /^Jobs/ }).click()
      await page.getByRole('button', { name: 'New job' }).click()
      const sheet = page.getByRole('dialog', { name: 'New job' })
      await sheet.getByRole('button', { name: 'Choose folder…' }).click()
      await expect(sheet.getByText('Filled in from slipway.json')).toBeVisible()
      await expect(sheet.getByLabel('Name', { exact: true })).toHaveValue('Fit a line')
      await expect(sheet.getByLabel('Command')).toHaveValue('sh train.sh 60')
      await expect(sheet.getByLabel('Outputs')).toHaveValue('out/')
    },
  },
  {
    name: 'choose how to rent for it, within a price',
    run: async (page) => {
      const sheet = page.getByRole('dialog', { name: 'New job' })
      await sheet.getByRole('radio', { name: 'Rent one for this job' }).click()
      await sheet.getByRole('combobox', { name: 'Saved search' }).click()
      await page.getByRole('option', { name: searchName }).click()
      await sheet.getByLabel('Image').fill('ubuntu:24.04')
      await sheet.getByLabel('Highest price ($/h)').fill('5')
    },
  },
  {
    name: 'begin, and see an instance rented',
    run: async (page, { service }, found) => {
      await page.getByRole('button', { name: 'Rent and start job' }).click()
      await expect(page.getByRole('heading', { name: 'Fit a line' })).toBeVisible()
      await expect.poll(() => rentalsOf(service).length, { timeout: rentedMs }).toBe(1)
      await expect.poll(async () => (await instancesOf(service)).length).toBe(1)
      found.instanceId = (await instancesOf(service))[0]?.id ?? 0
    },
  },
  {
    name: 'compare the fingerprint, and trust the host',
    run: async (page) => {
      const dialog = page.getByRole('dialog', { name: 'Unknown host' })
      await expect(dialog).toContainText('SHA256', { timeout: rentedMs })
      await dialog.getByRole('button', { name: 'Trust this host' }).click()
    },
  },
  {
    name: 'watch it learn',
    run: async (page) => {
      await expect(page.getByText(/epoch \d+ of 60: loss/).first()).toBeVisible({ timeout: runMs })
    },
  },
  {
    name: 'have the outputs, and the instance destroyed',
    run: async (page, world) => {
      await expect(page.getByText(/was destroyed, and its charges ended/)).toBeVisible({ timeout: runMs })
      expect(await instancesOf(world.service)).toEqual([])
      expect(rentalsOf(world.service)).toHaveLength(1)
      const outputs = await outputsOf(world)
      expect(Object.keys(outputs).toSorted()).toEqual(['loss.csv', 'model.json'])
      expect(outputs['loss.csv']?.trim().split('\n')).toHaveLength(61)
      expect(JSON.parse(outputs['model.json'] ?? '')).toMatchObject({ slope: expect.any(Number) })
    },
  },
]
