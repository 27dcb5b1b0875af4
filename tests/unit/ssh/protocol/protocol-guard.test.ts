import { Writable } from 'node:stream'
import type { Client } from 'ssh2'
import { describe, expect, test } from 'vitest'
import type { SshReason } from '#domain/ssh/ssh-detail.ts'
import { messageCosts, mostUnreadAnswers, unaskedMessages } from '#services/ssh/protocol/limits.ts'
import { guardProtocol } from '#services/ssh/protocol/protocol-guard.ts'
import { FakeClock } from '../../../support/fake-clock.ts'

const names = [
  ...['CHANNEL_DATA', 'CHANNEL_EXTENDED_DATA', 'CHANNEL_OPEN', 'CHANNEL_OPEN_CONFIRMATION'],
  ...['CHANNEL_OPEN_FAILURE', 'CHANNEL_WINDOW_ADJUST', 'CHANNEL_EOF', 'CHANNEL_CLOSE', 'CHANNEL_REQUEST'],
  ...['CHANNEL_SUCCESS', 'CHANNEL_FAILURE', 'REQUEST_SUCCESS', 'REQUEST_FAILURE', 'GLOBAL_REQUEST'],
]
const answers = ['requestSuccess', 'requestFailure', 'channelSuccess', 'channelFailure'] as const

/** What the guard needs of ssh2, with one open channel 0; a message is told by its handler's name, or its bytes. */
function guarded(line: Writable = new Writable({ write: (_piece, _encoding, done) => done() })) {
  const clock = new FakeClock()
  const heard: string[] = []
  const breaches: SshReason[] = []
  let next: readonly [name: string, ...told: unknown[]] | null = null
  const handlers: Record<string, (...told: unknown[]) => void> = Object.fromEntries(
    names.map((name) => [name, () => void heard.push(name)]),
  )
  const protocol = {
    _handlers: handlers,
    _onPayload: (_payload: Buffer): unknown => {
      if (next !== null) handlers[next[0]]?.(protocol, ...next.slice(1))
      return undefined
    },
    channelData: (_id: number, _data: Buffer): void => undefined,
    ...Object.fromEntries(
      [...answers, 'channelOpenConfirm', 'channelOpenFail'].map((name) => [name, () => undefined]),
    ),
  }
  const channel = {
    incoming: { window: 1_000_000, state: 'open' },
    outgoing: { window: 1_000_000, state: 'open' },
    _callbacks: [] as unknown[],
    _exit: { code: undefined as number | undefined },
  }
  const callbacks: unknown[] = []
  const channels: Record<string, unknown> = { 0: channel, 1: () => undefined }
  const client = {
    _protocol: protocol,
    _chanMgr: { _channels: channels, update: () => undefined },
    _callbacks: callbacks,
  }
  const { isWhole, countIdle } = guardProtocol(client as unknown as Client, {
    line,
    clock,
    onBreach: (detail) => breaches.push(detail),
  })
  expect(isWhole).toBe(true)
  const send = (payload: Buffer, ...message: readonly unknown[]): unknown => {
    next = message.length === 0 ? null : (message as [string, ...unknown[]])
    return protocol._onPayload(payload)
  }
  return { clock, heard, breaches, send, countIdle, channel, callbacks, protocol }
}

const small = Buffer.from([99])
const { atOnce, perSecond } = unaskedMessages

describe('messages that nobody waits for', () => {
  const unasked: readonly (readonly [string, ...unknown[]])[] = [
    ['CHANNEL_DATA', 7, Buffer.from('x')],
    ['CHANNEL_DATA', 0, Buffer.alloc(0)],
    ['CHANNEL_DATA', 2 ** 32 - 1, Buffer.from('x')],
    ['CHANNEL_EXTENDED_DATA', 0, Buffer.from('x'), 2],
    ['CHANNEL_WINDOW_ADJUST', 0, 0],
    ['CHANNEL_WINDOW_ADJUST', 7, 100_000],
    ['CHANNEL_OPEN_CONFIRMATION', { recipient: 0, packetSize: 32_768 }],
    ['CHANNEL_OPEN_FAILURE', 7],
    ['CHANNEL_EOF', 7],
    ['CHANNEL_CLOSE', 7],
    ['CHANNEL_SUCCESS', 0],
    ['CHANNEL_FAILURE', 0],
    ['CHANNEL_REQUEST', 0, 'keepalive@openssh.com', true],
    ['CHANNEL_REQUEST', 7, 'exit-status', false, 0],
    ['REQUEST_SUCCESS', null],
    ['REQUEST_FAILURE'],
    ['GLOBAL_REQUEST', 'a@b', false, null],
  ]
  test.for(unasked)('%s: a thousand pass, a flood does not', ([...told]) => {
    const { send, breaches } = guarded()
    for (let count = 0; count < 1_000; count += 1) send(small, ...told)
    expect(breaches).toEqual([])
    for (let count = 0; count < atOnce; count += 1) send(small, ...told)
    expect(breaches).toEqual([{ code: 'too-many-messages' }])
  })

  test('a small grant is none of them for as long as packets were sent for it', () => {
    const { send, breaches, protocol } = guarded()
    for (let count = 0; count < 2 * atOnce; count += 1) {
      protocol.channelData(0, Buffer.alloc(32_000))
      send(small, 'CHANNEL_WINDOW_ADJUST', 0, 4)
      send(small, 'CHANNEL_WINDOW_ADJUST', 0, 996)
    }
    expect(breaches).toEqual([])
    for (let count = 0; count < 2 * atOnce; count += 1) send(small, 'CHANNEL_WINDOW_ADJUST', 0, 4)
    expect(breaches).toHaveLength(1)
  })

  const expected: readonly (readonly [string, ...unknown[]])[] = [
    ['CHANNEL_DATA', 0, Buffer.from('x')],
    ['CHANNEL_EXTENDED_DATA', 0, Buffer.from('x'), 1],
    ['CHANNEL_WINDOW_ADJUST', 0, 1024],
    ['CHANNEL_OPEN_CONFIRMATION', { recipient: 1, packetSize: 32_768 }],
    ['CHANNEL_OPEN_FAILURE', 1],
    ['CHANNEL_OPEN', { type: 'forwarded-tcpip', packetSize: 32_768 }],
    ['CHANNEL_CLOSE', 0],
  ]
  test.for(expected)('%s, where it belongs, is none of them', ([name, ...told]) => {
    const { send, breaches, heard } = guarded()
    for (let count = 0; count < 2 * atOnce; count += 1) send(small, name, ...told)
    expect(breaches).toEqual([])
    expect(heard).toHaveLength(2 * atOnce)
  })

  test('long ones count more, and so do changes of keys and messages about a login', () => {
    const most = (payload: Buffer): number => {
      const { send, breaches } = guarded()
      let count = 0
      for (; breaches.length === 0 && count <= atOnce; count += 1) send(payload)
      return count
    }
    expect(most(Buffer.alloc(256 * 1024, 2))).toBeLessThan(100)
    expect(most(Buffer.from([20]))).toBeLessThanOrEqual(atOnce / messageCosts.keyExchange)
    expect(most(Buffer.from([60]))).toBeLessThanOrEqual(atOnce / messageCosts.login)
  })

  test('those passed over while keys are changed count as well', () => {
    const { countIdle, breaches } = guarded()
    for (let count = 0; count <= atOnce; count += 1) countIdle(small)
    expect(breaches).toHaveLength(1)
  })

  test('as many as are allowed in a second may come for ever', async () => {
    const { send, breaches, clock } = guarded()
    for (let second = 0; second < 60; second += 1) {
      for (let count = 0; count < 0.9 * perSecond; count += 1) send(small)
      await clock.advance(1000)
    }
    expect(breaches).toEqual([])
  })
})

test('after a breach nothing more is heard', () => {
  const { send, heard, breaches } = guarded()
  send(small, 'CHANNEL_OPEN', { type: 'x', packetSize: 0 })
  expect(send(small, 'CHANNEL_DATA', 0, Buffer.from('x'))).toBe(Number.POSITIVE_INFINITY)
  send(small, 'CHANNEL_OPEN', { type: 'x', packetSize: 0 })
  expect(heard).toEqual([])
  expect(breaches).toHaveLength(1)
})

test('an exit is told once', () => {
  const { send, channel, heard } = guarded()
  send(small, 'CHANNEL_REQUEST', 0, 'exit-status', false, 3)
  channel._exit.code = 3
  send(small, 'CHANNEL_REQUEST', 0, 'exit-status', false, 4)
  expect(heard).toHaveLength(2)
})

test('data after the end of a channel is not heard', () => {
  const { send, channel, heard } = guarded()
  channel.incoming.state = 'eof'
  send(small, 'CHANNEL_DATA', 0, Buffer.from('x'))
  expect(heard).toEqual([])
})

test('answers count as long as they wait, and no longer', async () => {
  let isRead = true
  let readOn: () => void = () => undefined
  const line = new Writable({
    highWaterMark: 10 ** 9,
    write: (_piece, _encoding, done) => {
      if (isRead) done()
      else readOn = done
    },
  })
  const { protocol, breaches } = guarded(line)
  const answer = (count: number): void => {
    for (let sent = 0; sent < count; sent += 1) {
      line.write('answer')
      const send: unknown = Reflect.get(protocol, 'requestFailure')
      if (typeof send === 'function') Reflect.apply(send, protocol, [])
    }
  }
  for (let round = 0; round < 3; round += 1) {
    answer(mostUnreadAnswers)
    await new Promise((resolve) => setImmediate(resolve))
  }
  isRead = false
  answer(mostUnreadAnswers)
  expect(breaches).toEqual([])
  answer(1)
  expect(breaches).toEqual([{ code: 'answers-unread' }])
  readOn()
})
