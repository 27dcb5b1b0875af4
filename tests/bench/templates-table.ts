import { setUp } from '../e2e/support/actions.ts'
import { startWorld } from '../e2e/support/world.ts'
import { ratio, valueBeside, type Figure } from './figure.ts'
import type { BenchOptions } from './options.ts'
import { timeToRows, type RowTimes } from './table.ts'
import { compareTables, timesOfTable, type TableTimes } from './table-times.ts'

const many = 5_000
const few = 50

type Times = TableTimes & RowTimes

/** The table of templates with 5,000 of them, beside the same table with 50. */
export async function measureTemplatesTable({ rounds }: BenchOptions): Promise<Figure[]> {
  const compared = await compareTables({ rounds, rows: 'templates', many, few, timesWith })
  return [
    ratio({ ...compared('from the reply to all painted rows', 'allRowsMs'), target: { atMost: 7 } }),
    valueBeside(compared('sorted and painted', 'sortMs')),
    valueBeside(compared('filtered by text and painted', 'filterMs')),
    valueBeside(compared('frame while scrolling, median', 'scrollFrameMs')),
    valueBeside(compared('frame while scrolling, 95 of 100 below', 'slowestScrollFramesMs')),
  ]
}

async function timesWith(templates: number): Promise<Times> {
  const world = await startWorld({ service: { templates } })
  try {
    const { page } = world.app
    await setUp(page, world.service)
    await page.getByRole('link', { name: 'Templates' }).click()
    await page.getByRole('table', { name: 'Templates' }).waitFor()
    // From the moment at which the service has its reply ready to the frame that shows the rows.
    const rowTimes = await timeToRows(page, {
      service: world.service,
      table: 'Templates',
      rows: templates,
      button: '[role="group"][aria-label="Ready searches"] button:last-child',
    })
    const times = await timesOfTable(page, { table: 'Templates', head: 'Name', text: 'pytorch' })
    return { ...rowTimes, ...times }
  } finally {
    await world.end()
  }
}
