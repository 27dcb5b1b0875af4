import { ratio, type Figure } from '../figure.ts'
import type { BenchOptions } from '../options.ts'
import { takeTurns } from '../rounds.ts'
import type { Stage } from './stage.ts'

const tabs = 8

/** The screen without a machine behind it: hidden terminals, and what a tab holds. */
export async function measureScreensAlone(
  { onPage }: Stage,
  { rounds, scale }: BenchOptions,
): Promise<Figure[]> {
  const mebibytes = Math.ceil(64 * scale)
  const parse = (kind: 'slipway' | 'xterm') => () =>
    onPage(async (page) => {
      const took = await page.evaluate(([of, bytes]) => window.bench.parseHidden(of, bytes), [
        kind,
        mebibytes * 1024 * 1024,
      ] as const)
      return (mebibytes * 1_000) / took
    })
  const hold = (kind: 'slipway' | 'xterm') => () =>
    onPage(async (page) => {
      const session = await page.context().newCDPSession(page)
      const held = async (): Promise<number> => {
        await session.send('HeapProfiler.collectGarbage')
        const usage = await session.send('Runtime.getHeapUsage')
        return usage.usedSize + usage.backingStorageSize
      }
      // What is there once for all of them is not counted.
      await page.evaluate(([of]) => window.bench.makeTabs(of, 1), [kind] as const)
      const before = await held()
      await page.evaluate(([of, count]) => window.bench.makeTabs(of, count), [kind, tabs] as const)
      return ((await held()) - before) / tabs / 1_000_000
    })
  const hidden = await takeTurns(rounds, { slipway: parse('slipway'), xterm: parse('xterm') })
  const memory = await takeTurns(rounds, { slipway: hold('slipway'), xterm: hold('xterm') })
  return [
    ratio({
      name: `hidden terminal, parse speed, ${mebibytes} MiB`,
      subject: hidden.slipway,
      yardstick: hidden.xterm,
      against: 'xterm.js as it comes',
      unit: 'MiB/s',
      target: { atLeast: 1.3 },
    }),
    ratio({
      name: 'memory of a tab with 1,000 lines',
      subject: memory.slipway,
      yardstick: memory.xterm,
      against: 'xterm.js alone',
      unit: 'MB',
      target: { atMost: 1.3 },
    }),
  ]
}
