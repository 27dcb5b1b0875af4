import { expect, test } from 'vitest'
import type { ConnectionsList } from '#domain/ssh/ssh-connection.ts'
import { lastKnownAt } from '../../../../src-renderer/shared/ssh/last-known-address.ts'

const address = { host: 'ssh4.example.com', port: 31_022 }
const connection: ConnectionsList[number] = {
  instanceId: 7,
  state: { kind: 'connecting', address },
  addressAsOf: 1_000,
}
const away = { fetchedAt: 1_000, problem: { kind: 'unreachable', cause: 'refused', origin: '' } } as const

test('an address that the service was not asked for is said to be old, from the moment that it is tried', () => {
  expect(lastKnownAt(connection, away)).toBe(1_000)
  expect(lastKnownAt(connection, null)).toBe(1_000)
  expect(lastKnownAt({ ...connection, state: { kind: 'connecting', address: null } }, away)).toBeNull()
  expect(lastKnownAt({ ...connection, state: { kind: 'idle' } }, away)).toBeNull()
  expect(lastKnownAt({ instanceId: 7, state: connection.state }, away)).toBeNull()
  expect(lastKnownAt(undefined, away)).toBeNull()
})

test('it is said no more once the service has answered, which the list itself does not count for', () => {
  expect(lastKnownAt(connection, { fetchedAt: 1_000, problem: null })).toBe(1_000)
  expect(lastKnownAt(connection, { fetchedAt: 2_000, problem: null })).toBeNull()
  expect(lastKnownAt(connection, { ...away, fetchedAt: 2_000 })).toBe(1_000)
})
