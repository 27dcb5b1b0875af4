import { describe, expect, test } from 'vitest'
import { privatePartOf, setUpVault } from '../set-up-vault.ts'

test('there is none before it is made', async () => {
  const { vault, backend } = setUpVault()
  expect(vault.sshKey.publicKey()).toBeNull()
  await expect(vault.sshKey.privateKey()).resolves.toEqual({ kind: 'absent' })
  expect(backend.calls).toEqual([])
})

test('a key that was made is found again after a restart, its public part without the keychain', async () => {
  const { vault, backend, restart } = setUpVault()
  const made = await vault.sshKey.create('ada@slipway')
  const later = restart().vault
  await expect(later.sshKey.privateKey()).resolves.toEqual({ kind: 'found', value: privatePartOf(made) })
  backend.mode = 'locked'
  expect(later.sshKey.publicKey()).toEqual(made)
})

test('two at once make one key', async () => {
  const { vault, index } = setUpVault()
  const [one, two] = await Promise.all([vault.sshKey.create('a'), vault.sshKey.create('b')])
  expect(one).toEqual(two)
  expect(index.read().entries).toHaveLength(1)
})

test('the one made before is returned, also while the keychain cannot be read', async () => {
  const { vault, backend } = setUpVault()
  const made = await vault.sshKey.create('a')
  for (const mode of ['open', 'locked', 'broken'] as const) {
    backend.mode = mode
    await expect(vault.sshKey.create('b')).resolves.toEqual(made)
  }
})

test('no public key is given out when its private part could not be kept', async () => {
  const { vault, backend, index } = setUpVault()
  backend.mode = 'locked'
  await expect(vault.sshKey.create('a')).rejects.toMatchObject({ problem: { kind: 'keychain-locked' } })
  expect(vault.sshKey.publicKey()).toBeNull()
  backend.mode = 'open'
  index.diskIsFull = true
  await expect(vault.sshKey.create('a')).rejects.toMatchObject({ problem: { kind: 'storage-failed' } })
  expect(vault.sshKey.publicKey()).toBeNull()
  expect(backend.entries.size).toBe(0)
})

describe('without a keychain', () => {
  test('the key lasts for this run', async () => {
    const { vault, backend, restart } = setUpVault()
    backend.mode = 'broken'
    const made = await vault.sshKey.create('a')
    expect(vault.sshKey.publicKey()).toEqual(made)
    await expect(vault.sshKey.privateKey()).resolves.toEqual({ kind: 'found', value: privatePartOf(made) })
    await expect(vault.sshKey.create('b')).resolves.toEqual(made)
    expect(restart().vault.sshKey.publicKey()).toBeNull()
  })

  test('the same key moves into it once there is one', async () => {
    const { vault, backend, restart } = setUpVault()
    backend.mode = 'broken'
    const made = await vault.sshKey.create('a')
    backend.mode = 'open'
    await expect(vault.sshKey.create('a')).resolves.toEqual(made)
    const later = restart().vault
    expect(later.sshKey.publicKey()).toEqual(made)
    await expect(later.sshKey.privateKey()).resolves.toEqual({ kind: 'found', value: privatePartOf(made) })
  })
})

describe('a private part that is gone', () => {
  test.each([
    ['open', 'missing'],
    ['locked', 'locked'],
    ['broken', 'unavailable'],
  ] as const)('from a keychain that is %s is %s', async (mode, kind) => {
    const { vault, backend } = setUpVault()
    await vault.sshKey.create('a')
    backend.entries.clear()
    backend.mode = mode
    await expect(vault.sshKey.privateKey()).resolves.toMatchObject({ kind })
  })

  test('is followed by a new key only when one is asked for, and the old entry is not written over', async () => {
    const { vault, backend, index } = setUpVault()
    const lost = await vault.sshKey.create('a')
    const account = [...backend.entries.keys()].find((name) => name.startsWith('ssh/'))
    backend.entries.clear()
    await vault.sshKey.privateKey()
    expect(backend.entries.size).toBe(0)
    const made = await vault.sshKey.create('a')
    expect(made).not.toEqual(lost)
    expect(vault.sshKey.publicKey()).toEqual(made)
    expect([...backend.entries.keys()]).not.toContain(account)
    expect(index.read().entries).toHaveLength(2)
  })
})
