import { expect, test } from 'vitest'
import { accountLineOf } from '#domain/accounts/accounts.ts'
import { noAlarms } from '#domain/guards/alarms.ts'
import { burnText } from '#shared/accounts/account-text.ts'
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

test('what can’t be read may be charged, or counted already: the sum is about that', () => {
  expect(burnText(line([], 0))).toBe('$0.00/h')
  expect(burnText(line([], 1))).toBe('–/h')
  expect(burnText(line([running], 1))).toBe('about $0.50/h')
})

test('one without a price is charged more, never less', () => {
  expect(burnText(line([running, { ...running, id: 2, record: { id: 2 } }], 0))).toBe('at least $0.50/h')
})
