import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ClientChannel } from 'ssh2'
import { expect, onTestFinished, test } from 'vitest'
import { takeWindow } from '../../../src-main/ssh/channel-window.ts'
import { createConnections } from '../../../src-main/ssh/connections.ts'
import { makeEd25519KeyPair } from '../../../src-main/ssh/key-pair.ts'
import { systemClock } from '../../../src-main/system-clock.ts'
import { memoryLog } from '../../support/memory-log.ts'
import { startOddServer, windowOf } from './odd-server.ts'

const window = 2 * 1024 * 1024
const { privateKey } = makeEd25519KeyPair('test')

/** A connection to a server that sends so many bytes into each channel, in odd packets, whatever its window is. */
async function connectToFlood(bytes: number) {
  const { address } = await startOddServer({
    onConnection: (connection) => {
      connection.on('tcpip', (accept) => {
        const channel = accept()
        Object.assign(windowOf(channel), { window: 2 ** 31, packetSize: 30_000 })
        channel.on('error', () => undefined)
        channel.write(Buffer.alloc(bytes))
      })
    },
  })
  const folder = await mkdtemp(join(tmpdir(), 'slipway-window-'))
  const end = new AbortController()
  const connections = createConnections({
    findTarget: () => Promise.resolve({ kind: 'address', address }),
    user: () => 'anybody',
    identities: () =>
      Promise.resolve({ keys: [{ name: 'test key', privateKey }], agentSocket: null, skipped: [] }),
    knownHostsFile: join(folder, 'known_hosts'),
    clock: systemClock,
    random: () => 0.5,
    log: memoryLog(),
  })
  const connecting = connections.acquire(1, end.signal)
  for await (const state of connections.state(1).watch(end.signal)) {
    if (state.kind === 'unknown-host') connections.answerHostKey(1, true, state.offered.fingerprint)
    if (state.kind === 'open') break
  }
  const connection = await connecting
  onTestFinished(async () => {
    connection.release()
    end.abort(new Error('the test is over'))
    await rm(folder, { recursive: true })
  })
  return connection
}

test.for([
  { whose: 'ssh2 counts', take: () => undefined },
  { whose: 'Slipway grants', take: takeWindow },
])('more than a window that $whose breaks the connection off, and is not held', async ({ take }) => {
  const { client, ended } = await connectToFlood(64 * 1024 * 1024)
  const channel = await new Promise<ClientChannel>((resolve, reject) => {
    client.forwardOut('127.0.0.1', 0, 'anywhere', 80, (error, opened) => {
      if (error) return reject(error)
      take(client, opened)
      // Nobody reads it.
      opened.on('error', () => undefined)
      resolve(opened)
    })
  })
  expect(await ended).toEqual({ kind: 'link-lost', detail: 'it sent more than it may' })
  expect(channel.readableLength).toBeLessThanOrEqual(2 * window)
})

test('as much as was granted stands, however late it is read', async () => {
  const { client } = await connectToFlood(3 * window)
  const received = await new Promise<number>((resolve, reject) => {
    client.forwardOut('127.0.0.1', 0, 'anywhere', 80, (error, channel) => {
      if (error) return reject(error)
      takeWindow(client, channel)?.(2 * window)
      let bytes = 0
      channel.on('data', (piece: Buffer) => {
        bytes += piece.length
        if (bytes === 3 * window) resolve(bytes)
      })
    })
  })
  expect(received).toBe(3 * window)
})
