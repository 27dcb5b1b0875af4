import type { Page } from '@playwright/test'
import { setUp } from '../e2e/support/actions.ts'
import { startWorld } from '../e2e/support/world.ts'
import type { Simulator } from '../simulator/simulator.ts'
import { median, quantile, valueBeside, type Figure } from './figure.ts'
import type { BenchOptions } from './options.ts'
import { takeTurns } from './rounds.ts'
import { filterTable, scrollTable, sortTable, timeToRows } from './table.ts'

const many = 5_000
const few = 50
const repeats = 5

interface Times {
  readonly firstRowsMs: number
  readonly sortMs: number
  readonly filterMs: number
  readonly scrollFrameMs: number
  readonly slowestScrollFramesMs: number
}

/** The table of templates with 5,000 of them, beside the same table with 50. */
export async function measureTemplatesTable({ rounds }: BenchOptions): Promise<Figure[]> {
  const times = await takeTurns(rounds, { small: () => timesWith(few), large: () => timesWith(many) })
  const figure = (name: string, time: keyof Times): Figure =>
    valueBeside({
      name: `${many.toLocaleString('en')} templates: ${name}`,
      subject: times.large.map((one) => one[time]),
      yardstick: times.small.map((one) => one[time]),
      against: `the same with ${few}`,
      unit: 'ms',
    })
  return [
    figure('from the reply to painted rows', 'firstRowsMs'),
    figure('sorted and painted', 'sortMs'),
    figure('filtered by text and painted', 'filterMs'),
    figure('frame while scrolling, median', 'scrollFrameMs'),
    figure('frame while scrolling, 95 of 100 below', 'slowestScrollFramesMs'),
  ]
}

async function timesWith(templates: number): Promise<Times> {
  const world = await startWorld({ service: { templates } })
  try {
    const { page } = world.app
    await setUp(page, world.service)
    await page.getByRole('link', { name: 'Templates' }).click()
    await page.getByRole('table', { name: 'Templates' }).waitFor()
    const firstRowsMs = await search(page, world.service, templates)
    const frames = await scrollTable(page, 'Templates')
    return {
      firstRowsMs,
      sortMs: median(await sortTable(page, { table: 'Templates', head: 'Name', rounds: repeats })),
      filterMs: median(await filterTable(page, { table: 'Templates', text: 'pytorch', rounds: repeats })),
      scrollFrameMs: median(frames),
      slowestScrollFramesMs: quantile(frames, 0.95),
    }
  } finally {
    await world.end()
  }
}

/** All of them, from the moment at which the service has its reply ready to the frame that shows the rows. */
function search(page: Page, service: Simulator, templates: number): Promise<number> {
  return timeToRows(page, {
    service,
    table: 'Templates',
    rows: templates,
    button: '[role="group"][aria-label="Ready searches"] button:last-child',
  })
}
