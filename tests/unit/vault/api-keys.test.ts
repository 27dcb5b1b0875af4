import { describe, expect, test } from 'vitest'
import { settle } from '../../support/fake-clock.ts'
import { setUpVault } from './set-up-vault.ts'

const key = 'k-0123456789abcdef'

test('a key that was kept is found again after a restart', async () => {
  const { vault, restart } = setUpVault()
  await expect(vault.apiKeys.keep('7', key, 'keychain')).resolves.toEqual({ keptIn: 'keychain' })
  await expect(restart().vault.apiKeys.read('7')).resolves.toEqual({ kind: 'found', value: key })
})

test('a key in memory is gone after a restart, and never reached the keychain', async () => {
  const { vault, backend, restart } = setUpVault()
  await expect(vault.apiKeys.keep('7', key, 'memory')).resolves.toEqual({ keptIn: 'memory' })
  await expect(vault.apiKeys.read('7')).resolves.toEqual({ kind: 'found', value: key })
  expect(backend.calls).toEqual([])
  await expect(restart().vault.apiKeys.read('7')).resolves.toEqual({ kind: 'absent' })
})

describe('a key that is not there', () => {
  test('is absent when there never was one', async () => {
    await expect(setUpVault().vault.apiKeys.read('7')).resolves.toEqual({ kind: 'absent' })
  })

  test('is missing when it was kept, and is not made up again', async () => {
    const { vault, backend } = setUpVault()
    await vault.apiKeys.keep('7', key, 'keychain')
    backend.entries.clear()
    await expect(vault.apiKeys.read('7')).resolves.toEqual({ kind: 'missing' })
    expect(backend.entries.size).toBe(0)
  })

  test('is neither while the keychain is locked', async () => {
    const { vault, backend } = setUpVault()
    await vault.apiKeys.keep('7', key, 'keychain')
    backend.mode = 'locked'
    await expect(vault.apiKeys.read('7')).resolves.toMatchObject({ kind: 'locked' })
  })
})

describe('keeping', () => {
  test('in a locked keychain is refused, and nothing is kept anywhere', async () => {
    const { vault, backend, index } = setUpVault()
    backend.mode = 'locked'
    await expect(vault.apiKeys.keep('7', key, 'keychain')).rejects.toMatchObject({
      problem: { kind: 'keychain-locked' },
    })
    backend.mode = 'open'
    await expect(vault.apiKeys.read('7')).resolves.toEqual({ kind: 'absent' })
    expect(index.read().entries).toEqual([])
  })

  test('without a keychain lasts for this run, and the state says why', async () => {
    const { vault, backend, index } = setUpVault()
    backend.mode = 'broken'
    await expect(vault.apiKeys.keep('7', key, 'keychain')).resolves.toEqual({ keptIn: 'memory' })
    await expect(vault.apiKeys.read('7')).resolves.toEqual({ kind: 'found', value: key })
    expect(vault.state.value.kind).toBe('unavailable')
    expect(index.read().entries).toEqual([])
  })

  test('in the keychain takes the place of the one in memory', async () => {
    const { vault, backend, restart } = setUpVault()
    backend.mode = 'broken'
    await vault.apiKeys.keep('7', 'old key', 'keychain')
    backend.mode = 'open'
    await vault.apiKeys.keep('7', key, 'keychain')
    await expect(vault.apiKeys.read('7')).resolves.toEqual({ kind: 'found', value: key })
    await expect(restart().vault.apiKeys.read('7')).resolves.toEqual({ kind: 'found', value: key })
  })

  test('what is too long for a keychain is refused with a reason', async () => {
    const { vault } = setUpVault()
    await expect(vault.apiKeys.keep('7', 'x'.repeat(1900), 'keychain')).rejects.toMatchObject({
      problem: { kind: 'invalid-input', field: 'apiKey' },
    })
  })

  test('leaves nothing behind when it cannot be written down', async () => {
    const { vault, backend, index } = setUpVault()
    index.diskIsFull = true
    await expect(vault.apiKeys.keep('7', key, 'keychain')).rejects.toMatchObject({
      problem: { kind: 'storage-failed' },
    })
    expect(backend.entries.size).toBe(0)
  })

  test('keys of several accounts at once loses none', async () => {
    const { vault, index } = setUpVault()
    await Promise.all(['1', '2', '3'].map((account) => vault.apiKeys.keep(account, key, 'keychain')))
    expect(index.read().entries).toHaveLength(3)
  })

  test('puts no secret into the index', async () => {
    const { vault, index } = setUpVault()
    await vault.apiKeys.keep('7', key, 'keychain')
    expect(JSON.stringify(index.read())).not.toContain(key)
  })
})

describe('forgetting', () => {
  test('removes the key from keychain, memory and index', async () => {
    const { vault, backend, index } = setUpVault()
    await vault.apiKeys.keep('7', key, 'keychain')
    await vault.apiKeys.keep('7', 'another', 'memory')
    await vault.apiKeys.forget('7')
    await expect(vault.apiKeys.read('7')).resolves.toEqual({ kind: 'absent' })
    expect(backend.entries.size).toBe(0)
    expect(index.read().entries).toEqual([])
  })

  test.each(['locked', 'broken'] as const)(
    'what is in a keychain that is %s is not claimed',
    async (mode) => {
      const { vault, backend } = setUpVault()
      await vault.apiKeys.keep('7', key, 'keychain')
      backend.mode = mode
      await expect(vault.apiKeys.forget('7')).rejects.toMatchObject({
        problem: { kind: mode === 'locked' ? 'keychain-locked' : 'keychain-unavailable' },
      })
      backend.mode = 'open'
      await expect(vault.apiKeys.read('7')).resolves.toEqual({ kind: 'found', value: key })
    },
  )

  test('what was only in memory does not wait for a keychain, nor ask it', async () => {
    const { vault, backend } = setUpVault()
    await vault.apiKeys.keep('7', key, 'memory')
    backend.mode = 'hanging'
    await vault.apiKeys.forget('7')
    expect(backend.calls).toEqual([])
    backend.release()
    await expect(vault.apiKeys.read('7')).resolves.toEqual({ kind: 'absent' })
  })

  test('what the keychain was asked to keep is removed when it arrives late', async () => {
    const { vault, backend, clock } = setUpVault()
    backend.mode = 'hanging'
    const kept = vault.apiKeys.keep('7', key, 'keychain')
    await clock.advance(1000)
    await expect(kept).resolves.toEqual({ keptIn: 'memory' })
    await vault.apiKeys.forget('7')
    backend.release()
    await settle()
    expect([...backend.entries.keys()]).toEqual([])
  })
})
