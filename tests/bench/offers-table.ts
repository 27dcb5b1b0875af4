import type { Page } from '@playwright/test'
import { setUp } from '../e2e/support/actions.ts'
import { startWorld } from '../e2e/support/world.ts'
import { median, ratio, valueBeside, type Figure } from './figure.ts'
import type { BenchOptions } from './options.ts'
import { pageMemoryMb } from './page-memory.ts'
import type { Simulator } from '../simulator/simulator.ts'
import { timeToRows, type RowTimes } from './table.ts'
import { compareTables, repeats, timesOfTable, type TableTimes } from './table-times.ts'

const many = 10_000
const few = 100

interface Times extends TableTimes, RowTimes {
  /** Of the reply's text, by `JSON.parse` alone. */
  readonly parseMs: number
  readonly memoryMb: number
}

/** The table of offers with 10,000 of them, beside the same table with 100. */
export async function measureOffersTable({ rounds }: BenchOptions): Promise<Figure[]> {
  const compared = await compareTables({ rounds, rows: 'offers', many, few, timesWith })
  return [
    ratio({
      ...compared('from the reply to its first painted rows', 'firstRowsMs'),
      target: { atMost: 4.5 },
    }),
    ratio({ ...compared('from the reply to all painted rows', 'allRowsMs'), target: { atMost: 8 } }),
    ratio({
      ...compared('from the reply to all painted rows', 'allRowsMs', {
        yardstick: 'parseMs',
        against: 'one JSON.parse of the same reply',
      }),
      target: { atMost: 22 },
    }),
    valueBeside(compared('sorted and painted', 'sortMs')),
    valueBeside(compared('filtered by text and painted', 'filterMs')),
    valueBeside(compared('frame while scrolling, median', 'scrollFrameMs')),
    valueBeside(compared('frame while scrolling, 95 of 100 below', 'slowestScrollFramesMs')),
    valueBeside(compared("memory of the page's scripts", 'memoryMb', { unit: 'MB' })),
  ]
}

async function timesWith(offers: number): Promise<Times> {
  const world = await startWorld({ service: { offers } })
  try {
    const { page } = world.app
    await setUp(page, world.service)
    await page.getByRole('table', { name: 'Offers' }).waitFor()
    await askForAll(page)
    const rowTimes = await timeToRows(page, {
      service: world.service,
      table: 'Offers',
      rows: offers,
      button: 'form[aria-label="Filters"] [type="submit"]',
    })
    const times = await timesOfTable(page, { table: 'Offers', head: 'Price', text: '4090' })
    return {
      ...rowTimes,
      ...times,
      parseMs: await parseMs(world.service),
      memoryMb: await pageMemoryMb(page),
    }
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

/** How long the same reply takes to be parsed, and nothing else. */
async function parseMs({ baseUrl, key }: Simulator): Promise<number> {
  const response = await fetch(`${baseUrl}/api/v0/bundles/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ order: [], type: 'on-demand', limit: many }),
  })
  const text = await response.text()
  const times = Array.from({ length: repeats }, () => {
    const begun = performance.now()
    JSON.parse(text)
    return performance.now() - begun
  })
  return median(times)
}
