import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { setUp } from '../e2e/support/actions.ts'
import { openFiles, rentMachine } from '../e2e/support/files-actions.ts'
import { startWorld } from '../e2e/support/world.ts'
import { median, ratio, valueBeside, type Figure } from './figure.ts'
import type { BenchOptions } from './options.ts'
import { compareTables, repeats, timesOfTable, type TableTimes } from './table-times.ts'

const many = 20_000
const few = 20

interface Times extends TableTimes {
  readonly firstPaintMs: number
}

const table = 'Files, The instance'

/** A folder of an instance with 20,000 files, beside one with 20, which don't fill their list. */
export async function measureFilesTable({ rounds }: BenchOptions): Promise<Figure[]> {
  const compared = await compareTables({ rounds, rows: 'files in a folder', many, few, timesWith })
  return [
    // Its server answers with a hundred names at a time, one answer after the other: 200 of them, and one for the
    // small folder, which for the rest takes as long. Seen at 5.3 times.
    ratio({ ...compared('first paint', 'firstPaintMs'), target: { atMost: 10 } }),
    valueBeside(compared('frame while scrolling, median', 'scrollFrameMs')),
    // As fluid as 20: no frame is left out, but for one of 20.
    ratio({
      ...compared('frame while scrolling, 95 of 100 below', 'slowestScrollFramesMs'),
      target: { atMost: 1.2 },
    }),
    // A key is shown two frames later with few files; with many, one frame or two may be left out.
    ratio({ ...compared('filtered by text and painted', 'filterMs'), target: { atMost: 2.1 } }),
    ratio({ ...compared('sorted and painted', 'sortMs'), target: { atMost: 2.1 } }),
  ]
}

async function timesWith(files: number): Promise<Times> {
  const world = await startWorld({ service: { bootSeconds: [1, 1] } })
  try {
    const { page } = world.app
    await setUp(page, world.service)
    const { home } = await rentMachine(page, world.service)
    await mkdir(join(home, 'many'))
    for (let at = 0; at < files; at += 1) await writeFile(join(home, 'many', `image-${at}.png`), '')
    const { there } = await openFiles(page)
    await there.getByText('many', { exact: true }).waitFor()
    const paints = await firstPaints(page, repeats)
    const times = await timesOfTable(page, { table, head: 'Size', field: 'Filter, The instance', text: '1' })
    return { firstPaintMs: median(paints), ...times }
  } finally {
    await world.end()
  }
}

/** Goes into the folder, until its first row is painted; one time a round. It ends there. */
async function firstPaints(page: Page, rounds: number): Promise<number[]> {
  return page.evaluate(
    async ({ label, count }) => {
      const frame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve))
      const rows = () => [...document.querySelectorAll(`table[aria-label="${label}"] tr[data-row]`)]
      const row = (name: string) => rows().find((one) => one.textContent?.includes(name))
      const measured: number[] = []
      for (let round = 0; round < count; round += 1) {
        if (round > 0) document.querySelector<HTMLElement>('[aria-label="Up, The instance"]')?.click()
        while (row('many') === undefined) await frame()
        // What leaving began is over.
        for (let frames = 0; frames < 30; frames += 1) await frame()
        const begun = performance.now()
        row('many')?.dispatchEvent(new MouseEvent('dblclick', { bubbles: true }))
        do await frame()
        while (row('image-0.png') === undefined)
        await frame()
        measured.push(performance.now() - begun)
      }
      return measured
    },
    { label: table, count: rounds },
  )
}
