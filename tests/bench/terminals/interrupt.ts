import { median, ratio, spreadOf, type Figure } from '../figure.ts'
import type { BenchOptions } from '../options.ts'
import { takeTurns } from '../rounds.ts'
import { farMs } from '../ssh/bench-machine.ts'
import type { ShellRequest } from './page/bench-page.ts'
import type { Stage } from './stage.ts'

/** Ctrl-C under `yes`, until the prompt is drawn. */
export async function measureInterrupt(stage: Stage, { rounds }: BenchOptions): Promise<Figure[]> {
  const near = await takeTurns(rounds * 2, {
    slipway: () => interrupt(stage, { kind: 'slipway', distance: 'near' }),
    watermarks: () => interrupt(stage, { kind: 'watermarks', distance: 'near' }),
  })
  const far = await takeTurns(rounds * 2, {
    slipway: () => interrupt(stage, { kind: 'slipway', distance: 'far' }),
    watermarks: () => interrupt(stage, { kind: 'watermarks', distance: 'far' }),
  })
  return [
    ratio({
      name: 'Ctrl-C under `yes` until the prompt is drawn',
      subject: near.slipway,
      yardstick: near.watermarks,
      against: "watermarks as VS Code's",
      unit: 'ms',
      target: { atMost: 0.1 },
    }),
    {
      name: `Ctrl-C under \`yes\`, ${farMs} ms away`,
      value: median(far.slipway),
      unit: 'ms',
      beside: `watermarks as VS Code's ${median(far.watermarks).toFixed(0)} ms`,
      target: { atMost: farMs + 25 },
      spread: spreadOf(far.slipway),
    },
  ]
}

async function interrupt({ onPage }: Stage, request: ShellRequest): Promise<number> {
  return onPage(async (page) => {
    const key = await page.evaluate((asked) => window.bench.open(asked), request)
    const times: number[] = []
    for (let time = 0; time < 3; time += 1) {
      await page.evaluate((id) => window.bench.flood(id), key)
      times.push(await page.evaluate((id) => window.bench.interrupt(id), key))
    }
    await page.evaluate((id) => window.bench.close(id), key)
    return median(times)
  })
}
