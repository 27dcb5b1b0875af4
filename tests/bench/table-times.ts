import type { Page } from '@playwright/test'
import { median, quantile, type Comparison } from './figure.ts'
import { takeTurns } from './rounds.ts'
import { filterTable, scrollTable, sortTable } from './table.ts'

/** How often each thing is done; its time is the middle one. */
export const repeats = 5

export interface TableTimes {
  readonly sortMs: number
  readonly filterMs: number
  readonly scrollFrameMs: number
  readonly slowestScrollFramesMs: number
}

/** @param options the table's accessible name, how the head begins that it is sorted by, and what it is filtered by, and where */
export async function timesOfTable(
  page: Page,
  options: { readonly table: string; readonly head: string; readonly text: string; readonly field?: string },
): Promise<TableTimes> {
  const frames = await scrollTable(page, options.table)
  return {
    sortMs: median(await sortTable(page, { ...options, rounds: repeats })),
    filterMs: median(await filterTable(page, { ...options, rounds: repeats })),
    scrollFrameMs: median(frames),
    slowestScrollFramesMs: quantile(frames, 0.95),
  }
}

/** @returns what compares a time of the table with many rows with that of the same one with few */
export async function compareTables<Times extends Readonly<Record<keyof Times, number>>>(options: {
  readonly rounds: number
  /** Of what the rows are. */
  readonly rows: string
  readonly many: number
  readonly few: number
  readonly timesWith: (rows: number) => Promise<Times>
}): Promise<
  (
    name: string,
    time: keyof Times,
    more?: {
      readonly unit?: string
      /** What of the large table is the yardstick, if not the same time of the small one. */
      readonly yardstick?: keyof Times
      readonly against?: string
    },
  ) => Comparison
> {
  const { rounds, rows, many, few, timesWith } = options
  const times = await takeTurns(rounds, { small: () => timesWith(few), large: () => timesWith(many) })
  return (name, time, { unit = 'ms', yardstick, against = `the same with ${few}` } = {}) => ({
    name: `${many.toLocaleString('en')} ${rows}: ${name}`,
    subject: times.large.map((one) => one[time]),
    yardstick:
      yardstick === undefined
        ? times.small.map((one) => one[time])
        : times.large.map((one) => one[yardstick]),
    against,
    unit,
  })
}
