import { expect, test } from 'vitest'
import { accountLineOf } from '#domain/accounts/accounts.ts'
import { noAlarms } from '#domain/guards/alarms.ts'
import type { WatchedInstance } from '#domain/instances/instance.ts'

const running: WatchedInstance = {
  id: 1,
  status: 'running',
  record: { id: 1, dph_total: 0.5 },
  history: [{ status: 'running', at: 0 }],
  pending: null,
}
const state = {
  kind: 'connected',
  keyId: 'key-1',
  serviceAddress: 'https://service.example',
  userId: 1,
  keyMask: '••••1234',
  keyKeptIn: 'keychain',
  bearer: 'api-key',
  user: null,
  checkedAt: 0,
  problem: null,
} as const
const line = (instances: readonly WatchedInstance[], unreadable: number) =>
  accountLineOf(
    { id: 'a', words: { name: 'Work', color: 'teal' } },
    { state, instances, unreadable, alarms: noAlarms },
  )

test('what can’t be read may be charged: it isn’t counted as nothing', () => {
  expect(line([], 0)).toMatchObject({ perHourUsd: 0, isAtLeast: false })
  expect(line([], 1).perHourUsd).toBeNull()
  expect(line([running], 1)).toMatchObject({ perHourUsd: 0.5, isAtLeast: true })
})
