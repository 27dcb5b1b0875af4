import { expect, test } from 'vitest'
import { openCallsPort } from '../../../src-main/ipc/calls-port.ts'
import type { MessagePortLike } from '../../../src-main/ipc/message-port.ts'
import { memoryLog } from '../../support/memory-log.ts'

function setUp() {
  const log = memoryLog()
  const heard: unknown[] = []
  let isClosed = false
  let tell: (event: { readonly data: unknown }) => void = () => undefined
  const port: MessagePortLike = {
    postMessage: () => undefined,
    on: (event: string, listener: typeof tell) => {
      if (event === 'message') tell = listener
    },
    start: () => undefined,
    close: () => (isClosed = true),
  }
  openCallsPort(port, log).on('message', ({ data }) => heard.push(data))
  return { log, heard, isClosed: () => isClosed, send: (data: unknown) => tell({ data }) }
}

test.each([
  { i: '1', p: { u: '/account/check' } },
  { i: '2', p: { u: '/instances/stop', b: { json: { id: 7 } } } },
  { i: '3', p: { u: '/security/updateMethod', b: { json: { label: null }, meta: [[3, 'label']] } } },
  { i: '4', t: 4 },
])('a call passes: %o', (call) => {
  const { heard, isClosed, send } = setUp()
  send(JSON.stringify(call))
  expect([heard, isClosed()]).toEqual([[call], false])
})

test.each([
  ['a number, which oRPC would take for a size', 4_000_000_000],
  ['bytes', new Uint8Array(3)],
  ['an object', { i: '1', p: { u: '/account/check' } }],
  ['no JSON', '{'],
  ['an address elsewhere', JSON.stringify({ i: '1', p: { u: 'https://example.com/' } })],
  [
    'headers',
    JSON.stringify({ i: '1', p: { u: '/account/check', h: { 'content-type': 'multipart/form-data' } } }),
  ],
  ['a part of a stream', JSON.stringify({ i: '1', t: 3, p: { e: 'message' } })],
])('security: with anything else the port is closed, and nothing comes over it any more: %s', (_, data) => {
  const { heard, isClosed, log, send } = setUp()
  send(data)
  send(JSON.stringify({ i: '1', p: { u: '/account/check' } }))
  expect([heard, isClosed(), log.lines.length]).toEqual([[], true, 1])
})
