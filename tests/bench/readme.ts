import type { Page } from '@playwright/test'
import type { Simulator } from '../simulator/simulator.ts'
import { startWorld } from '../e2e/support/world.ts'
import { ratio, type Comparison, type Figure } from './figure.ts'
import { framesDuring } from './frames.ts'
import type { BenchOptions } from './options.ts'
import { takeTurns } from './rounds.ts'

const longBytes = 1_000_000
const shortBytes = 10_000

interface Times {
  readonly openMs: number
  readonly openFrameMs: number
  readonly allFrameMs: number
}

/** A template's page with a readme of 1 MB, beside the same with 10 kB, which is shown at once. */
export async function measureReadme({ rounds }: BenchOptions): Promise<Figure[]> {
  const world = await startWorld({ account: 'connected' })
  try {
    const { page } = world.app
    const [long, short] = [longBytes, shortBytes].map((bytes) => addTemplate(world.service, bytes))
    if (long === undefined || short === undefined) throw new Error('Two were added')
    // The page's code is loaded, and whatever it does for the first time is done.
    for (const id of [short, long]) await timesOf(page, id)
    const times = await takeTurns(rounds, {
      long: () => timesOf(page, long),
      short: () => timesOf(page, short),
    })
    const compared = (name: string, time: keyof Times): Comparison => ({
      name: `a readme of 1 MB: ${name}`,
      subject: times.long.map((one) => one[time]),
      yardstick: times.short.map((one) => one[time]),
      against: 'one of 10 kB',
      unit: 'ms',
    })
    return [
      // A hundred times as much crosses to the page, of which the first 20,000 characters are drawn: twice as many.
      ratio({ ...compared('from the address to its beginning, painted', 'openMs'), target: { atMost: 3 } }),
      // With 10 kB it's a single frame, and 100 ms, from which on a window is felt to stand, are six.
      ratio({ ...compared('slowest frame until then', 'openFrameMs'), target: { atMost: 6 } }),
      ratio({
        ...compared('slowest frame until all of it is shown', 'allFrameMs'),
        target: { atMost: 6 },
      }),
    ]
  } finally {
    await world.end()
  }
}

async function timesOf(page: Page, id: number): Promise<Times> {
  const { result: openMs, framesMs: opening } = await framesDuring(page, () => open(page, id))
  const { framesMs: rest } = await framesDuring(page, () => showAll(page))
  await page.evaluate(() => void (location.hash = '#/templates'))
  await page.getByRole('table', { name: 'Templates' }).waitFor()
  return {
    openMs,
    openFrameMs: Math.max(...opening),
    allFrameMs: Math.max(...opening, ...rest),
  }
}

async function open(page: Page, id: number): Promise<number> {
  return page.evaluate(async (wanted) => {
    const frame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve))
    const begun = performance.now()
    location.hash = `#/templates/${wanted}`
    do await frame()
    while (document.querySelector('.readme p') === null)
    await frame()
    return performance.now() - begun
  }, id)
}

/** "Show more" until there is no more, with some frames after each. */
async function showAll(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve))
    const more = (): HTMLElement | undefined =>
      [...document.querySelectorAll<HTMLElement>('section button')].find(
        (one) => one.innerText === 'Show more',
      )
    for (let button = more(); button !== undefined; button = more()) {
      button.click()
      for (let frames = 0; frames < 3; frames += 1) await frame()
    }
  })
}

function addTemplate({ templates }: Simulator, bytes: number): number {
  const readme = makeReadme(bytes)
  const [docker_login_repo, docker_login_user, docker_login_pass] = ['', '', '']
  return templates.add({
    ...{ name: `Readme of ${bytes}`, image: 'pytorch/pytorch', readme },
    ...{ docker_login_repo, docker_login_user, docker_login_pass },
  })
}

/** Chapters as people write them: a heading, prose with a link and code in it, a list, a block of code, a table. */
function makeReadme(bytes: number): string {
  const chapters: string[] = []
  for (let length = 0; length < bytes; length += chapters.at(-1)?.length ?? 0) {
    const at = chapters.length + 1
    chapters.push(
      [
        `## Chapter ${at}`,
        `Train with \`torchrun --nproc-per-node ${at}\`, then read [the notes](https://example.com/notes/${at}) about **checkpoints** and what they need of the disk. `.repeat(
          4,
        ),
        ...['Rent with at least 80 GB.', 'Wait for `ready.txt`.', 'Open the port.'].map(
          (line) => `- ${line}`,
        ),
        '',
        '```sh',
        ...Array.from(
          { length: 8 },
          (_, line) => `python train.py --step ${line} --out /workspace/run-${at}`,
        ),
        '```',
        '',
        '| setting | value |\n| --- | --- |',
        ...Array.from({ length: 5 }, (_, row) => `| batch ${row} | ${row * at} |`),
      ]
        .join('\n')
        .concat('\n\n'),
    )
  }
  return chapters.join('').slice(0, bytes)
}
