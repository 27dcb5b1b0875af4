import type { Page } from '@playwright/test'
import { setUp } from '../e2e/support/actions.ts'
import { startWorld } from '../e2e/support/world.ts'
import { median, quantile, valueBeside, type Figure } from './figure.ts'
import type { BenchOptions } from './options.ts'
import { takeTurns } from './rounds.ts'
import { filterTable, scrollTable, sortTable, timeToRows } from './table.ts'

const many = 10_000
const few = 100
const repeats = 5

interface Times {
  readonly firstRowsMs: number
  readonly sortMs: number
  readonly filterMs: number
  readonly scrollFrameMs: number
  readonly slowestScrollFramesMs: number
  readonly memoryMb: number
}

/** The table of offers with 10,000 of them, beside the same table with 100. */
export async function measureOffersTable({ rounds }: BenchOptions): Promise<Figure[]> {
  const times = await takeTurns(rounds, { small: () => timesWith(few), large: () => timesWith(many) })
  const figure = (name: string, time: keyof Times, unit = 'ms'): Figure =>
    valueBeside({
      name: `${many.toLocaleString('en')} offers: ${name}`,
      subject: times.large.map((one) => one[time]),
      yardstick: times.small.map((one) => one[time]),
      against: `the same with ${few}`,
      unit,
    })
  return [
    figure('from the reply to painted rows', 'firstRowsMs'),
    figure('sorted and painted', 'sortMs'),
    figure('filtered by text and painted', 'filterMs'),
    figure('frame while scrolling, median', 'scrollFrameMs'),
    figure('frame while scrolling, 95 of 100 below', 'slowestScrollFramesMs'),
    figure("memory of the page's scripts", 'memoryMb', 'MB'),
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
    const frames = await scrollTable(page, 'Offers')
    return {
      firstRowsMs,
      sortMs: median(await sortTable(page, { table: 'Offers', head: 'Price', rounds: repeats })),
      filterMs: median(await filterTable(page, { table: 'Offers', text: '4090', rounds: repeats })),
      scrollFrameMs: median(frames),
      slowestScrollFramesMs: quantile(frames, 0.95),
      memoryMb: await memoryMb(page),
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

/** What the page's scripts hold after a collection of garbage. */
async function memoryMb(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  await session.detach()
  return usedSize / 1_000_000
}
