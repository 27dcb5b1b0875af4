import { expect, test } from 'vitest'
import type { ConnectionState } from '#domain/ssh/ssh-connection.ts'
import { terminalWaiting } from '#domain/terminals/terminal-state.ts'

const address = { host: '198.51.100.7', port: 40_022 }
const loss = { problem: { kind: 'link-lost', detail: 'reset' }, address } as const
const asked: ConnectionState = {
  ...{ kind: 'unknown-host', address },
  offered: { algorithm: 'ssh-ed25519', fingerprint: 'SHA256:abc' },
}
const waiting = { kind: 'waiting', problem: { kind: 'refused' }, address, retryAt: 5, nextTry: 2 } as const

test('a first connection is shown on its way, a lost one with why it was lost', () => {
  const connecting = { kind: 'connecting', address } as const
  expect(terminalWaiting(connecting, null)).toEqual(connecting)
  expect(terminalWaiting(connecting, loss)).toEqual({ kind: 'reconnecting', ...loss, retryAt: null })
})

test('a pause before a retry is shown with its end and the last failure', () => {
  expect(terminalWaiting(waiting, loss)).toEqual({
    ...{ kind: 'reconnecting', problem: { kind: 'refused' }, address, retryAt: 5 },
  })
})

test('a host that is not known is asked about whether or not the connection was lost', () => {
  expect(terminalWaiting(asked, null)).toBe(asked)
  expect(terminalWaiting(asked, loss)).toBe(asked)
})

test('how it ends is told by who waits for it', () => {
  const ends: readonly ConnectionState[] = [
    { kind: 'idle' },
    { kind: 'open', address, user: 'root', latencyMs: null, silentSince: null },
    { kind: 'failed', problem: { kind: 'refused' }, address },
  ]
  for (const end of ends) expect(terminalWaiting(end, loss)).toBeNull()
})
