import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import { setUp } from '../e2e/actions.ts'
import { startWorld } from '../e2e/world.ts'
import type { Simulator } from '../simulator/simulator.ts'
import { median, type Figure } from './figure.ts'

const many = 10_000
const few = 100
const rounds = 5

interface Times {
  readonly firstRowsMs: number
  readonly sortMs: number
  readonly filterMs: number
  readonly scrollFrameMs: number
  readonly slowestScrollFramesMs: number
  readonly memoryMb: number
}

/** The table of offers with 10,000 of them, beside the same table with 100. */
export async function measureOffersTable(): Promise<Figure[]> {
  const small = await timesWith(few)
  const large = await timesWith(many)
  const figure = (name: string, time: keyof Times, unit = 'ms'): Figure => ({
    name: `${many.toLocaleString('en')} offers: ${name}`,
    value: large[time],
    unit,
    beside: `${(large[time] / small[time]).toFixed(2)} × the same with ${few} (${small[time].toFixed(1)} ${unit})`,
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
    const firstRowsMs = await search(page, world.service, offers)
    const frames = await scroll(page)
    return {
      firstRowsMs,
      sortMs: median(await sort(page)),
      filterMs: median(await filter(page)),
      scrollFrameMs: median(frames),
      slowestScrollFramesMs: frames.toSorted((a, b) => a - b)[Math.floor(frames.length * 0.95)] ?? Number.NaN,
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

/** From the moment at which the service has its reply ready to the frame that shows the rows. */
async function search(page: Page, service: Simulator, offers: number): Promise<number> {
  const before = service.journal().length
  const painted = page.evaluate(async (rows) => {
    const frame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve))
    const shown = (): string | null | undefined =>
      document.querySelector('table[aria-label="Offers"]')?.getAttribute('aria-rowcount')
    document.querySelector<HTMLElement>('form[aria-label="Filters"] [type="submit"]')?.click()
    while (shown() !== String(rows)) await frame()
    await frame()
    return Date.now()
  }, offers + 1)
  // Seldom enough not to slow down the service, which runs in this process.
  while ((service.journal()[before]?.status ?? null) === null) await sleep(2)
  const replied = Date.now()
  return (await painted) - replied
}

/** Rising, falling, and the service's order again, by the price. */
async function sort(page: Page): Promise<number[]> {
  return page.evaluate(async (times) => {
    const frame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve))
    const heads = [...document.querySelectorAll<HTMLElement>('table[aria-label="Offers"] th')]
    const head = heads.find((one) => one.innerText.startsWith('Price'))
    const measured: number[] = []
    for (let round = 0; round < times; round += 1) {
      await frame()
      const [begun, order] = [performance.now(), head?.ariaSort]
      head?.querySelector('button')?.click()
      do await frame()
      while (head?.ariaSort === order)
      await frame()
      measured.push(performance.now() - begun)
    }
    return measured
  }, rounds)
}

async function filter(page: Page): Promise<number[]> {
  return page.evaluate(async (times) => {
    const frame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve))
    const field = document.querySelector<HTMLInputElement>('input[aria-label="Find in the table"]')
    const table = document.querySelector('table[aria-label="Offers"]')
    const measured: number[] = []
    for (let round = 0; round < times; round += 1) {
      await frame()
      const [begun, rows] = [performance.now(), table?.getAttribute('aria-rowcount')]
      if (field) field.value = round % 2 === 0 ? '4090' : ''
      field?.dispatchEvent(new Event('input', { bubbles: true }))
      do await frame()
      while (table?.getAttribute('aria-rowcount') === rows)
      await frame()
      measured.push(performance.now() - begun)
    }
    if (field) field.value = ''
    field?.dispatchEvent(new Event('input', { bubbles: true }))
    return measured
  }, rounds)
}

/** Ten rows a frame, down and up again where there are no more. */
async function scroll(page: Page): Promise<number[]> {
  return page.evaluate(async () => {
    const frame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve))
    const scroller = document.querySelector('table[aria-label="Offers"]')?.parentElement
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
  })
}

/** What the page's scripts hold after a collection of garbage. */
async function memoryMb(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  await session.detach()
  return usedSize / 1_000_000
}
