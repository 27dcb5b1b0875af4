import { expect, test } from 'vitest'
import { z } from 'zod'
import type { AccountState } from '#domain/accounts/account.ts'
import { Latest } from '#domain/base/latest.ts'
import { ProblemError, type Problem } from '#domain/base/problem.ts'
import { createBearer } from '#services/accounts/bearer.ts'
import type { Http, HttpRequest } from '#services/rental-api/http.ts'
import { problemOf } from '../../support/problem-of.ts'

// As the app sends it: a list that fails is asked for at the next poll.
const read = { method: 'GET', path: '/api/v0/instances/', reply: z.unknown(), repeatable: false } as const
const write = {
  method: 'DELETE',
  path: '/api/v0/instances/1/',
  reply: z.unknown(),
  repeatable: false,
} as const

/** An account of user 1 at a service that is asked by its key and by the session of user `sessionUser`. */
function world({
  userId,
  sessionUser = 1,
}: { readonly userId?: number | string; readonly sessionUser?: number } = {}) {
  const sent: string[] = []
  const service: { refusal: Problem | null; readsUser: boolean; gate: Promise<unknown> } = {
    refusal: null,
    readsUser: false,
    gate: Promise.resolve(),
  }
  const httpBy = (name: string, user: number, refusal: () => Problem | null): Http => ({
    send: async <T>({ method, path, reply }: HttpRequest<T>): Promise<T> => {
      sent.push(`${name} ${method} ${path.split('/')[3] ?? ''}`)
      await service.gate
      const problem = path.startsWith('/api/v0/users/') && service.readsUser ? null : refusal()
      if (problem !== null) throw new ProblemError(problem)
      return reply.parse({ id: user })
    },
  })
  const state = new Latest<AccountState>({
    kind: 'connected',
    keyId: 'key-1',
    serviceAddress: 'https://service.example',
    userId: userId ?? 1,
    keyMask: '••••',
    keyKeptIn: 'keychain',
    bearer: 'api-key',
    user: null,
    checkedAt: null,
    problem: null,
  })
  const bearer = createBearer({
    keyHttp: httpBy('key', 1, () => null),
    httpOfSession: (key) => httpBy(key, sessionUser, () => service.refusal),
    state,
  })
  const dropped: string[] = []
  const session = { key: 'session', drop: () => void dropped.push('session') }
  const shown = () => (state.value.kind === 'connected' ? state.value.bearer : null)
  return { bearer, session, sent, service, dropped, shown }
}

const overBy: readonly Problem[] = [
  { kind: 'key-refused', message: 'its session is over' },
  { kind: 'tfa-refused', code: 'auth_error', message: '', failCount: null, lockedUntilSeconds: null },
]

test('requests go by the API key, by the session once it is chosen, and by the key again', async () => {
  const { bearer, session, sent, shown } = world()
  await bearer.http.send(read)
  await bearer.useSession(session)
  expect(shown()).toBe('admin-session')
  await bearer.http.send(read)
  await bearer.http.send(write)
  bearer.useApiKey()
  expect(shown()).toBe('api-key')
  await bearer.http.send(write)
  expect(sent).toEqual([
    'key GET instances',
    'session GET users',
    'session GET instances',
    'session DELETE instances',
    'key DELETE instances',
  ])
})

test.each(overBy)('what only reads is read by the key when the session is over ($kind)', async (refusal) => {
  const { bearer, session, sent, service, dropped, shown } = world()
  await bearer.useSession(session)
  service.refusal = refusal
  expect(await bearer.http.send(read)).toEqual({ id: 1 })
  expect(shown()).toBe('api-key')
  expect(dropped).toEqual(['session'])
  expect(sent.slice(1)).toEqual(['session GET instances', 'key GET instances'])
})

test.each(overBy)(
  'what does more is not sent again by itself ($kind), and the next one goes by the key',
  async (refusal) => {
    const { bearer, session, sent, service, shown } = world()
    await bearer.useSession(session)
    service.refusal = refusal
    expect(await problemOf(bearer.http.send(write))).toEqual({ kind: 'session-ended', otherUserId: null })
    expect(shown()).toBe('api-key')
    expect(sent.slice(1)).toEqual(['session DELETE instances'])
    await bearer.http.send(write)
    expect(sent.at(-1)).toBe('key DELETE instances')
  },
)

test('a 403 is the end of a session that doesn’t read its user anymore', async () => {
  const { bearer, session, sent, service, dropped, shown } = world()
  await bearer.useSession(session)
  service.refusal = { kind: 'not-allowed', code: 'forbidden', message: '' }
  expect((await problemOf(bearer.http.send(write))).kind).toBe('session-ended')
  expect([shown(), dropped]).toEqual(['api-key', ['session']])
  expect(sent.slice(1)).toEqual(['session DELETE instances', 'session GET users'])
})

test('another refusal is no end of the session', async () => {
  const { bearer, session, service, dropped, shown } = world()
  await bearer.useSession(session)
  service.refusal = { kind: 'not-allowed', code: 'forbidden', message: '' }
  service.readsUser = true
  expect(await problemOf(bearer.http.send(write))).toEqual(service.refusal)
  expect([shown(), dropped]).toEqual(['admin-session', []])
})

test('the session of another user is refused and dropped before anything else goes by it', async () => {
  const { bearer, session, sent, dropped, shown } = world({ sessionUser: 2 })
  expect(await problemOf(bearer.useSession(session))).toEqual({ kind: 'session-ended', otherUserId: 2 })
  expect([shown(), dropped, sent]).toEqual(['api-key', ['session'], ['session GET users']])
})

test('where the account is known by its key only, the key says first whose it is', async () => {
  const { bearer, session, sent, shown } = world({ userId: 'key-0123' })
  await bearer.useSession(session)
  expect([shown(), sent]).toEqual(['admin-session', ['key GET users', 'session GET users']])
})

test('a session that is over cannot be chosen', async () => {
  const { bearer, session, service, dropped, shown } = world()
  service.refusal = overBy[0] ?? null
  expect(await problemOf(bearer.useSession(session))).toEqual({ kind: 'session-ended', otherUserId: null })
  expect([shown(), dropped]).toEqual(['api-key', ['session']])
})

test('the key that is chosen while a session is being checked stays chosen', async () => {
  const { bearer, session, service, shown, dropped } = world()
  const checked = Promise.withResolvers<undefined>()
  service.gate = checked.promise
  const choosing = bearer.useSession(session)
  bearer.useApiKey()
  checked.resolve(undefined)
  await choosing
  expect([shown(), dropped]).toEqual(['api-key', []])
})
