import type { Page } from '@playwright/test'
import { startWorld } from '../e2e/support/world.ts'
import { median, quantile, ratio, valueBeside, type Figure } from './figure.ts'
import { framesDuring } from './frames.ts'
import type { BenchOptions } from './options.ts'
import { compareTables, repeats } from './table-times.ts'

const many = 5_000
const few = 50

interface Times {
  readonly openMs: number
  readonly keyMs: number
  readonly slowestKeysMs: number
  readonly slowestUpdateFrameMs: number
}

/**
 * The palette with 5,000 entries beside the same with 50: of instances, which have eight each (nine with an SSH address),
 * and of templates, which have two. The commands and settings that are there without either come on top on both sides.
 */
export async function measurePalette({ rounds }: BenchOptions): Promise<Figure[]> {
  const compared = await compareTables({ rounds, rows: 'palette entries', many, few, timesWith })
  // With 50 entries each is two frames, the least that can be seen: in the first the list changes, in the next it's there.
  // So none may be left out, but for one of a few.
  return [
    ratio({ ...compared('opened and painted', 'openMs'), target: { atMost: 1.3 } }),
    ratio({ ...compared('a key until its results are painted', 'keyMs'), target: { atMost: 1.3 } }),
    ratio({
      ...compared('95 of 100 keys painted within', 'slowestKeysMs'),
      target: { atMost: 1.3 },
    }),
    valueBeside(
      compared('slowest frame while the list of instances is loaded again', 'slowestUpdateFrameMs'),
    ),
  ]
}

async function timesWith(entries: number): Promise<Times> {
  const world = await startWorld({
    account: 'connected',
    service: { instances: entries / 10, templates: entries / 10 },
  })
  try {
    const { page } = world.app
    await page.getByRole('link', { name: /^Instances/ }).click()
    await page.getByRole('table', { name: 'Instances' }).waitFor()
    await page.keyboard.press('Control+K')
    const field = page.getByRole('combobox', { name: 'Search or run a command' })
    await field.fill('rent with')
    // Templates are asked for by what is typed.
    await page.getByRole('listbox', { name: 'Results' }).getByRole('group', { name: 'Templates' }).waitFor()
    await page.keyboard.press('Escape')
    await field.waitFor({ state: 'detached' })
    const opened: number[] = []
    const keys: number[] = []
    for (let round = 0; round < repeats; round += 1) {
      opened.push(await openPalette(page))
      keys.push(...(await typeKeys(page, 'rent with pyt')), ...(await typeKeys(page, 'terminal rtx 4090')))
      await page.keyboard.press('Escape')
      await field.waitFor({ state: 'detached' })
    }
    await openPalette(page)
    const { framesMs } = await framesDuring(page, () => refreshInstances(page))
    return {
      openMs: median(opened),
      keyMs: median(keys),
      slowestKeysMs: quantile(keys, 0.95),
      slowestUpdateFrameMs: Math.max(...framesMs),
    }
  } finally {
    await world.end()
  }
}

/** From Ctrl+K to the frame that shows the first entries. */
async function openPalette(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const frame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve))
    await frame()
    const begun = performance.now()
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, bubbles: true }))
    do await frame()
    while (document.querySelector('[role="dialog"] [role="option"]') === null)
    await frame()
    return performance.now() - begun
  })
}

/** The text letter by letter, and taken away again; each from its key to the frame that shows what fits it. */
async function typeKeys(page: Page, text: string): Promise<number[]> {
  return page.evaluate(async (whole) => {
    const frame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve))
    const field = document.querySelector<HTMLInputElement>('[role="dialog"] input[role="combobox"]')
    const lengths = Array.from(whole, (_, at) => at + 1)
    const measured: number[] = []
    for (const length of [...lengths, ...lengths.toReversed().map((one) => one - 1)]) {
      await frame()
      const begun = performance.now()
      if (field) field.value = whole.slice(0, length)
      field?.dispatchEvent(new Event('input', { bubbles: true }))
      await frame()
      await frame()
      measured.push(performance.now() - begun)
    }
    return measured
  }, text)
}

/** The page below the palette asks for its list, until its age has begun anew. */
async function refreshInstances(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve))
    const button = document.querySelector<HTMLElement>('button[aria-label="Refresh"]')
    const listedAt = (): string | null | undefined => button?.parentElement?.querySelector('time')?.dateTime
    const before = listedAt()
    button?.click()
    do await frame()
    while (listedAt() === before)
  })
}
