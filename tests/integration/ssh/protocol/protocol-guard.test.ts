import { once } from 'node:events'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Client, type ClientChannel, type Connection } from 'ssh2'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { SshReason } from '#domain/ssh/ssh-detail.ts'
import { takeWindow } from '#services/ssh/protocol/channel-window.ts'
import { ConnectFailed } from '#services/ssh/connection/connect-failure.ts'
import {
  leastPacketBytes,
  mostLineBytes,
  mostUnreadAnswers,
  mostWindowBytes,
} from '#services/ssh/protocol/limits.ts'
import { guardProtocol } from '#services/ssh/protocol/protocol-guard.ts'
import { systemClock } from '../../../../src-main/app/system-clock.ts'
import {
  confirmWith,
  flood,
  innerOf,
  message,
  packet,
  sendRaw,
  sshString,
  uint32,
} from '../../../support/raw-ssh.ts'
import { waitFor } from '../../../support/wait-for.ts'
import { startOddServer, windowOf } from '../odd-server.ts'
import { connectToOdd } from './hostile-host.ts'

const window = 2 * 1024 * 1024
const cutOff = (...reasons: readonly SshReason[]) => ({
  kind: 'protocol-broken',
  detail: expect.toBeOneOf([...reasons]) as SshReason,
})
const tooMany = cutOff({ code: 'too-many-messages' })

function channelTo(client: Client): Promise<ClientChannel> {
  return new Promise((resolve, reject) => {
    client.forwardOut('127.0.0.1', 0, 'anywhere', 80, (error, opened) => {
      if (error) return reject(error)
      opened.on('error', () => undefined)
      resolve(opened)
    })
  })
}

/** Sends so many bytes into each channel, in odd packets, whatever its window is. */
const floodChannels = (bytes: number) => (connection: Connection) => {
  connection.on('tcpip', (accept) => {
    const channel = accept()
    Object.assign(windowOf(channel), { window: 2 ** 31, packetSize: 30_000 })
    channel.on('error', () => undefined)
    channel.write(Buffer.alloc(bytes))
  })
}

const echo = (connection: Connection): void =>
  void connection.on('tcpip', (accept) => {
    const channel = accept()
    channel.on('error', () => undefined)
    channel.pipe(channel)
  })

async function echoed(channel: ClientChannel, bytes: number): Promise<void> {
  let received = 0
  channel.on('data', (piece: Buffer) => (received += piece.length))
  channel.write(Buffer.alloc(bytes))
  await waitFor(() => expect(received).toBe(bytes))
}

test('the inside of ssh2 is as the guard needs it: else look at it again', async () => {
  const { address } = await startOddServer({})
  const client = new Client()
  onTestFinished(() => void client.destroy())
  const line = connect(address)
  client.connect({ sock: line, username: 'anybody', hostVerifier: () => true })
  const { isWhole } = guardProtocol(client, { line, clock: systemClock, onBreach: () => undefined })
  expect(isWhole).toBe(true)
  await once(client, 'ready')
})

describe('windows', () => {
  test.for([
    { whose: 'ssh2 counts', take: () => undefined },
    { whose: 'Slipway grants', take: takeWindow },
  ])('more than a window that $whose ends the connection, and is not held', async ({ take }) => {
    const { client, ended } = await connectToOdd({ onConnection: floodChannels(64 * 1024 * 1024) })
    const channel = await channelTo(client)
    // Nobody reads it.
    take(client, channel)
    expect(await ended).toEqual(cutOff({ code: 'too-much-data' }))
    expect(channel.readableLength).toBeLessThanOrEqual(2 * window)
  })

  test('as much as was granted stands, however late it is read', async () => {
    const { client } = await connectToOdd({ onConnection: floodChannels(3 * window) })
    const channel = await channelTo(client)
    takeWindow(client, channel)?.(2 * window)
    let bytes = 0
    channel.on('data', (piece: Buffer) => (bytes += piece.length))
    await waitFor(() => expect(bytes).toBe(3 * window))
  })

  test('a window of more than 4 GiB ends the connection, one of 4 GiB does not', async () => {
    const { client, ended, server } = await connectToOdd({
      onConnection: (connection) => {
        confirmWith(connection, { window: mostWindowBytes })
        echo(connection)
      },
    })
    await echoed(await channelTo(client), 100_000)
    sendRaw(server, packet(message.windowAdjust, uint32(0), uint32(mostWindowBytes)))
    expect(await ended).toEqual(cutOff({ code: 'too-much-allowed' }))
  })
})

test('of an upload to a host that allows 4 GiB and stops reading, a few MiB wait', async () => {
  const received: number[] = []
  const { client, server } = await connectToOdd({
    onConnection: (connection) => {
      confirmWith(connection, { window: mostWindowBytes })
      connection.on(
        'tcpip',
        (accept) => void accept().on('data', (piece: Buffer) => received.push(piece.length)),
      )
    },
  })
  const channel = await channelTo(client)
  const { _sock: socket } = innerOf(server)
  socket.pause()
  const pieces = 1_024
  let written = 0
  Readable.from(
    (function* () {
      for (; written < pieces; written += 1) yield Buffer.alloc(64 * 1024)
    })(),
  ).pipe(channel)
  await waitFor(() => expect(channel.writableLength).toBeGreaterThan(0))
  for (let turn = 0; turn < 2_000; turn += 1) await nextTurn()
  // The rest of them waits in the kernel's buffers.
  expect(written * 64 * 1024).toBeLessThan(6 * mostLineBytes)
  socket.resume()
  await waitFor(() => expect(received.reduce((sum, bytes) => sum + bytes, 0)).toBe(pieces * 64 * 1024))
})

describe('packet sizes', () => {
  test.for([0, 1, leastPacketBytes - 1])('of %i bytes end the connection', async (packetSize) => {
    const { client, ended } = await connectToOdd({
      onConnection: (connection) => {
        confirmWith(connection, { packetSize })
        echo(connection)
      },
    })
    await expect(channelTo(client)).rejects.toThrow()
    expect(await ended).toEqual(cutOff({ code: 'small-packets', bytes: packetSize }))
  })

  test.for([leastPacketBytes, 2 ** 32 - 1])('of %i bytes work', async (packetSize) => {
    const { client } = await connectToOdd({
      onConnection: (connection) => {
        confirmWith(connection, { packetSize })
        echo(connection)
      },
    })
    await echoed(await channelTo(client), 300_000)
  })

  test.for(['forwarded-tcpip', 'auth-agent@openssh.com'])(
    'of nothing in a channel of the host’s own (%s) end the connection',
    async (type) => {
      const { server, ended } = await connectToOdd({})
      sendRaw(server, packet(message.channelOpen, sshString(type), ...[7, 100_000, 0].map(uint32), where))
      expect(await ended).toEqual(cutOff({ code: 'small-packets', bytes: 0 }))
    },
  )
})

/** As many as fit into a message. */
const manyKeys = Array.from({ length: 400 }, () =>
  sshString(Buffer.concat([sshString('ssh-ed25519'), sshString(Buffer.alloc(32, 7))])),
)

const where = Buffer.concat([sshString('127.0.0.1'), uint32(80), sshString('127.0.0.1'), uint32(1)])

describe('a flood', () => {
  // Of every kind of message: tests/unit/ssh/protocol/protocol-guard.test.ts.
  const floods: readonly (readonly [string, Buffer])[] = [
    ['SSH_MSG_IGNORE', packet(message.ignore, sshString('x'))],
    ['data of nothing', packet(message.channelData, uint32(0), sshString(''))],
    [
      'keys to be proved',
      packet(message.globalRequest, sshString('hostkeys-00@openssh.com'), false, ...manyKeys),
    ],
  ]
  test.for(floods)('of %s ends the connection', async ([, payload]) => {
    const { client, ended, server } = await connectToOdd({ onConnection: echo })
    await channelTo(client)
    flood(server, payload)
    expect(await ended).toEqual(tooMany)
  })

  const questions: readonly (readonly [string, Buffer])[] = [
    ['requests', packet(message.globalRequest, sshString('a@b'), true)],
    ['channels', packet(message.channelOpen, sshString('strange'), ...[7, 100_000, 32_768].map(uint32))],
  ]
  test.for(questions)(
    'of %s from a host that reads no answer ends the connection, and little is held of it',
    async ([, payload]) => {
      const { client, ended, server } = await connectToOdd({})
      const line: unknown = Reflect.get(client, '_sock')
      innerOf(server)._sock.pause()
      flood(server, payload)
      expect(await ended).toEqual(cutOff({ code: 'too-many-messages' }, { code: 'answers-unread' }))
      // What waits to be sent when the line is closed.
      expect(Reflect.get(Object(line), 'writableLength')).toBeLessThan(mostUnreadAnswers * 600)
    },
  )

  test('of messages that cannot be read does not even begin', async () => {
    const { ended, server } = await connectToOdd({})
    sendRaw(server, packet(message.channelOpen, sshString('forwarded-tcpip'), uint32(1)))
    expect(await ended).toEqual(cutOff({ code: 'unreadable-message' }, { code: 'odd-channel' }))
  })
})

test('a host that was cut off is not connected to again by itself, but by its user', async () => {
  const { server, ended, accepted, connections, signal } = await connectToOdd({})
  sendRaw(server, packet(message.channelOpen, sshString('x'), ...[7, 100_000, 0].map(uint32)))
  const problem = await ended
  const regained = connections.regain(1, signal)
  await expect(regained).rejects.toBeInstanceOf(ConnectFailed)
  await expect(regained).rejects.toMatchObject({ failure: { kind: 'failed', problem } })
  expect(connections.state(1).value).toMatchObject({ kind: 'failed', problem })
  expect(accepted).toHaveLength(1)
  const again = await connections.acquire(1, signal)
  again.release()
  expect(accepted).toHaveLength(2)
})

describe('an honest host', () => {
  test('may ask 2,000 times in one breath', async () => {
    const { server, client } = await connectToOdd({ onConnection: echo })
    for (let count = 0; count < 2_000; count += 1)
      sendRaw(server, packet(message.globalRequest, sshString('keepalive@openssh.com'), true))
    await echoed(await channelTo(client), 1_000)
  })

  test('that does not read for a while may be sent a megabyte, and ask for signs of life meanwhile', async () => {
    const { server, client } = await connectToOdd({ onConnection: echo })
    const channel = await channelTo(client)
    innerOf(server)._sock.pause()
    let received = 0
    channel.on('data', (piece: Buffer) => (received += piece.length))
    channel.write(Buffer.alloc(2 ** 20))
    for (let count = 0; count < 500; count += 1)
      sendRaw(server, packet(message.globalRequest, sshString('keepalive@openssh.com'), true))
    await new Promise((resolve) => setImmediate(resolve))
    innerOf(server)._sock.resume()
    await waitFor(() => expect(received).toBe(2 ** 20))
  })

  test('may give back what it was sent in bits of four bytes', async () => {
    let received = 0
    const { client } = await connectToOdd({
      onConnection: (connection) =>
        void connection.on('tcpip', (accept) => {
          accept().on('data', (piece: Buffer) => {
            received += piece.length
            sendRaw(connection, packet(message.windowAdjust, uint32(0), uint32(4)))
          })
        }),
    })
    const channel = await channelTo(client)
    const pieces = 20_000
    for (let count = 0; count < pieces; count += 1) channel.write(Buffer.alloc(100))
    await waitFor(() => expect(received).toBe(pieces * 100))
  })

  test('may pass 300 connections to a remote forward on at once', async () => {
    const { server, client } = await connectToOdd({
      onConnection: (connection) => {
        connection.on('request', (accept) => accept?.(8080))
      },
    })
    client.on('tcp connection', (_, accept) => {
      const channel = accept()
      channel.pipe(channel)
    })
    await new Promise<void>((resolve, reject) => {
      client.forwardIn('localhost', 8080, (error) => (error ? reject(error) : resolve()))
    })
    const all = Array.from(
      { length: 300 },
      (_, port) =>
        new Promise<void>((resolve, reject) => {
          server.forwardOut('localhost', 8080, '127.0.0.1', port + 1, (error, channel) => {
            if (error) return reject(error)
            channel.on('data', () => resolve())
            channel.write('x')
          })
        }),
    )
    await Promise.all(all)
  })
})
