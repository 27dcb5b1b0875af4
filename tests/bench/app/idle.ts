import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import { instancesOf, rent, setUp } from '../../e2e/support/actions.ts'
import { startWorld, type World } from '../../e2e/support/world.ts'
import {
  median,
  ratio,
  shown,
  spreadOf,
  valueBeside,
  type Comparison,
  type Figure,
  type Target,
} from '../figure.ts'
import type { BenchOptions } from '../options.ts'
import { takeTurns } from '../rounds.ts'
import { heapAfterCollection, heapEnvironment } from './main-heap.ts'
import { usageOf, usageOfTree, type Usage } from './process-tree.ts'

const instances = 1_000
const terminals = 10
/** Longer than the pause between two polls of a list at rest, so that each span has one. */
const spanMs = 60_000
const against = 'with none of either'
/** Until what the last click began is over. */
const restMs = 15_000

interface Idle {
  readonly cpuPercent: number
  readonly mainCpuPercent: number
  readonly memoryMb: number
  readonly mainMemoryMb: number
}

/** What the app costs when nothing happens: with 1,000 instances and 10 terminals, beside itself with none. */
export async function measureIdle({ rounds, scale }: BenchOptions): Promise<Figure[]> {
  // What processes use is read from /proc.
  if (process.platform !== 'linux') return []
  const span = spanMs * scale
  // A shared one would be this process's, and what the pages use in it wouldn't count.
  const own = { browser: 'own', env: heapEnvironment } as const
  const full = await startWorld({ service: { instances, bootSeconds: [0, 0] }, ...own })
  const empty = await startWorld(own)
  try {
    await setUp(empty.app.page, empty.service)
    await openTerminals(full)
    await sleep(restMs)
    const idle = await takeTurns(rounds, {
      full: () => measure(full.app.pid, span),
      empty: () => measure(empty.app.pid, span),
    })
    const heaps = {
      full: await heapAfterCollection(full.app),
      empty: await heapAfterCollection(empty.app),
    }
    const compared = (what: string, field: keyof Idle, unit: string) => ({
      name: `1,000 instances, 10 terminals, idle, ${what}`,
      subject: idle.full.map((one) => one[field]),
      yardstick: idle.empty.map((one) => one[field]),
      against,
      unit,
    })
    const within = (most: number, ...what: Parameters<typeof compared>): Figure =>
      ratio({ ...compared(...what), target: { atMost: most } })
    return [
      within(2.6, 'all processes: processor', 'cpuPercent', '%'),
      above(compared('all processes: processor, more', 'cpuPercent', '%'), { atMost: 1.5 }),
      valueBeside(compared('main: processor', 'mainCpuPercent', '%')),
      within(1.25, 'all processes: memory', 'memoryMb', 'MB'),
      within(1.5, 'main: memory', 'mainMemoryMb', 'MB'),
      ...heapFigure(heaps),
    ]
  } finally {
    await full.end()
    await empty.end()
  }
}

/** By how much the subject is above the yardstick, round by round. */
function above({ name, subject, yardstick, unit }: Omit<Comparison, 'target'>, target: Target): Figure {
  const more = subject.map((value, round) => value - (yardstick[round] ?? Number.NaN))
  const beside = `${shown(median(subject))} ${unit}, ${against} ${shown(median(yardstick))} ${unit}`
  return { name, value: median(more), unit, beside, target, spread: spreadOf(more) }
}

function heapFigure({ full, empty }: Readonly<Record<'full' | 'empty', number | null>>): Figure[] {
  if (full === null || empty === null) return []
  const name = '1,000 instances, 10 terminals, idle, main: heap after a collection'
  return [valueBeside({ name, subject: [full], yardstick: [empty], against, unit: 'MB' })]
}

async function measure(pid: number, spanMs: number): Promise<Idle> {
  const begun = performance.now()
  const [main, all] = [await usageOf(pid), await usageOfTree(pid)]
  await sleep(spanMs)
  const [mainLater, allLater] = [await usageOf(pid), await usageOfTree(pid)]
  const seconds = (performance.now() - begun) / 1_000
  const percent = (before: Usage, after: Usage): number =>
    ((after.cpuSeconds - before.cpuSeconds) / seconds) * 100
  return {
    cpuPercent: percent(all, allLater),
    mainCpuPercent: percent(main, mainLater),
    memoryMb: allLater.memoryMb,
    mainMemoryMb: mainLater.memoryMb,
  }
}

/** Rents one machine beside those that are only listed, and opens terminals on it. */
async function openTerminals({ app, service }: World): Promise<void> {
  const { page } = app
  await setUp(page, service)
  const listed = new Set((await instancesOf(service)).map(({ id }) => id))
  await rent(page)
  await page.getByRole('table', { name: 'Instances' }).waitFor()
  const rented = (await instancesOf(service)).find(({ id }) => !listed.has(id))
  if (rented === undefined) throw new Error('No machine was rented')
  await page.evaluate((id) => (location.hash = `/instances/${id}`), rented.id)
  await page.getByRole('button', { name: 'Open terminal' }).first().click({ timeout: 60_000 })
  await page.getByRole('button', { name: 'Trust this host' }).click()
  await untilPrompt(page)
  for (let open = 1; open < terminals; open += 1) {
    await page.keyboard.press('Control+Shift+D')
    await page.getByRole('tab').nth(open).waitFor()
    await untilPrompt(page)
  }
}

/** The terminal that is seen has its prompt. */
async function untilPrompt(page: Page): Promise<void> {
  const rows = page.getByRole('region', { name: 'Terminal' }).locator('.xterm-rows > div')
  await rows.filter({ hasText: /\S/ }).first().waitFor()
}
