import { describe, expect, test } from 'vitest'
import { memoryLog } from '../../../support/memory-log.ts'
import { setUpVault } from '../set-up-vault.ts'

const session = { key: 'session-key-1', isAdmin: true, since: 5 }

test('a session is beside the API key, and there at the next start', async () => {
  const { vault, backend, restart } = setUpVault()
  await vault.apiKeys.keep('one', { apiKey: 'the-api-key', origin: 'https://service.example' }, 'keychain')
  expect(await vault.sessionKeys.keep('one', session, 'keychain')).toEqual({ keptIn: 'keychain' })
  expect([...backend.entries.keys()].toSorted()).toEqual(['apikey/one', 'session/one'])
  expect(await restart().vault.sessionKeys.read('one')).toEqual({ ...session, keptIn: 'keychain' })
  expect(await vault.sessionKeys.read('other')).toBeNull()
})

test('a keychain that does not take it leaves it in memory for this run', async () => {
  const { vault, backend, restart } = setUpVault()
  backend.mode = 'locked'
  expect(await vault.sessionKeys.keep('one', session, 'keychain')).toEqual({ keptIn: 'memory' })
  expect(await vault.sessionKeys.read('one')).toEqual({ ...session, keptIn: 'memory' })
  backend.mode = 'open'
  expect(await restart().vault.sessionKeys.read('one')).toBeNull()
})

test('forgetting takes it out of memory, keychain and list', async () => {
  const { vault, backend, index } = setUpVault()
  await vault.sessionKeys.keep('one', session, 'keychain')
  await vault.sessionKeys.forget('one')
  expect(await vault.sessionKeys.read('one')).toBeNull()
  expect(backend.entries.has('session/one')).toBe(false)
  expect(index.read().entries).toEqual([])
  expect(vault.sessionKeys.left.value).toEqual([])
})

describe.each(['locked', 'broken'] as const)('one that ended while the keychain was %s', (mode) => {
  test('does not come back when it opens, and goes then', async () => {
    const { vault, backend, index } = setUpVault()
    const end = new AbortController()
    const following = vault.sessionKeys.follow(end.signal, memoryLog())
    await vault.sessionKeys.keep('one', session, 'keychain')
    backend.mode = mode
    await vault.sessionKeys.forget('one')
    expect(vault.sessionKeys.left.value).toEqual(['one'])
    backend.mode = 'open'
    expect(await vault.sessionKeys.read('one')).toBeNull()
    await vault.check()
    await expect.poll(() => vault.sessionKeys.left.value).toEqual([])
    expect(backend.entries.has('session/one')).toBe(false)
    expect(index.read().entries).toEqual([])
    end.abort()
    await following
  })

  test('does not come back at the next start', async () => {
    const { vault, backend, restart } = setUpVault()
    await vault.sessionKeys.keep('one', session, 'keychain')
    backend.mode = mode
    await vault.sessionKeys.forget('one')
    backend.mode = 'open'
    const next = restart().vault
    expect(next.sessionKeys.left.value).toEqual(['one'])
    expect(await next.sessionKeys.read('one')).toBeNull()
    await next.sessionKeys.keep('one', { ...session, key: 'session-key-2' }, 'keychain')
    expect(next.sessionKeys.left.value).toEqual([])
    expect(await next.sessionKeys.read('one')).toMatchObject({ key: 'session-key-2' })
  })
})

describe('one that is replaced does not come back at the next start', () => {
  const next = { ...session, key: 'session-key-2' }

  test('when the keychain is locked', async () => {
    const { vault, backend, restart } = setUpVault()
    await vault.sessionKeys.keep('one', session, 'keychain')
    backend.mode = 'locked'
    expect(await vault.sessionKeys.keep('one', next, 'keychain')).toEqual({ keptIn: 'memory' })
    backend.mode = 'open'
    expect(await vault.sessionKeys.read('one')).toMatchObject({ key: 'session-key-2' })
    expect(await restart().vault.sessionKeys.read('one')).toBeNull()
  })

  test('when the new one is in memory by choice', async () => {
    const { vault, backend, index, restart } = setUpVault()
    await vault.sessionKeys.keep('one', session, 'keychain')
    expect(await vault.sessionKeys.keep('one', next, 'memory')).toEqual({ keptIn: 'memory' })
    expect(await vault.sessionKeys.read('one')).toMatchObject({ key: 'session-key-2' })
    expect(backend.entries.has('session/one')).toBe(false)
    expect(index.read().entries).toEqual([])
    expect(await restart().vault.sessionKeys.read('one')).toBeNull()
  })
})

test('a keychain that took a session too late does not bring it back', async () => {
  const { vault, backend, clock, restart } = setUpVault()
  backend.mode = 'hanging'
  const keeping = vault.sessionKeys.keep('one', session, 'keychain')
  await clock.advance(1000)
  expect(await keeping).toEqual({ keptIn: 'memory' })
  backend.release()
  await expect.poll(() => backend.entries.has('session/one')).toBe(true)
  expect(await restart().vault.sessionKeys.read('one')).toBeNull()
})
