import type { Page } from '@playwright/test'
import { setUp } from '../e2e/support/actions.ts'
import { startWorld } from '../e2e/support/world.ts'
import { valueBeside, type Figure } from './figure.ts'
import type { BenchOptions } from './options.ts'
import { pageMemoryMb } from './page-memory.ts'
import { timeToRows } from './table.ts'
import { compareTables, timesOfTable, type TableTimes } from './table-times.ts'

const many = 10_000
const few = 100

interface Times extends TableTimes {
  readonly firstRowsMs: number
  readonly memoryMb: number
}

/** The table of offers with 10,000 of them, beside the same table with 100. */
export async function measureOffersTable({ rounds }: BenchOptions): Promise<Figure[]> {
  const compared = await compareTables({ rounds, rows: 'offers', many, few, timesWith })
  return [
    valueBeside(compared('from the reply to painted rows', 'firstRowsMs')),
    valueBeside(compared('sorted and painted', 'sortMs')),
    valueBeside(compared('filtered by text and painted', 'filterMs')),
    valueBeside(compared('frame while scrolling, median', 'scrollFrameMs')),
    valueBeside(compared('frame while scrolling, 95 of 100 below', 'slowestScrollFramesMs')),
    valueBeside(compared("memory of the page's scripts", 'memoryMb', 'MB')),
  ]
}

async function timesWith(offers: number): Promise<Times> {
  const world = await startWorld({ service: { offers } })
  try {
    const { page } = world.app
    await setUp(page, world.service)
    await page.getByRole('table', { name: 'Offers' }).waitFor()
    await askForAll(page)
    const firstRowsMs = await timeToRows(page, {
      service: world.service,
      table: 'Offers',
      rows: offers,
      button: 'form[aria-label="Filters"] [type="submit"]',
    })
    const times = await timesOfTable(page, { table: 'Offers', head: 'Price', text: '4090' })
    return { firstRowsMs, ...times, memoryMb: await pageMemoryMb(page) }
  } finally {
    await world.end()
  }
}

/** Takes every condition off the search, and its limit as far as it goes. */
async function askForAll(page: Page): Promise<void> {
  const conditions = page.getByRole('button', { name: /^Remove the filter / })
  while ((await conditions.count()) > 0) await conditions.first().click()
  await page.getByLabel('Limit', { exact: true }).fill(String(many))
}
