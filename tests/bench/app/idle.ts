import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import { instancesOf, rent, setUp } from '../../e2e/support/actions.ts'
import { startWorld, type World } from '../../e2e/support/world.ts'
import { valueBeside, type Figure } from '../figure.ts'
import type { BenchOptions } from '../options.ts'
import { takeTurns } from '../rounds.ts'
import { usageOf, usageOfTree, type Usage } from './process-tree.ts'

const instances = 1_000
const terminals = 10
/** Longer than the pause between two polls of a list at rest, so that each span has one. */
const spanMs = 60_000
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
  const full = await startWorld({ service: { instances, bootSeconds: [0, 0] }, browser: 'own' })
  const empty = await startWorld({ browser: 'own' })
  try {
    await setUp(empty.app.page, empty.service)
    await openTerminals(full)
    await sleep(restMs)
    const idle = await takeTurns(rounds, {
      full: () => measure(full.app.pid, span),
      empty: () => measure(empty.app.pid, span),
    })
    const figure = (name: string, what: keyof Idle, unit: string): Figure =>
      valueBeside({
        name,
        subject: idle.full.map((one) => one[what]),
        yardstick: idle.empty.map((one) => one[what]),
        against: 'with none of either',
        unit,
      })
    return [
      figure('1,000 instances, 10 terminals, idle, all processes: processor', 'cpuPercent', '%'),
      figure('1,000 instances, 10 terminals, idle, main: processor', 'mainCpuPercent', '%'),
      figure('1,000 instances, 10 terminals, idle, all processes: memory', 'memoryMb', 'MB'),
      figure('1,000 instances, 10 terminals, idle, main: memory', 'mainMemoryMb', 'MB'),
    ]
  } finally {
    await full.end()
    await empty.end()
  }
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
