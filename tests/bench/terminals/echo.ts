import { quantile, shown, type Figure } from '../figure.ts'
import type { BenchOptions } from '../options.ts'
import { takeTurns } from '../rounds.ts'
import type { ShellKind } from './page/bench-page.ts'
import type { Stage } from './stage.ts'

/** From a key to its echo on the screen. */
export async function measureEcho(stage: Stage, { rounds, scale }: BenchOptions): Promise<Figure[]> {
  const keys = Math.ceil(120 * scale)
  const idle = await takeTurns(rounds, {
    slipway: () => press(stage, 'slipway', keys, false),
    openSsh: () => press(stage, 'open-ssh', keys, false),
  })
  const beside = await takeTurns(rounds, {
    slipway: () => press(stage, 'slipway', keys, true),
    watermarks: () => press(stage, 'watermarks', keys, true),
  })
  const [slipway, openSsh] = [idle.slipway.flat(), idle.openSsh.flat()]
  const [ours, theirs] = [beside.slipway.flat(), beside.watermarks.flat()]
  const more = (share: number, name: string, atMost: number): Figure => ({
    name: `echo, key to drawn, idle, ${name} above OpenSSH's client`,
    value: quantile(slipway, share) - quantile(openSsh, share),
    unit: 'ms',
    beside: `${shown(quantile(slipway, share))} ms, OpenSSH's client into xterm.js alone ${shown(quantile(openSsh, share))} ms`,
    target: { atMost },
  })
  const p99 = (times: readonly number[]): number => quantile(times, 0.99)
  const ratios = beside.slipway.map((times, round) => p99(times) / p99(beside.watermarks[round] ?? []))
  return [
    more(0.5, 'p50', 1),
    more(0.99, 'p99', 5),
    {
      name: 'echo beside a flooding pane, p99',
      value: p99(ours) / p99(theirs),
      unit: '×',
      beside:
        `p50 ${shown(quantile(ours, 0.5))}, p99 ${shown(p99(ours))} ms, watermarks as VS Code's ` +
        `p50 ${shown(quantile(theirs, 0.5))}, p99 ${shown(p99(theirs))} ms`,
      target: { atMost: 0.4 },
      spread: { least: Math.min(...ratios), most: Math.max(...ratios) },
    },
  ]
}

async function press({ onPage }: Stage, kind: ShellKind, keys: number, besideFlood: boolean) {
  return onPage(async (page) => {
    const request = { kind, distance: 'near' } as const
    const key = await page.evaluate((asked) => window.bench.open(asked), request)
    const other = besideFlood ? await page.evaluate((asked) => window.bench.open(asked), request) : null
    if (other !== null) await page.evaluate((id) => window.bench.flood(id), other)
    const times = await page.evaluate(([id, count]) => window.bench.press(id, count), [key, keys] as const)
    for (const id of other === null ? [key] : [other, key])
      await page.evaluate((one) => window.bench.close(one), id)
    return times
  })
}
