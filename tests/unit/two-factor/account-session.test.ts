import { expect, test } from 'vitest'
import { Latest } from '#domain/base/latest.ts'
import { ProblemError } from '#domain/base/problem.ts'
import { AccountSession } from '#services/two-factor/account-session.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { memoryLog } from '../../support/memory-log.ts'

/** A session whose store answers when the test says so. */
async function setUp() {
  const keeping = Promise.withResolvers<{ readonly keptIn: 'memory' }>()
  const forgetting = Promise.withResolvers<undefined>()
  const session = new AccountSession({
    sessions: {
      read: (keyId) =>
        Promise.resolve(
          keyId === 'one' ? { key: 'session-key-1', isAdmin: false, since: 1, keptIn: 'keychain' } : null,
        ),
      keep: () => keeping.promise,
      forget: () => forgetting.promise,
      left: new Latest<readonly string[]>([]),
    },
    clock: new FakeClock(),
    log: memoryLog(),
    remember: () => undefined,
    onChange: () => undefined,
  })
  await session.useKey('one')
  const refuse = (): void =>
    forgetting.reject(new ProblemError({ kind: 'storage-failed', file: 'vault.json', detail: 'full' }))
  return { session, refuse, keep: () => keeping.resolve({ keptIn: 'memory' }) }
}

test('a session whose end cannot be written goes on', async () => {
  const { session, refuse } = await setUp()
  const ending = session.end('one')
  expect(session.key).toBeNull()
  refuse()
  await expect(ending).rejects.toThrow('storage-failed')
  expect(session.key).toBe('session-key-1')
})

test('but not with the key that is used by then', async () => {
  const { session, refuse } = await setUp()
  const ending = session.end('one')
  await session.useKey('two')
  refuse()
  await expect(ending).rejects.toThrow('storage-failed')
  expect(session.key).toBeNull()
})

test('a login that ends after its key was replaced is not held with the new one', async () => {
  const { session, keep } = await setUp()
  const beginning = session.begin('one', 'session-key-2', false, 'memory')
  await session.useKey('two')
  keep()
  expect(await beginning).toEqual({ keptIn: 'memory' })
  expect(session.key).toBeNull()
})
