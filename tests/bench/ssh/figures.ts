import { z } from 'zod'
import { counted } from '#domain/base/plural.ts'
import { valueBeside, type Figure } from '../figure.ts'
import type { BenchOptions } from '../options.ts'
import { takeTurns } from '../rounds.ts'
import type { BenchMachine } from './bench-machine.ts'
import { startChild } from './child.ts'

const answer = z.object({ cpuPercent: z.number(), memoryMb: z.number() })
type Taken = z.infer<typeof answer>

const spanMs = 60_000
/** Each instance says its figures every 10 s. */
const leastSpanMs = 20_000

/** What main takes to watch the figures of many instances, beside itself with none, in a process that does nothing else. */
export async function measureFigures(
  machine: BenchMachine,
  { rounds, scale }: BenchOptions,
): Promise<Figure[]> {
  const measure = async (instances: number): Promise<Taken> => {
    const order = {
      ...{ address: machine.address.near, user: machine.user, knownHostsFile: machine.knownHostsFile },
      privateKey: machine.identities.keys[0]?.privateKey ?? '',
      ...{ instances, spanMs: Math.max(leastSpanMs, spanMs * scale) },
    }
    const child = startChild('figures-child.ts', [JSON.stringify(order)], ['--expose-gc'])
    const taken = answer.parse(JSON.parse((await child.line()) ?? 'null'))
    await child.end()
    return taken
  }
  const { none, ...taken } = await takeTurns(rounds, {
    none: () => measure(0),
    one: () => measure(1),
    ten: () => measure(10),
    hundred: () => measure(100),
  })
  const rows = [
    [1, taken.one],
    [10, taken.ten],
    [100, taken.hundred],
  ] as const
  return rows.flatMap(([many, each]) => {
    const name = `figures of ${counted(many, 'instance')} watched, main`
    const figure = (what: keyof Taken, called: string, unit: string): Figure =>
      valueBeside({
        name: `${name}: ${called}`,
        subject: each.map((one) => one[what]),
        yardstick: none.map((one) => one[what]),
        against: 'with none',
        unit,
      })
    return [figure('cpuPercent', 'processor', '%'), figure('memoryMb', 'memory', 'MB')]
  })
}
