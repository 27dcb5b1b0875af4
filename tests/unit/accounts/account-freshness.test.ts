import { expect, onTestFinished, test } from 'vitest'
import type { AccountState } from '#domain/accounts/account.ts'
import type { KeychainState } from '#domain/vault/keychain-state.ts'
import { Latest } from '#domain/base/latest.ts'
import { ProblemError, type Problem } from '#domain/base/problem.ts'
import { keepAccountFresh } from '#services/accounts/account-freshness.ts'
import { InstanceWatch } from '#services/instances/watch.ts'
import { FakeClock, settle } from '../../support/fake-clock.ts'
import { memoryLog } from '../../support/memory-log.ts'
import { wholeList } from '../../support/whole-list.ts'

/** An account that was just checked, on a service that answers, or fails, as the test says. */
async function world(problem: Problem | null = null, isChecked = true) {
  const clock = new FakeClock()
  const service = { problem }
  const asked = { lists: 0, checks: 0 }
  const answer = <T>(value: T): Promise<T> =>
    service.problem === null ? Promise.resolve(value) : Promise.reject(new ProblemError(service.problem))
  const account = new Latest<Extract<AccountState, { kind: 'connected' }>>({
    kind: 'connected',
    keyId: 'a',
    serviceAddress: 'https://service.example',
    userId: 1,
    keyMask: '••••',
    keyKeptIn: 'keychain',
    bearer: 'api-key',
    user: null,
    checkedAt: isChecked ? clock.now() : null,
    problem,
  })
  const keychain = new Latest<KeychainState>({ kind: 'locked', detail: '' })
  const watch = new InstanceWatch({
    list: () => {
      asked.lists += 1
      return answer(wholeList([]))
    },
    clock,
    random: () => 0,
    log: memoryLog(),
  })
  const end = new AbortController()
  onTestFinished(() => {
    end.abort()
    watch.stop()
  })
  void keepAccountFresh({
    account,
    check: async () => {
      asked.checks += 1
      account.set({ ...account.value, problem: service.problem, checkedAt: clock.now() })
      await settle()
    },
    watch,
    remembered: () => [],
    keychain,
    signal: end.signal,
  })
  await settle()
  return { clock, service, asked, account, keychain }
}

test('an account that is taken up is checked at once, one whose key was checked just now isn’t, and both are listed', async () => {
  expect((await world(null, false)).asked).toEqual({ checks: 1, lists: 1 })
  expect((await world()).asked).toEqual({ checks: 0, lists: 1 })
})

test('credit is asked for again every five minutes, not with every list', async () => {
  const { clock, asked } = await world()
  await clock.advance(4 * 60_000)
  expect(asked.checks).toBe(0)
  await clock.advance(11 * 60_000)
  expect(asked.checks).toBe(3)
})

test('a service that answers again: the account does not stay in trouble', async () => {
  const { clock, service, asked, account } = await world({
    kind: 'unreachable',
    cause: 'refused',
    origin: 'https://service.example',
  })
  await clock.advance(60_000)
  expect(asked.checks).toBe(0)
  service.problem = null
  await clock.advance(120_000)
  expect(account.value.problem).toBeNull()
  expect(asked.checks).toBe(1)
})

test('what will not pass by itself is not asked for with every list', async () => {
  const { clock, service, asked, account } = await world()
  service.problem = null
  account.set({ ...account.value, problem: { kind: 'not-allowed', code: '', message: 'no user_read' } })
  await clock.advance(4 * 60_000)
  expect(asked.checks).toBe(0)
})

test('a keychain that is unlocked: list and account are asked for at once, whatever the pause', async () => {
  const { service, asked, account, keychain } = await world({ kind: 'keychain-locked', detail: '' })
  const before = asked.lists
  service.problem = null
  keychain.set({ kind: 'available' })
  await settle()
  expect(asked.lists).toBe(before + 1)
  await settle()
  expect(account.value.problem).toBeNull()
})

test('an answer that still says "locked" after the keychain was unlocked does not stay', async () => {
  const { service, asked, account, keychain } = await world()
  keychain.set({ kind: 'available' })
  await settle()
  service.problem = null
  account.set({ ...account.value, problem: { kind: 'keychain-locked', detail: '' } })
  await settle()
  expect(asked.checks).toBe(1)
  expect(account.value.problem).toBeNull()
})

test('another key of the account: the list is asked for at once, whatever the pause', async () => {
  const { asked, account } = await world()
  const before = asked.lists
  account.set({ ...account.value, keyMask: '••••new' })
  await settle()
  expect(asked.lists).toBe(before)
  account.set({ ...account.value, keyId: 'b' })
  await settle()
  expect(asked.lists).toBe(before + 1)
})

test.each([
  ['api-key', 'admin-session'],
  ['admin-session', 'api-key'],
] as const)('from %s to %s: the list is asked for at once, whatever the pause', async (from, to) => {
  const { asked, account } = await world()
  account.set({ ...account.value, bearer: from })
  await settle()
  const before = asked.lists
  account.set({ ...account.value, bearer: to })
  await settle()
  expect(asked.lists).toBe(before + 1)
})
