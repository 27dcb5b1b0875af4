import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { instancesOf, openTerminal, rent, type as typeInto } from '../e2e/support/actions.ts'
import { startWorld, type World } from '../e2e/support/world.ts'
import { ratio, type Comparison, type Figure } from './figure.ts'
import { framesDuring } from './frames.ts'
import type { BenchOptions } from './options.ts'
import { pageMemoryMb } from './page-memory.ts'
import { takeTurns } from './rounds.ts'

const wholeMb = 100
/** In the log alone: a command that had it would show it itself. */
const lastLine = 'the log ends here'

interface Followed {
  readonly speed: number
  readonly slowestFrameMs: number
  readonly memoryMb: number
}

interface Log {
  readonly name: string
  readonly megabytes: number
}

/**
 * A log of 100 MB that `tail -f` follows from its beginning, in a terminal and as a command's output: until its last line is
 * shown. Beside it a tenth of the same log: what is lost beyond that has grown with what was shown before.
 */
export async function measureLog({ rounds, scale }: BenchOptions): Promise<Figure[]> {
  const world = await startWorld({ account: 'connected', service: { bootSeconds: [0, 0] } })
  try {
    const { page } = world.app
    await rent(page)
    await openTerminal(page)
    const [instance] = await instancesOf(world.service)
    if (instance === undefined) throw new Error('One was rented')
    const whole = await writeLog(world, instance.id, wholeMb * scale)
    const tenth = await writeLog(world, instance.id, (wholeMb * scale) / 10)
    // Whatever is done for the first time is done.
    await inTerminal(page, tenth)
    const terminal = await takeTurns(rounds, {
      whole: () => inTerminal(page, whole),
      tenth: () => inTerminal(page, tenth),
    })
    await page.evaluate((id) => void (location.hash = `#/run?on=${id}`), instance.id)
    await inOutput(page, tenth)
    const output = await takeTurns(rounds, {
      whole: () => inOutput(page, whole),
      tenth: () => inOutput(page, tenth),
    })
    const of = (place: string): string => `a log of ${wholeMb * scale} MB in ${place}`
    return [...figuresOf(of('a terminal'), terminal), ...figuresOf(of("a command's output"), output)]
  } finally {
    await world.end()
  }
}

function figuresOf(
  log: string,
  { whole, tenth }: { readonly whole: readonly Followed[]; readonly tenth: readonly Followed[] },
): Figure[] {
  const compared = (name: string, what: keyof Followed, unit: string): Comparison => ({
    name: `${log}: ${name}`,
    subject: whole.map((one) => one[what]),
    yardstick: tenth.map((one) => one[what]),
    against: 'a tenth of it',
    unit,
  })
  return [
    // Whatever came before, each further line costs the same.
    ratio({ ...compared('speed to its last line', 'speed', 'MB/s'), target: { atLeast: 0.9 } }),
    // Ten times as many frames have a slower one among them: a frame more than in a tenth is not yet one that is noticed.
    ratio({ ...compared('slowest frame', 'slowestFrameMs', 'ms'), target: { atMost: 2.1 } }),
    // Only what can be scrolled back to is held, which a tenth fills as well.
    ratio({ ...compared("memory of the page's scripts", 'memoryMb', 'MB'), target: { atMost: 1.1 } }),
  ]
}

/** In the instance's home: lines as a training run writes them. */
async function writeLog({ service }: World, instanceId: number, megabytes: number): Promise<Log> {
  const home = service.instances.homeOf(instanceId)
  if (home === null) throw new Error('The instance has a machine')
  const lines = Array.from(
    { length: 10_000 },
    (_, step) =>
      `step ${step} loss ${(3 / (1 + step / 500)).toFixed(4)} lr 0.0003 tokens per second ${90_000 + ((step * 7_919) % 9_999)}\n`,
  )
  const block = lines.join('')
  const name = `log-${megabytes}`
  const file = await open(join(home, name), 'w')
  let written = 0
  for (; written < megabytes * 1_000_000; written += block.length) await file.write(block)
  await file.write(`${lastLine}\n`)
  await file.close()
  // Whole blocks, so it's a bit more than was asked for.
  return { name, megabytes: written / 1_000_000 }
}

async function inTerminal(page: Page, log: Log): Promise<Followed> {
  await typeInto(page, `clear; tail -n +1 -f ${log.name}`)
  const followed = await follow(page, {
    ...{ log, place: '.xterm-rows' },
    begin: () => page.keyboard.press('Enter'),
  })
  await page.keyboard.press('Control+C')
  await typeInto(page, 'clear\n')
  await untilGone(page, '.xterm-rows')
  return followed
}

async function inOutput(page: Page, log: Log): Promise<Followed> {
  await page.getByLabel('Command', { exact: true }).fill(`tail -n +1 -f ${log.name}`)
  const followed = await follow(page, {
    ...{ log, place: '[role="log"]' },
    begin: () => page.getByRole('button', { name: 'Run on 1 instance' }).click(),
  })
  await page.getByRole('button', { name: /^Stop on/ }).click()
  await page.getByText('Stopped', { exact: true }).waitFor()
  // The next one must not find what this one has shown.
  await page.getByLabel('Command', { exact: true }).fill('true')
  await page.getByRole('button', { name: 'Run on 1 instance' }).click()
  await page.getByText('No output.', { exact: true }).waitFor()
  return followed
}

async function follow(
  page: Page,
  options: { readonly log: Log; readonly place: string; readonly begin: () => Promise<void> },
): Promise<Followed> {
  const { log, place, begin } = options
  const { result: seconds, framesMs } = await framesDuring(page, async () => {
    const begun = performance.now()
    await begin()
    await untilShown(page, place)
    return (performance.now() - begun) / 1_000
  })
  return {
    speed: log.megabytes / seconds,
    slowestFrameMs: Math.max(...framesMs),
    memoryMb: await pageMemoryMb(page),
  }
}

/** Looks once a frame, so that what is measured has the time for itself. */
async function untilShown(page: Page, place: string): Promise<void> {
  await page.evaluate(
    async ([selector, text]) => {
      const frame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve))
      const isShown = (): boolean =>
        [...document.querySelectorAll(selector)].some((one) => one.textContent.includes(text))
      do await frame()
      while (!isShown())
      await frame()
    },
    [place, lastLine] as const,
  )
}

async function untilGone(page: Page, place: string): Promise<void> {
  await page.locator(place).filter({ hasText: lastLine }).waitFor({ state: 'hidden' })
}
