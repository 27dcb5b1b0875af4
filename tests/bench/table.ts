import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import type { Simulator } from '../simulator/simulator.ts'

/** What is measured of any of the window's tables. `table` is its accessible name. */

export interface RowTimes {
  /** Until rows of the new answer are seen. */
  readonly firstRowsMs: number
  /** Until all of them are there. */
  readonly allRowsMs: number
}

/** From the moment at which the service has its reply ready to the frame that shows its first rows, and to that with so many. */
export async function timeToRows(
  page: Page,
  options: {
    readonly service: Simulator
    readonly table: string
    readonly rows: number
    /** Selector of what is pressed to search. */
    readonly button: string
  },
): Promise<RowTimes> {
  const { service, table, rows, button } = options
  const before = service.journal().length
  const painted = page.evaluate(
    async ({ table, count, button }) => {
      const frame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve))
      const shown = (): string | null | undefined =>
        document.querySelector(`table[aria-label="${table}"]`)?.getAttribute('aria-rowcount')
      const before = shown()
      document.querySelector<HTMLElement>(button)?.click()
      while (shown() === before) await frame()
      await frame()
      const first = Date.now()
      if (shown() === count) return { first, all: first }
      while (shown() !== count) await frame()
      await frame()
      return { first, all: Date.now() }
    },
    { table, count: String(rows + 1), button },
  )
  // Seldom enough not to slow down the service, which runs in this process.
  while ((service.journal()[before]?.status ?? null) === null) await sleep(2)
  const replied = Date.now()
  const { first, all } = await painted
  return { firstRowsMs: first - replied, allRowsMs: all - replied }
}

/** Rising, falling, and as it came again, by the column whose head begins with `head`; one time a round. */
export async function sortTable(
  page: Page,
  options: { readonly table: string; readonly head: string; readonly rounds: number },
): Promise<number[]> {
  return page.evaluate(async ({ table, head: begins, rounds }) => {
    const frame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve))
    const heads = [...document.querySelectorAll<HTMLElement>(`table[aria-label="${table}"] th`)]
    const head = heads.find((one) => one.innerText.startsWith(begins))
    const measured: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      await frame()
      const [begun, order] = [performance.now(), head?.ariaSort]
      head?.querySelector('button')?.click()
      do await frame()
      while (head?.ariaSort === order)
      await frame()
      measured.push(performance.now() - begun)
    }
    return measured
  }, options)
}

/** A text typed and taken away in turn; one time a round. `field` is the accessible name of where it's typed. */
export async function filterTable(
  page: Page,
  options: {
    readonly table: string
    readonly text: string
    readonly rounds: number
    readonly field?: string
  },
): Promise<number[]> {
  return page.evaluate(async ({ table: name, text, rounds, field: label = 'Find in the table' }) => {
    const frame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve))
    const field = document.querySelector<HTMLInputElement>(`input[aria-label="${label}"]`)
    const table = document.querySelector(`table[aria-label="${name}"]`)
    const measured: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      await frame()
      const [begun, rows] = [performance.now(), table?.getAttribute('aria-rowcount')]
      if (field) field.value = round % 2 === 0 ? text : ''
      field?.dispatchEvent(new Event('input', { bubbles: true }))
      do await frame()
      while (table?.getAttribute('aria-rowcount') === rows)
      await frame()
      measured.push(performance.now() - begun)
    }
    if (field) field.value = ''
    field?.dispatchEvent(new Event('input', { bubbles: true }))
    return measured
  }, options)
}

/** Ten rows a frame, down and up again where there are no more; how long each frame took. */
export async function scrollTable(page: Page, table: string): Promise<number[]> {
  return page.evaluate(async (name) => {
    const frame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve))
    const scroller = document.querySelector(`table[aria-label="${name}"]`)?.parentElement
    const frames: number[] = []
    let [last, step] = [await frame(), 320]
    for (let count = 0; count < 180; count += 1) {
      const before = scroller?.scrollTop
      scroller?.scrollBy(0, step)
      if (scroller?.scrollTop === before) step = -step
      const now = await frame()
      frames.push(now - last)
      last = now
    }
    return frames
  }, table)
}
