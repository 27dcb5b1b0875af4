import { z } from 'zod'
import { median, type Figure, spreadOf } from '../figure.ts'
import type { BenchOptions } from '../options.ts'
import type { BenchMachine } from './bench-machine.ts'
import { startChild } from './child.ts'

const answer = z.object({ connectionKb: z.number(), shellKb: z.number() })

/** What main holds for a connection that stands and for a shell that is quiet, in a process that does nothing else. */
export async function measureMemory(machine: BenchMachine, { rounds }: BenchOptions): Promise<Figure[]> {
  const answers: z.infer<typeof answer>[] = []
  for (let round = 0; round < rounds; round += 1) {
    const order = {
      address: machine.address.near,
      user: machine.user,
      privateKey: machine.identities.keys[0]?.privateKey ?? '',
    }
    const child = startChild('memory-child.ts', [JSON.stringify(order)], ['--expose-gc'])
    answers.push(answer.parse(JSON.parse((await child.line()) ?? 'null')))
    await child.end()
  }
  const connections = answers.map(({ connectionKb }) => connectionKb)
  const shells = answers.map(({ shellKb }) => shellKb)
  const beside = 'heap and buffers after a collection of garbage'
  return [
    {
      name: 'memory in main, a connection',
      value: median(connections),
      unit: 'kB',
      beside,
      target: { atMost: 100 },
      spread: spreadOf(connections),
    },
    {
      name: 'memory in main, a further shell',
      value: median(shells),
      unit: 'kB',
      beside,
      target: { atMost: 10 },
      spread: spreadOf(shells),
    },
  ]
}
