import { once } from 'node:events'
import { openShell, type Shell } from '#services/terminals/shell.ts'
import { systemClock } from '../../../src-main/app/system-clock.ts'
import { median, ratio, type Figure } from '../figure.ts'
import type { BenchOptions } from '../options.ts'
import { takeTurns } from '../rounds.ts'
import { farMs, instanceIds, type BenchMachine, type Distance } from './bench-machine.ts'
import { startOpenSsh } from './open-ssh.ts'

const size = { cols: 80, rows: 24 }

/** From nothing to a prompt, and to a second one on the same connection. */
export async function measureConnect(machine: BenchMachine, { rounds }: BenchOptions): Promise<Figure[]> {
  const times = rounds * 5
  const near = await takeTurns(times, {
    slipway: () => connectTwice(machine, 'near'),
    openSsh: () => openSshPrompt(machine, 'near'),
  })
  const far = await takeTurns(times, {
    slipway: () => connectTwice(machine, 'far'),
    openSsh: () => openSshPrompt(machine, 'far'),
  })
  const first = far.slipway.map((one) => one.first)
  return [
    ratio({
      name: 'connect to prompt, near',
      subject: near.slipway.map((one) => one.first),
      yardstick: near.openSsh,
      against: "OpenSSH's client",
      unit: 'ms',
      target: { atMost: 0.7 },
    }),
    ratio({
      name: `connect to prompt, ${farMs} ms away`,
      subject: first,
      yardstick: far.openSsh,
      against: "OpenSSH's client",
      unit: 'ms',
      target: { atMost: 0.7 },
    }),
    ratio({
      name: `a second shell, ${farMs} ms away`,
      subject: far.slipway.map((one) => one.second),
      yardstick: first,
      against: 'the first',
      unit: 'ms',
      target: { atMost: 0.5 },
    }),
    {
      name: 'a second shell, near',
      value: median(near.slipway.map((one) => one.second)),
      unit: 'ms',
      beside: `the first ${median(near.slipway.map((one) => one.first)).toFixed(0)} ms`,
    },
  ]
}

async function connectTwice(
  machine: BenchMachine,
  distance: Distance,
): Promise<{ readonly first: number; readonly second: number }> {
  const connections = machine.connect()
  const end = new AbortController()
  const begun = performance.now()
  const connection = await connections.acquire(instanceIds[distance], end.signal)
  const prompt = async (): Promise<void> => {
    const prompted = Promise.withResolvers<undefined>()
    const opening: Promise<Shell> = openShell({
      connection,
      size,
      wish: { kind: 'plain' },
      post: (bytes) => {
        if (Buffer.from(bytes).includes('ready-')) prompted.resolve(undefined)
      },
      clock: systemClock,
      signal: end.signal,
    })
    await Promise.all([opening, prompted.promise])
  }
  await prompt()
  const first = performance.now() - begun
  const again = performance.now()
  await prompt()
  const second = performance.now() - again
  end.abort()
  connection.release()
  await connection.ended
  return { first, second }
}

async function openSshPrompt(machine: BenchMachine, distance: Distance): Promise<number> {
  const begun = performance.now()
  const ssh = startOpenSsh(machine, distance)
  let said = ''
  while (!said.includes('ready-')) {
    const [piece] = (await once(ssh.stdout, 'data')) as [Buffer]
    said += piece.toString()
  }
  const took = performance.now() - begun
  const closed = once(ssh, 'close')
  ssh.kill()
  await closed
  return took
}
