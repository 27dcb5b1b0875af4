import { expect, test } from 'vitest'
import { setUpVault } from './set-up-vault.ts'

const session = { key: 'session-key-1', isAdmin: true, since: 5 }

test('a session is beside the API key, and there at the next start', async () => {
  const { vault, backend, restart } = setUpVault()
  await vault.apiKeys.keep('one', 'the-api-key', 'keychain')
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

test('forgetting takes it out of memory, keychain and list; a closed keychain says so', async () => {
  const { vault, backend, index } = setUpVault()
  await vault.sessionKeys.keep('one', session, 'keychain')
  backend.mode = 'locked'
  await expect(vault.sessionKeys.forget('one')).rejects.toMatchObject({
    problem: { kind: 'keychain-locked' },
  })
  backend.mode = 'open'
  await vault.sessionKeys.forget('one')
  expect(backend.entries.has('session/one')).toBe(false)
  expect(index.read().entries).toEqual([])
})
