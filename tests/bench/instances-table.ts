import type { Page } from '@playwright/test'
import { instancesOf, setUp } from '../e2e/support/actions.ts'
import { startWorld } from '../e2e/support/world.ts'
import { median, ratio, valueBeside, type Figure } from './figure.ts'
import type { BenchOptions } from './options.ts'
import { compareTables, repeats, timesOfTable, type TableTimes } from './table-times.ts'

const many = 1_000
const few = 10

interface Times extends TableTimes {
  readonly firstPaintMs: number
  readonly slowestUpdateFrameMs: number
  readonly slowestChangeFrameMs: number
}

/**
 * The table of instances with 1,000 of them, a fifth with a note that makes the row higher, beside the same with 10: these
 * stand still, as there is nothing to scroll, so that their frames are the display's own.
 */
export async function measureInstancesTable({ rounds }: BenchOptions): Promise<Figure[]> {
  const compared = await compareTables({ rounds, rows: 'instances', many, few, timesWith })
  return [
    // The rows in sight are drawn, whatever their number: what is left is to find, sort, and count them.
    ratio({ ...compared('first paint of the list', 'firstPaintMs'), target: { atMost: 1.5 } }),
    valueBeside(compared('frame while scrolling, median', 'scrollFrameMs')),
    // As fluid as 10: no frame is left out, but for one of 20.
    ratio({
      ...compared('frame while scrolling, 95 of 100 below', 'slowestScrollFramesMs'),
      target: { atMost: 1.2 },
    }),
    // Two frames, which are told as 33.3 or 33.4 ms.
    ratio({
      ...compared('slowest frame while the list refreshes', 'slowestUpdateFrameMs'),
      target: { atMost: 2.1 },
    }),
    // Every state another one, at last with a second line below each row. Only the rows in sight and 8 beyond are drawn
    // anew, which are near four times 10.
    ratio({
      ...compared('slowest frame while all of them change', 'slowestChangeFrameMs'),
      target: { atMost: 4.1 },
    }),
    valueBeside(compared('sorted and painted', 'sortMs')),
    valueBeside(compared('filtered by text and painted', 'filterMs')),
  ]
}

async function timesWith(instances: number): Promise<Times> {
  const world = await startWorld({ service: { instances } })
  try {
    const { page } = world.app
    await setUp(page, world.service)
    await page.getByRole('link', { name: /^Instances/ }).click()
    await page.getByRole('table', { name: 'Instances' }).waitFor()
    const firstPaintMs = median(await firstPaints(page, repeats))
    const ids = (await instancesOf(world.service)).map(({ id }) => id)
    for (const id of ids.filter((_, at) => at % 5 === 4)) await world.service.instances.setFate(id, 'offline')
    const updates = await updateFrames(page, repeats)
    const times = await timesOfTable(page, { table: 'Instances', head: 'Model', text: 'RTX' })
    const changes: number[] = []
    const lasting = ids.filter((_, at) => at % 5 !== 4)
    for (const status of ['loading', 'running', 'loading', 'running', 'offline']) {
      for (const id of lasting) await world.service.instances.setFate(id, status)
      changes.push(...(await updateFrames(page, 1)))
    }
    return {
      ...{ firstPaintMs, ...times },
      slowestUpdateFrameMs: median(updates),
      slowestChangeFrameMs: Math.max(...changes),
    }
  } finally {
    await world.end()
  }
}

/** Asks for the list and looks at each frame until its age has begun anew and is painted; the slowest one a round. */
async function updateFrames(page: Page, rounds: number): Promise<number[]> {
  return page.evaluate(async (count) => {
    const frame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve))
    const button = document.querySelector<HTMLElement>('button[aria-label="Refresh"]')
    const slowest: number[] = []
    for (let round = 0; round < count; round += 1) {
      const listedAt = (): string | null | undefined => button?.parentElement?.querySelector('time')?.dateTime
      const before = listedAt()
      button?.click()
      let [last, longest] = [await frame(), 0]
      do {
        const now = await frame()
        longest = Math.max(longest, now - last)
        last = now
      } while (listedAt() === before)
      longest = Math.max(longest, (await frame()) - last)
      slowest.push(longest)
    }
    return slowest
  }, rounds)
}

/** Goes to the page from another one, until its first row is painted; one time a round. */
async function firstPaints(page: Page, rounds: number): Promise<number[]> {
  return page.evaluate(async (count) => {
    const frame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve))
    const row = (): Element | null => document.querySelector('table[aria-label="Instances"] tr[data-row]')
    const measured: number[] = []
    for (let round = 0; round < count; round += 1) {
      location.hash = '#/cloud'
      do await frame()
      while (row() !== null)
      // What leaving began is over.
      for (let frames = 0; frames < 30; frames += 1) await frame()
      const begun = performance.now()
      location.hash = '#/instances'
      do await frame()
      while (row() === null)
      await frame()
      measured.push(performance.now() - begun)
    }
    return measured
  }, rounds)
}
