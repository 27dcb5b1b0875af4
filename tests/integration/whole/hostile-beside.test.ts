import type { Connection } from 'ssh2'
import { expect, onTestFinished, test } from 'vitest'
import { wholeLists } from '#contract/instances-changes.ts'
import { openSftpSession } from '#services/files/session.ts'
import { systemClock } from '../../../src-main/app/system-clock.ts'
import { confirmWith, flood, innerOf, message, packet, sshString } from '../../support/raw-ssh.ts'
import { waitFor } from '../../support/wait-for.ts'
import { connectToOdd } from '../ssh/protocol/hostile-host.ts'
import { startScene } from './fault-scene.ts'

const requests = packet(message.globalRequest, sshString('a@b'), true)
const idle = packet(message.ignore, sshString('x'.repeat(100)))

const attacks: readonly (readonly [string, (connection: Connection) => void])[] = [
  ['takes packets of 0 bytes', (connection) => confirmWith(connection, { packetSize: 0 })],
  [
    'asks without an end and reads nothing',
    (connection) => {
      innerOf(connection)._sock.pause()
      flood(connection, requests)
    },
  ],
  ['sends nothing without an end', (connection) => flood(connection, idle)],
]

// By what goes on, and not by how fast: a machine that could hold main would hold all of this.
test('while hosts attack, another one answers, an auto-stop rule stops its instance, and the list is polled', async () => {
  const scene = await startScene({ instances: 3 })
  const { client, close } = scene.page()
  onTestFinished(async () => {
    close()
    await scene.close()
  })
  let lists = 0
  let states: readonly (readonly [id: number, status: string])[] = []
  const watching = (async () => {
    for await (const { instances } of await wholeLists(client.instances.watch)()) {
      lists += 1
      states = (instances ?? []).map(({ id, record }) => [id, String(record['intended_status'])] as const)
    }
  })()
  watching.catch(() => undefined) // it ends with the port
  await scene.clock.pass(60_000)
  await waitFor(() => expect(states).toHaveLength(3))

  const honest = await connectToOdd({
    onConnection: (connection) =>
      void connection.on('tcpip', (accept) => {
        const channel = accept()
        channel.on('error', () => undefined)
        channel.pipe(channel)
      }),
  })
  const echo = (): Promise<string> =>
    new Promise((resolve, reject) => {
      honest.client.forwardOut('127.0.0.1', 0, 'there', 80, (error, channel) => {
        if (error) return reject(error)
        channel.once('data', (piece: Buffer) => resolve(piece.toString()))
        channel.write('echo')
      })
    })

  const [guarded] = states[0] ?? [0]
  await client.guards.set({
    instanceId: guarded,
    action: 'stop',
    condition: { kind: 'after', hours: 1 },
    place: 'slipway',
  })
  const hosts = await Promise.all(
    attacks.map(async ([, begin]) => {
      const host = await connectToOdd({})
      begin(host.server)
      return host
    }),
  )
  // What is opened there writes at once; a share that fails is given back, which would end the others.
  const [small] = hosts
  if (small === undefined) throw new Error('no host')
  const opened = openSftpSession(small, systemClock, small.signal).then(
    () => 'opened',
    () => 'failed',
  )
  const before = lists
  expect(await echo()).toBe('echo')
  await scene.clock.pass(65 * 60_000)
  expect(await echo()).toBe('echo')
  await waitFor(() => expect(new Map(states).get(guarded)).toBe('stopped'))
  expect(lists).toBeGreaterThan(before + 10)
  // Each was cut off, and says so.
  for (const [index, [name]] of attacks.entries())
    expect(await hosts[index]?.ended, name).toMatchObject({ kind: 'protocol-broken' })
  expect(await opened).toBe('failed')
}, 180_000)
