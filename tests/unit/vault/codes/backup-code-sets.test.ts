import { describe, expect, test } from 'vitest'
import type { VaultAccount } from '#domain/vault/vault-view.ts'
import { setUpVault } from '../set-up-vault.ts'

const account: VaultAccount = { serviceAddress: 'https://rent.example.com', userId: 7 }
const codesOf = (letter: string) => Array.from({ length: 10 }, (_, index) => `${letter}BCD-EFGH-000${index}`)
const fresh = { account, codes: codesOf('A'), keepIn: 'keychain' } as const

describe('new codes', () => {
  test('are kept for the next run, and the list holds none of them', async () => {
    const { vault, index, restart } = setUpVault()
    const { id, keptIn } = await vault.backupCodes.store(fresh)
    expect(keptIn).toBe('keychain')
    const next = restart().vault
    expect(next.backupCodes.current(account)).toBe(id)
    await expect(next.backupCodes.next(id)).resolves.toBe('ABCD-EFGH-0000')
    expect(next.backupList.find(id)).toMatchObject({ unused: 10, used: 0, saved: null, standing: 'current' })
    expect(JSON.stringify(index.read())).not.toContain('EFGH')
  })

  test('replace the old ones, which go only after they are kept', async () => {
    const { vault, backend } = setUpVault()
    const old = await vault.backupCodes.store(fresh)
    const { id } = await vault.backupCodes.store({ ...fresh, codes: codesOf('Z') })
    expect([...backend.entries.keys()]).toEqual([`backup/${id}`])
    expect(vault.backupList.find(old.id)).toBeNull()
    const calls = backend.calls.filter((call) => call.includes('backup/'))
    expect(calls.indexOf(`set backup/${id}`)).toBeLessThan(calls.indexOf(`delete backup/${old.id}`))
  })

  test.each(['locked', 'broken'] as const)('are not lost to a keychain that is %s', async (mode) => {
    const { vault, backend } = setUpVault()
    const old = await vault.backupCodes.store(fresh)
    backend.mode = mode
    const { id, keptIn } = await vault.backupCodes.store({ ...fresh, codes: codesOf('Z') })
    expect(keptIn).toBe('memory')
    await expect(vault.backupCodes.next(id)).resolves.toBe('ZBCD-EFGH-0000')
    expect(vault.backupCodes.current(account)).toBe(id)
    // The old ones are worthless; they go when their successors last.
    expect(vault.backupList.find(old.id)).toMatchObject({ standing: 'outdated' })
    backend.mode = 'open'
    await vault.backupCodes.keep(id)
    expect([...backend.entries.keys()]).toEqual([`backup/${id}`])
  })

  test('that are in memory by choice leave the old ones in the keychain, marked', async () => {
    const { vault, backend } = setUpVault()
    const old = await vault.backupCodes.store(fresh)
    await vault.backupCodes.store({ ...fresh, codes: codesOf('Z'), keepIn: 'memory' })
    expect([...backend.entries.keys()]).toEqual([`backup/${old.id}`])
    expect(vault.backupList.find(old.id)).toMatchObject({ standing: 'outdated' })
  })

  test('that are added once a clock that ran ahead is right are the newest', async () => {
    const { vault, clock, restart } = setUpVault()
    const unused = (letter: string) => codesOf(letter).map((code) => ({ code, state: 'unused' }) as const)
    await clock.advance(24 * 3600_000)
    await vault.backupCodes.add(account, unused('A'), 'keychain')
    const next = restart().vault
    const { id } = await next.backupCodes.add(account, unused('Z'), 'keychain')
    expect(next.backupCodes.current(account)).toBe(id)
  })

  test('of one account do not touch those of another', async () => {
    const { vault } = setUpVault()
    const { id } = await vault.backupCodes.store(fresh)
    await vault.backupCodes.store({ ...fresh, account: { ...account, userId: 8 }, codes: codesOf('Z') })
    expect(vault.backupCodes.current(account)).toBe(id)
  })
})

describe('a code', () => {
  test('is marked as it was typed, and the next one is offered', async () => {
    const { vault, restart } = setUpVault()
    const { id } = await vault.backupCodes.store(fresh)
    await vault.backupCodes.mark(account, 'abcd-efgh-0000', 'used')
    await vault.backupCodes.mark(account, 'ABCD-EFGH-0001', 'maybe-used')
    await vault.backupCodes.mark(account, 'FROM-SOME-0000', 'used')
    const next = restart().vault
    expect(next.backupList.find(id)).toMatchObject({ unused: 8, maybeUsed: 1, used: 1 })
    await expect(next.backupCodes.next(id)).resolves.toBe('ABCD-EFGH-0002')
  })

  test('is not marked while the keychain is locked, and a set that is gone does not matter', async () => {
    const { vault, backend } = setUpVault()
    const { id } = await vault.backupCodes.store(fresh)
    backend.mode = 'locked'
    await expect(vault.backupCodes.mark(account, 'ABCD-EFGH-0000', 'used')).rejects.toThrow('keychain-locked')
    backend.mode = 'open'
    backend.entries.delete(`backup/${id}`)
    await vault.backupCodes.mark(account, 'ABCD-EFGH-0000', 'used')
    await expect(vault.backupCodes.next(id)).rejects.toThrow('secret-missing')
  })
})

describe('the service’s count', () => {
  test('settles a code whose reply was lost', async () => {
    const { vault } = setUpVault()
    const { id } = await vault.backupCodes.store(fresh)
    await vault.backupCodes.mark(account, 'ABCD-EFGH-0000', 'maybe-used')
    await vault.backupCodes.reconcile(account, 9)
    expect(vault.backupList.find(id)).toMatchObject({ unused: 9, maybeUsed: 0, used: 1, serviceCount: 9 })
    await expect(vault.backupCodes.codes(id)).resolves.toContainEqual({
      code: 'ABCD-EFGH-0000',
      state: 'used',
    })
  })

  test('that agrees leaves the keychain in peace', async () => {
    const { vault, backend } = setUpVault()
    await vault.backupCodes.store(fresh)
    await vault.backupCodes.reconcile(account, 10)
    const { length } = backend.calls
    await vault.backupCodes.reconcile(account, 10)
    expect(backend.calls).toHaveLength(length)
  })

  test('that rose tells that a lost regeneration took place', async () => {
    const { vault } = setUpVault()
    const { id } = await vault.backupCodes.store(fresh)
    await vault.backupCodes.mark(account, 'ABCD-EFGH-0000', 'used')
    await vault.backupCodes.markUncertain(account)
    expect(vault.backupList.find(id)).toMatchObject({ standing: 'uncertain' })
    await vault.backupCodes.reconcile(account, 10)
    expect(vault.backupList.find(id)).toMatchObject({ standing: 'outdated' })
    expect(vault.backupCodes.current(account)).toBeNull()
  })
})
