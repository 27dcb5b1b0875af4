import { expect, test } from 'vitest'
import { setUpVault } from '../set-up-vault.ts'

const key = 'instance-0123456789abcdef'
const minutesMs = 60_000

test('a key that was kept is found again after a restart, and its list holds no secret', async () => {
  const { vault, restart, index } = setUpVault()
  await expect(vault.instanceKeys.keep('me', 7, key)).resolves.toEqual({ keptIn: 'keychain' })
  await expect(restart().vault.instanceKeys.read('me', 7)).resolves.toEqual({ kind: 'found', value: key })
  expect(JSON.stringify(index.read())).not.toContain(key)
})

test('without a keychain it lasts for this run', async () => {
  const { vault, backend, restart } = setUpVault()
  backend.mode = 'broken'
  await expect(vault.instanceKeys.keep('me', 7, key)).resolves.toEqual({ keptIn: 'memory' })
  await expect(vault.instanceKeys.read('me', 7)).resolves.toEqual({ kind: 'found', value: key })
  backend.mode = 'open'
  await expect(restart().vault.instanceKeys.read('me', 7)).resolves.toEqual({ kind: 'absent' })
})

test('what is kept is listed without the keys, and one can be read, and removed from here', async () => {
  const { vault, restart, backend, remembered } = setUpVault()
  await vault.instanceKeys.keep('me', 7, key)
  await vault.instanceKeys.keep('me', 8, key)
  backend.mode = 'broken'
  await vault.instanceKeys.keep('me', 9, `${key}-in-memory`)
  const listed = (instanceId: number, keptIn: string) => ({ owner: 'me', instanceId, keptIn })
  expect(vault.instanceKeys.listed.value).toEqual([
    listed(7, 'keychain'),
    listed(8, 'keychain'),
    listed(9, 'memory'),
  ])
  await expect(vault.instanceKeys.valueOf('me', 9)).resolves.toBe(`${key}-in-memory`)
  await expect(vault.instanceKeys.valueOf('me', 7)).rejects.toThrow('keychain-unavailable')
  await vault.instanceKeys.remove('me', 9)
  await expect(vault.instanceKeys.remove('me', 7)).rejects.toThrow('keychain-unavailable')
  expect(vault.instanceKeys.listed.value).toEqual([listed(7, 'keychain'), listed(8, 'keychain')])

  backend.mode = 'open'
  await expect(vault.instanceKeys.valueOf('me', 7)).resolves.toBe(key)
  expect(remembered).toContain(key)
  await vault.instanceKeys.remove('me', 7)
  expect(vault.instanceKeys.listed.value).toEqual([listed(8, 'keychain')])
  await expect(vault.instanceKeys.valueOf('me', 7)).rejects.toThrow('secret-missing')
  expect(restart().vault.instanceKeys.listed.value).toEqual([listed(8, 'keychain')])
})

test('a locked keychain refuses, and a full disk leaves nothing behind', async () => {
  const { vault, backend, index } = setUpVault()
  backend.mode = 'locked'
  await expect(vault.instanceKeys.keep('me', 7, key)).rejects.toThrow('keychain-locked')
  backend.mode = 'open'
  index.diskIsFull = true
  await expect(vault.instanceKeys.keep('me', 7, key)).rejects.toThrow('storage-failed')
  expect([...backend.entries.keys()]).toEqual([])
})

test('keys go with their instances: not those of others, and not before the list can know them', async () => {
  const { vault, clock, backend, index } = setUpVault()
  await vault.instanceKeys.keep('me', 7, key)
  await vault.instanceKeys.keep('me', 8, key)
  await vault.instanceKeys.keep('other', 7, key)
  await vault.instanceKeys.forgetGone('me', new Set())
  expect(backend.entries.size).toBe(3)
  await clock.advance(11 * minutesMs)
  await vault.instanceKeys.forgetGone('me', new Set([8]))
  await expect(vault.instanceKeys.read('me', 7)).resolves.toEqual({ kind: 'absent' })
  await expect(vault.instanceKeys.read('me', 8)).resolves.toMatchObject({ kind: 'found' })
  await expect(vault.instanceKeys.read('other', 7)).resolves.toMatchObject({ kind: 'found' })
  expect(index.read().entries).toHaveLength(2)
})

test('a closed keychain keeps what is gone, for the next time', async () => {
  const { vault, clock, backend } = setUpVault()
  await vault.instanceKeys.keep('me', 7, key)
  await clock.advance(11 * minutesMs)
  backend.mode = 'broken'
  await expect(vault.instanceKeys.forgetGone('me', new Set())).rejects.toThrow('keychain-unavailable')
  backend.mode = 'open'
  await vault.instanceKeys.forgetGone('me', new Set())
  await expect(vault.instanceKeys.read('me', 7)).resolves.toEqual({ kind: 'absent' })
})

test('all keys of who leaves go, also those in memory only; nobody else’s', async () => {
  const { vault, backend, index } = setUpVault()
  await vault.instanceKeys.keep('7 at a', 1, key)
  await vault.instanceKeys.keep('7 at a', 2, key)
  // One owner’s name may begin another one’s.
  await vault.instanceKeys.keep('7 at ab', 1, key)
  backend.mode = 'broken'
  await vault.instanceKeys.keep('7 at a', 3, key)
  await vault.instanceKeys.keep('7 at ab', 3, key)
  backend.mode = 'open'
  await vault.instanceKeys.forgetAll('7 at a')
  for (const id of [1, 2, 3])
    await expect(vault.instanceKeys.read('7 at a', id)).resolves.toEqual({ kind: 'absent' })
  for (const id of [1, 3])
    await expect(vault.instanceKeys.read('7 at ab', id)).resolves.toEqual({ kind: 'found', value: key })
  expect(backend.entries.size).toBe(1)
  expect(index.read().entries).toHaveLength(1)
})

test('who leaves while the keychain is locked is told, and what is left goes at the next try', async () => {
  const { vault, backend } = setUpVault()
  await vault.instanceKeys.keep('me', 1, key)
  backend.mode = 'locked'
  await expect(vault.instanceKeys.forgetAll('me')).rejects.toThrow('keychain-locked')
  backend.mode = 'open'
  await expect(vault.instanceKeys.read('me', 1)).resolves.toMatchObject({ kind: 'found' })
  await vault.instanceKeys.forgetAll('me')
  expect(backend.entries.size).toBe(0)
})
