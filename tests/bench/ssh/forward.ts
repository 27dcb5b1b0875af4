import { once } from 'node:events'
import { connect as connectSocket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { openLocalListener } from '#services/forwards/local-listener.ts'
import { Tunnels } from '#services/forwards/tunnels.ts'
import { systemClock } from '../../../src-main/app/system-clock.ts'
import { findFreePort } from '../../simulator/free-port.ts'
import { ratio, type Figure } from '../figure.ts'
import type { BenchOptions } from '../options.ts'
import { takeTurns } from '../rounds.ts'
import { farMs, instanceIds, type BenchMachine, type Distance } from './bench-machine.ts'
import { startChild, type Child } from './child.ts'
import { startOpenSsh } from './open-ssh.ts'

/** A connection through a local forward, both ways, beside `ssh -L`. */
export async function measureForward(machine: BenchMachine, options: BenchOptions): Promise<Figure[]> {
  // Both ends of the connection, in one process that is neither of the two that are compared.
  const ends = startChild('forward-ends.ts', [])
  const target = Number(await ends.line())
  try {
    const figures: Figure[] = []
    for (const distance of ['near', 'far'] as const) {
      const megabytes = Math.ceil((distance === 'near' ? 512 : 128) * options.scale)
      for (const direction of ['down', 'up'] as const) {
        const run = (port: number): Promise<number> => carry(ends, port, direction, megabytes)
        const speeds = await takeTurns(options.rounds, {
          slipway: () => throughSlipway(machine, distance, target, run),
          openSsh: () => throughOpenSsh(machine, distance, target, run),
        })
        const where = distance === 'far' ? `, ${farMs} ms away` : ''
        const figure = ratio({
          name: `local forward, ${direction}, ${megabytes} MB${where}`,
          subject: speeds.slipway,
          yardstick: speeds.openSsh,
          against: 'ssh -L',
          unit: 'MB/s',
          target: { atLeast: distance === 'near' ? 0.8 : 2 },
        })
        figures.push(figure)
      }
    }
    return figures
  } finally {
    await ends.end()
  }
}

/** @returns MB a second */
async function carry(
  ends: Child,
  port: number,
  direction: 'down' | 'up',
  megabytes: number,
): Promise<number> {
  ends.tell(JSON.stringify({ port, direction, megabytes }))
  return megabytes / Number(await ends.line())
}

async function throughSlipway(
  machine: BenchMachine,
  distance: Distance,
  target: number,
  run: (port: number) => Promise<number>,
): Promise<number> {
  const connections = machine.connect()
  const { signal } = new AbortController()
  const connection = await connections.acquire(instanceIds[distance], signal)
  const port = await findFreePort()
  const plan = {
    kind: 'local',
    entrance: { reach: 'loopback', port },
    to: { host: '127.0.0.1', port: target },
  } as const
  const listener = await openLocalListener(plan, {
    instanceId: instanceIds[distance],
    tunnels: new Tunnels(),
    clock: systemClock,
    onOutcome: () => undefined,
  })
  await listener.attach(connection.client, signal)
  const speed = await run(port)
  listener.close()
  connection.release()
  return speed
}

async function throughOpenSsh(
  machine: BenchMachine,
  distance: Distance,
  target: number,
  run: (port: number) => Promise<number>,
): Promise<number> {
  const port = await findFreePort()
  const ssh = startOpenSsh(machine, distance, ['-N', '-L', `127.0.0.1:${port}:127.0.0.1:${target}`])
  while (!(await isOpen(port))) {
    if (ssh.exitCode !== null) throw new Error(`ssh -L ended with code ${ssh.exitCode}`)
    await sleep(20)
  }
  const speed = await run(port)
  const closed = once(ssh, 'close')
  ssh.kill()
  await closed
  return speed
}

async function isOpen(port: number): Promise<boolean> {
  const socket = connectSocket(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
