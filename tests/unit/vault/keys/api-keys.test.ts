import { describe, expect, test } from 'vitest'
import { settle } from '../../../support/fake-clock.ts'
import { encodeEntry } from '#services/vault/keychain/keychain.ts'
import { KeychainLocked } from '#services/vault/keychain/keychain-backend.ts'
import { setUpVault } from '../set-up-vault.ts'

const key = 'k-0123456789abcdef'
const origin = 'https://service.example'

test('a key that was kept is found again after a restart', async () => {
  const { vault, restart } = setUpVault()
  await expect(vault.apiKeys.keep('7', { apiKey: key, origin }, 'keychain')).resolves.toEqual({
    keptIn: 'keychain',
  })
  await expect(restart().vault.apiKeys.read('7', origin)).resolves.toEqual({ kind: 'found', value: key })
})

test('a key in memory is gone after a restart, and never reached the keychain', async () => {
  const { vault, backend, restart } = setUpVault()
  await expect(vault.apiKeys.keep('7', { apiKey: key, origin }, 'memory')).resolves.toEqual({
    keptIn: 'memory',
  })
  await expect(vault.apiKeys.read('7', origin)).resolves.toEqual({ kind: 'found', value: key })
  expect(backend.calls).toEqual([])
  await expect(restart().vault.apiKeys.read('7', origin)).resolves.toEqual({ kind: 'absent' })
})

describe('a key that is not there', () => {
  test('is absent when there never was one', async () => {
    await expect(setUpVault().vault.apiKeys.read('7', origin)).resolves.toEqual({ kind: 'absent' })
  })

  test('is missing when it was kept, and is not made up again', async () => {
    const { vault, backend } = setUpVault()
    await vault.apiKeys.keep('7', { apiKey: key, origin }, 'keychain')
    backend.entries.clear()
    await expect(vault.apiKeys.read('7', origin)).resolves.toEqual({ kind: 'missing' })
    expect(backend.entries.size).toBe(0)
  })

  test('is neither while the keychain is locked', async () => {
    const { vault, backend } = setUpVault()
    await vault.apiKeys.keep('7', { apiKey: key, origin }, 'keychain')
    backend.mode = 'locked'
    await expect(vault.apiKeys.read('7', origin)).resolves.toMatchObject({ kind: 'locked' })
  })
})

describe('keeping', () => {
  test('in a locked keychain is refused, and nothing is kept anywhere', async () => {
    const { vault, backend, index } = setUpVault()
    backend.mode = 'locked'
    await expect(vault.apiKeys.keep('7', { apiKey: key, origin }, 'keychain')).rejects.toMatchObject({
      problem: { kind: 'keychain-locked' },
    })
    backend.mode = 'open'
    await expect(vault.apiKeys.read('7', origin)).resolves.toEqual({ kind: 'absent' })
    expect(index.read().entries).toEqual([])
  })

  test('without a keychain lasts for this run, and the state says why', async () => {
    const { vault, backend, index } = setUpVault()
    backend.mode = 'broken'
    await expect(vault.apiKeys.keep('7', { apiKey: key, origin }, 'keychain')).resolves.toEqual({
      keptIn: 'memory',
    })
    await expect(vault.apiKeys.read('7', origin)).resolves.toEqual({ kind: 'found', value: key })
    expect(vault.state.value.kind).toBe('unavailable')
    expect(index.read().entries).toEqual([])
  })

  test('in the keychain takes the place of the one in memory', async () => {
    const { vault, backend, restart } = setUpVault()
    backend.mode = 'broken'
    await vault.apiKeys.keep('7', { apiKey: 'old key', origin }, 'keychain')
    backend.mode = 'open'
    await vault.apiKeys.keep('7', { apiKey: key, origin }, 'keychain')
    await expect(vault.apiKeys.read('7', origin)).resolves.toEqual({ kind: 'found', value: key })
    await expect(restart().vault.apiKeys.read('7', origin)).resolves.toEqual({ kind: 'found', value: key })
  })

  test('what is too long for a keychain is refused with a reason', async () => {
    const { vault } = setUpVault()
    await expect(
      vault.apiKeys.keep('7', { apiKey: 'x'.repeat(1900), origin }, 'keychain'),
    ).rejects.toMatchObject({
      problem: { kind: 'invalid-input', field: 'apiKey' },
    })
  })

  test('leaves nothing behind when it cannot be written down', async () => {
    const { vault, backend, index } = setUpVault()
    index.diskIsFull = true
    await expect(vault.apiKeys.keep('7', { apiKey: key, origin }, 'keychain')).rejects.toMatchObject({
      problem: { kind: 'storage-failed' },
    })
    expect(backend.entries.size).toBe(0)
  })

  test('keys of several accounts at once loses none', async () => {
    const { vault, index } = setUpVault()
    await Promise.all(
      ['1', '2', '3'].map((account) => vault.apiKeys.keep(account, { apiKey: key, origin }, 'keychain')),
    )
    expect(index.read().entries).toHaveLength(3)
  })

  test('puts no secret into the index', async () => {
    const { vault, index } = setUpVault()
    await vault.apiKeys.keep('7', { apiKey: key, origin }, 'keychain')
    expect(JSON.stringify(index.read())).not.toContain(key)
  })
})

describe('forgetting', () => {
  test('removes the key from keychain, memory and index', async () => {
    const { vault, backend, index } = setUpVault()
    await vault.apiKeys.keep('7', { apiKey: key, origin }, 'keychain')
    await vault.apiKeys.keep('7', { apiKey: 'another', origin }, 'memory')
    await vault.apiKeys.forget('7')
    await expect(vault.apiKeys.read('7', origin)).resolves.toEqual({ kind: 'absent' })
    expect(backend.entries.size).toBe(0)
    expect(index.read().entries).toEqual([])
  })

  test.each(['locked', 'broken'] as const)(
    'what is in a keychain that is %s is not claimed',
    async (mode) => {
      const { vault, backend } = setUpVault()
      await vault.apiKeys.keep('7', { apiKey: key, origin }, 'keychain')
      backend.mode = mode
      await expect(vault.apiKeys.forget('7')).rejects.toMatchObject({
        problem: { kind: mode === 'locked' ? 'keychain-locked' : 'keychain-unavailable' },
      })
      backend.mode = 'open'
      await expect(vault.apiKeys.read('7', origin)).resolves.toEqual({ kind: 'found', value: key })
    },
  )

  test('what was only in memory does not wait for a keychain, nor ask it', async () => {
    const { vault, backend } = setUpVault()
    await vault.apiKeys.keep('7', { apiKey: key, origin }, 'memory')
    backend.mode = 'hanging'
    await vault.apiKeys.forget('7')
    expect(backend.calls).toEqual([])
    backend.release()
    await expect(vault.apiKeys.read('7', origin)).resolves.toEqual({ kind: 'absent' })
  })

  test('what the keychain was asked to keep is removed when it arrives late', async () => {
    const { vault, backend, clock } = setUpVault()
    backend.mode = 'hanging'
    const kept = vault.apiKeys.keep('7', { apiKey: key, origin }, 'keychain')
    await clock.advance(1000)
    await expect(kept).resolves.toEqual({ keptIn: 'memory' })
    await vault.apiKeys.forget('7')
    backend.release()
    await settle()
    expect([...backend.entries.keys()]).toEqual([])
  })
})

describe('the origin that a key is for', () => {
  const elsewhere = 'http://elsewhere.example'

  test.each(['keychain', 'memory'] as const)('a key in %s is given out for no other one', async (keepIn) => {
    const { vault } = setUpVault()
    await vault.apiKeys.keep('7', { apiKey: key, origin }, keepIn)
    expect(await vault.apiKeys.read('7', elsewhere)).toEqual({ kind: 'elsewhere', origin })
    expect(await vault.apiKeys.read('7', origin)).toEqual({ kind: 'found', value: key })
  })

  /** As entries were written before keys had an origin. */
  async function withUnboundKey() {
    const world = setUpVault()
    await world.vault.apiKeys.keep('7', { apiKey: key, origin }, 'keychain')
    world.backend.entries.set('apikey/7', encodeEntry({ apiKey: key }) ?? '')
    return world
  }

  test('a key that was kept without one is bound when it is first used', async () => {
    const { vault, restart } = await withUnboundKey()
    expect(await vault.apiKeys.read('7', origin)).toEqual({ kind: 'found', value: key })
    expect(await restart().vault.apiKeys.read('7', elsewhere)).toEqual({ kind: 'elsewhere', origin })
  })

  test('it is used all the same when the keychain takes nothing now, and bound later', async () => {
    const { vault, backend, restart } = await withUnboundKey()
    const { set } = backend
    Object.assign(backend, { set: () => Promise.reject(new KeychainLocked('read-only')) })
    expect(await vault.apiKeys.read('7', origin)).toEqual({ kind: 'found', value: key })
    Object.assign(backend, { set })
    const { vault: next } = restart()
    await next.apiKeys.read('7', origin)
    expect(await next.apiKeys.read('7', elsewhere)).toEqual({ kind: 'elsewhere', origin })
  })

  test('one that is forgotten while it is bound does not come back', async () => {
    const { vault, backend } = await withUnboundKey()
    await Promise.all([vault.apiKeys.read('7', origin), vault.apiKeys.forget('7')])
    expect([...backend.entries.keys()]).toEqual([])
  })
})
