import { expect, test } from 'vitest'
import { keyStatusOf, permissionFrom, type KeyPermissions } from '#domain/accounts/key-permissions.ts'

const allowed = { kind: 'allowed' } as const
const permissions = (answers: Partial<KeyPermissions['answers']>): KeyPermissions => ({
  at: 0,
  keyMask: '••••1234',
  answers: { user_read: allowed, instance_read: allowed, instance_write: allowed, misc: allowed, ...answers },
})
const account = { userId: 1, user: null, checkedAt: 1, problem: null }

test.each([
  [null, 'allowed'],
  // The key was let through to what is wrong with the request.
  [{ kind: 'refused', status: 404, code: 'no_such_instance', message: '' }, 'allowed'],
  [{ kind: 'bad-reply', status: 200, path: '', detail: '' }, 'allowed'],
  [{ kind: 'bad-reply', status: 302, path: '', detail: '' }, 'unknown'],
  [{ kind: 'not-allowed', code: '', message: 'no' }, 'not-allowed'],
  [{ kind: 'key-refused', message: 'no' }, 'key-refused'],
  [{ kind: 'unreachable', cause: 'reset', origin: '' }, 'unknown'],
  [{ kind: 'service-failed', status: 500, message: '' }, 'unknown'],
  [{ kind: 'rate-limited', retryAfterSeconds: null, message: '' }, 'unknown'],
] as const)('%j tells of the permission: %s', (problem, kind) => {
  expect(permissionFrom(problem).kind).toBe(kind)
})

test('a key that is refused was revoked, and its permissions do not matter', () => {
  const problem = { kind: 'key-refused', message: 'wrong' } as const
  expect(keyStatusOf({ ...account, problem }, permissions({}))).toEqual({
    kind: 'revoked',
    message: 'wrong',
  })
  const refused = permissions({ misc: { kind: 'key-refused', message: 'wrong' } })
  expect(keyStatusOf(account, refused).kind).toBe('revoked')
})

test('a key that may not do all is limited, and which it was is named', () => {
  const no = { kind: 'not-allowed', message: '' } as const
  const health = keyStatusOf(account, permissions({ misc: no, instance_write: no }))
  expect(health).toEqual({ kind: 'limited', refused: ['instance_write', 'misc'] })
  expect(keyStatusOf({ ...account, problem: { ...no, code: '' } }, null).kind).toBe('may-not-read-account')
})

test('nothing is said of a key before an answer, or when the answer is about something else', () => {
  expect(keyStatusOf({ ...account, checkedAt: null }, null).kind).toBe('not-known')
  const problem = { kind: 'unreachable', cause: 'reset', origin: '' } as const
  expect(keyStatusOf({ ...account, problem }, null).kind).toBe('cannot-tell')
  expect(keyStatusOf(account, permissions({ misc: { kind: 'unknown' } })).kind).toBe('works')
  expect(keyStatusOf(account, permissions({ instance_write: { kind: 'not-asked' } })).kind).toBe('works')
})

test('a key that has never read its account works without, until it was asked for', () => {
  const unread = { ...account, userId: 'key-1' }
  expect(keyStatusOf({ ...unread, checkedAt: null }, null).kind).toBe('not-known')
  expect(keyStatusOf(unread, null)).toEqual({ kind: 'unread', refused: [] })
  const no = { kind: 'not-allowed', message: '' } as const
  expect(keyStatusOf(unread, permissions({ user_read: no }))).toEqual({
    kind: 'unread',
    refused: ['user_read'],
  })
  expect(keyStatusOf({ ...unread, user: { id: 1 } }, null).kind).toBe('works')
})
