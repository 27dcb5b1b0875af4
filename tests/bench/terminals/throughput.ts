import type { Page } from '@playwright/test'
import { ratio, spreadOf, type Figure } from '../figure.ts'
import type { BenchOptions } from '../options.ts'
import { takeTurns } from '../rounds.ts'
import { farMs } from '../ssh/bench-machine.ts'
import type { ShellRequest } from './page/bench-page.ts'
import type { Stage } from './stage.ts'

const kib = 1024

/** Text from the machine to the last screen, near and far, and what is on its way meanwhile. */
export async function measureThroughput(stage: Stage, { rounds, scale }: BenchOptions): Promise<Figure[]> {
  const { shells, place } = stage
  const mebibytes = Math.ceil(256 * scale)
  const [farMebibytes, paneMebibytes] = [Math.ceil(32 * scale), Math.ceil(32 * scale)]
  const outstanding: number[] = []
  const near = await takeTurns(rounds, {
    slipway: async () => {
      shells.takeMostOutstanding()
      const speed = await show(stage, { kind: 'slipway', distance: 'near' }, mebibytes)
      outstanding.push(shells.takeMostOutstanding() / kib)
      return speed
    },
    alone: () => showAlone(stage, mebibytes),
    watermarks: () => show(stage, { kind: 'watermarks', distance: 'near' }, mebibytes),
  })
  const free = await takeTurns(rounds, {
    slipway: () => show(stage, { kind: 'slipway', distance: 'near' }, mebibytes, freeDrawing),
    alone: () => showAlone(stage, mebibytes, freeDrawing),
    watermarks: () => show(stage, { kind: 'watermarks', distance: 'near' }, mebibytes, freeDrawing),
  })
  const two = await takeTurns(rounds, {
    slipway: () => show(stage, { kind: 'slipway', distance: 'near' }, paneMebibytes, asItIs, 2),
    watermarks: () => show(stage, { kind: 'watermarks', distance: 'near' }, paneMebibytes, asItIs, 2),
  })
  const farOutstanding: number[] = []
  const far = await takeTurns(rounds, {
    slipway: async () => {
      shells.takeMostOutstanding()
      const speed = await show(stage, { kind: 'slipway', distance: 'far' }, farMebibytes)
      farOutstanding.push(shells.takeMostOutstanding() / kib)
      return speed
    },
    watermarks: () => show(stage, { kind: 'watermarks', distance: 'far' }, farMebibytes),
  })
  const unit = 'MiB/s'
  const name = `${mebibytes} MiB of text to the last screen`
  return [
    ratio({
      name,
      subject: near.slipway,
      yardstick: near.alone,
      against: 'xterm.js alone',
      unit,
      target: { atLeast: 0.6 },
    }),
    ratio({
      name,
      subject: near.slipway,
      yardstick: near.watermarks,
      against: "watermarks as VS Code's",
      unit,
      target: { atLeast: 1 },
    }),
    {
      name: 'bytes outstanding in it, at most',
      value: Math.max(...outstanding),
      unit: 'KiB',
      beside: place,
      target: { atMost: 256 },
      spread: spreadOf(outstanding),
    },
    ratio({
      name: `${name}, with drawing made free`,
      subject: free.slipway,
      yardstick: free.alone,
      against: 'xterm.js alone, the same',
      unit,
      target: { atLeast: 0.8 },
    }),
    ratio({
      name: `${name}, with drawing made free`,
      subject: free.slipway,
      yardstick: free.watermarks,
      against: "watermarks as VS Code's, the same",
      unit,
    }),
    ratio({
      name: `${paneMebibytes} MiB of text in each of two panes at once`,
      subject: two.slipway,
      yardstick: two.watermarks,
      against: "watermarks as VS Code's",
      unit,
      target: { atLeast: 1 },
    }),
    ratio({
      name: `${farMebibytes} MiB of text, ${farMs} ms away`,
      subject: far.slipway,
      yardstick: far.watermarks,
      against: "watermarks as VS Code's",
      unit,
      target: { atLeast: 1 },
    }),
    {
      name: `bytes outstanding in it, at most, ${farMs} ms away`,
      value: Math.max(...farOutstanding),
      unit: 'KiB',
      beside: place,
      target: { atMost: 4096 },
      spread: spreadOf(farOutstanding),
    },
  ]
}

/** Makes a page as it is to be, before anything is opened on it. */
type Prepare = (page: Page) => Promise<void>

const asItIs: Prepare = () => Promise.resolve()
const freeDrawing: Prepare = (page) => page.evaluate(() => window.bench.freeDrawing())

/** @returns MiB a second, in all panes together, each with a shell of its own */
async function show(
  { onPage, textFile }: Stage,
  request: ShellRequest,
  mebibytes: number,
  prepare = asItIs,
  panes = 1,
): Promise<number> {
  const file = await textFile(mebibytes)
  // The mark is put together on the machine, so that the echo of the command does not show it.
  const command = `cat '${file}'; echo all-$((40 + 2))`
  const tookMs = await onPage(async (page) => {
    await prepare(page)
    const keys: number[] = []
    for (let pane = 0; pane < panes; pane += 1)
      keys.push(await page.evaluate((asked) => window.bench.open(asked), request))
    const times = await page.evaluate(
      ([ids, typed]) => Promise.all(ids.map((id) => window.bench.run(id, typed, 'all-42'))),
      [keys, command] as const,
    )
    await page.evaluate((ids) => ids.forEach((id) => window.bench.close(id)), keys)
    return Math.max(...times)
  })
  return (panes * mebibytes * 1_000) / tookMs
}

/** xterm.js alone, with the text from memory. @returns MiB a second */
async function showAlone({ onPage }: Stage, mebibytes: number, prepare = asItIs): Promise<number> {
  const bytes = mebibytes * kib * kib
  const tookMs = await onPage(async (page) => {
    await prepare(page)
    return page.evaluate((all) => window.bench.drawAlone(all), bytes)
  })
  return (mebibytes * 1_000) / tookMs
}
