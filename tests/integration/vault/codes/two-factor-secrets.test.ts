import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { VaultAccount } from '#domain/vault/vault-view.ts'
import { keyringForTest, runVault, userDataForTest } from '../keychain/run-of-slipway.ts'

const account: VaultAccount = { serviceAddress: 'https://rent.example.com', userId: 7 }
/** Recognizable wherever it turns up, as text and in the keychain's encoding. */
const secret = 'CANARYCANARYCANARYCANARYCANARYCA'
const uri = `otpauth://totp/GPU%20Rental:ada?secret=${secret}&issuer=GPU%20Rental`
const pending = { account, uri, secret, label: 'Phone', keepIn: 'keychain' } as const
const codes = Array.from({ length: 10 }, (_, index) => `CANA-RYCA-NA0${index}`)
const fresh = { account, codes, keepIn: 'keychain' } as const

/** Everything that was written to a folder, as text, with what base64url of it would show. */
async function readAll(folder: string): Promise<string> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = names.filter((name) => name.isFile()).map((name) => join(name.parentPath, name.name))
  const texts = await Promise.all(files.map((file) => readFile(file, 'latin1')))
  return texts.flatMap((text) => [text, Buffer.from(text, 'base64url').toString('latin1')]).join('\n')
}

test('2FA secrets that one run stores, the next one has whole: secret, last step, and codes', async () => {
  const { env } = await keyringForTest()
  const userData = await userDataForTest()
  const first = await runVault(env, userData)
  const { id } = await first.vault.totp.addPending(pending)
  const { step } = await first.vault.totp.codeFor(id, {})
  const set = await first.vault.backupCodes.store(fresh)
  await first.vault.backupCodes.mark(account, 'CANA-RYCA-NA00', 'maybe-used')
  // As a crash does: nothing is told that it ends.
  await first.keytar.stop()

  const { vault } = await runVault(env, userData)
  await expect(vault.totp.secretOf(id)).resolves.toMatchObject({ secret, uri })
  expect(vault.totpList.find(id)).toMatchObject({ state: 'pending', account })
  const maker = await vault.totp.maker(id)
  expect(maker).toMatchObject({ kind: 'found', secret: { lastStep: step } })
  expect(vault.backupCodes.current(account)).toBe(set.id)
  await expect(vault.backupCodes.codes(set.id)).resolves.toMatchObject([
    { code: 'CANA-RYCA-NA00', state: 'maybe-used' },
    ...codes.slice(1).map((code) => ({ code, state: 'unused' })),
  ])
  // Nothing of it is outside of the keyring.
  expect(await readAll(userData)).not.toMatch(/CANA/)
})

describe('a keyring that is locked', () => {
  test('from the start refuses before anything is begun, and memory is the user’s choice', async () => {
    const { env, unlock } = await keyringForTest({ locked: true })
    const userData = await userDataForTest()
    const { vault, keytar } = await runVault(env, userData)
    await expect(vault.canKeep()).resolves.toMatchObject({ kind: 'locked' })
    await expect(vault.totp.addPending(pending)).rejects.toThrow('keychain-locked')
    const { id } = await vault.totp.addPending({ ...pending, keepIn: 'memory' })
    await expect(vault.backupCodes.store(fresh)).resolves.toMatchObject({ keptIn: 'memory' })
    expect(await readAll(userData)).not.toMatch(/CANA/)

    await unlock()
    await expect(keytar.get(`totp/${id}`)).resolves.toBeNull()
    await vault.totp.keep(id)
    const { vault: next } = await runVault(env, userData)
    await expect(next.totp.secretOf(id)).resolves.toMatchObject({ secret })
  })

  test('in the middle: every entry is as it was, new codes are not lost, and what is known is still told', async () => {
    const { env, lock, unlock } = await keyringForTest()
    const userData = await userDataForTest()
    const { vault, keytar } = await runVault(env, userData)
    const { id } = await vault.totp.addPending(pending)
    const set = await vault.backupCodes.store(fresh)
    const accounts = [`totp/${id}`, `backup/${set.id}`]
    const before = await Promise.all(accounts.map((name) => keytar.get(name)))

    await lock()
    await expect(vault.totp.codeFor(id, {})).rejects.toThrow('keychain-locked')
    await expect(vault.totp.checkTyped(id, '123456')).rejects.toThrow('keychain-locked')
    await expect(vault.totp.maker(id)).resolves.toMatchObject({ kind: 'locked' })
    await expect(vault.totp.remove(id, true)).rejects.toThrow('keychain-locked')
    await expect(vault.backupCodes.mark(account, codes[0] ?? '', 'used')).rejects.toThrow('keychain-locked')
    await expect(vault.backupCodes.reconcile(account, 3)).rejects.toThrow('keychain-locked')
    await vault.totp.activate(id, 42)
    expect(vault.totp.find(account, 42)).toBe(id)
    const later = await vault.backupCodes.store({ ...fresh, codes: ['NEWS-NEWS-0000'] })
    expect(later.keptIn).toBe('memory')

    await unlock()
    expect(await Promise.all(accounts.map((name) => keytar.get(name)))).toEqual(before)
    await expect(vault.totp.codeFor(id, {})).resolves.toMatchObject({
      code: expect.stringMatching(/^\d{6}$/),
    })
    await vault.backupCodes.keep(later.id)
    await expect(keytar.get(`backup/${set.id}`)).resolves.toBeNull()
    const { vault: next } = await runVault(env, userData)
    await expect(next.backupCodes.next(later.id)).resolves.toBe('NEWS-NEWS-0000')
  })
})

test('a keyring that was restarted locked tells locked from missing, and is whole once it is open', async () => {
  const { env, stopDaemon, startDaemon, unlock } = await keyringForTest()
  const userData = await userDataForTest()
  const first = await runVault(env, userData)
  const { id } = await first.vault.totp.addPending(pending)
  await first.keytar.stop()
  await stopDaemon()
  await startDaemon({ locked: true })
  const { vault, keytar } = await runVault(env, userData)
  await expect(vault.totp.maker(id)).resolves.toMatchObject({ kind: 'locked' })
  await unlock()
  await expect(vault.totp.maker(id)).resolves.toMatchObject({ kind: 'found' })
  await keytar.delete(`totp/${id}`)
  await expect(vault.totp.maker(id)).resolves.toMatchObject({ kind: 'missing' })
  await expect(vault.totp.noteUsed(id, 1)).rejects.toThrow('secret-missing')
  await expect(keytar.get(`totp/${id}`)).resolves.toBeNull()
})

test('without D-Bus codes come from memory for this run, and nothing is on the disk', async () => {
  const userData = await userDataForTest()
  const { vault } = await runVault({}, userData)
  await expect(vault.canKeep()).resolves.toMatchObject({ kind: 'unavailable' })
  await expect(vault.totp.addPending(pending)).rejects.toThrow('keychain-unavailable')
  const { id } = await vault.totp.addPending({ ...pending, keepIn: 'memory' })
  await expect(vault.totp.codeFor(id, {})).resolves.toMatchObject({ code: expect.stringMatching(/^\d{6}$/) })
  await expect(vault.backupCodes.store(fresh)).resolves.toMatchObject({ keptIn: 'memory' })
  expect(await readdir(userData)).toEqual([])
})
