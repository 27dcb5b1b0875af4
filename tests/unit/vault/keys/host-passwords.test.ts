import { expect, test } from 'vitest'
import { forgetAll } from '#services/vault/empty-vault.ts'
import { setUpVault } from '../set-up-vault.ts'

const login = { user: 'root', host: 'ssh4.example', port: 41_022 }
const hostKey = 'SHA256:of the host'
const password = 'correct horse battery'
const found = { kind: 'found', password }

test('a password is found again after a restart, for its user, address and host key alone', async () => {
  const { vault, restart, index } = setUpVault()
  await vault.hostPasswords.keep(login, hostKey, password)
  const { hostPasswords } = restart().vault
  expect(await hostPasswords.read(login, hostKey)).toEqual(found)
  expect(hostPasswords.kept).toEqual([{ ...login, keptIn: 'keychain' }])
  expect(await hostPasswords.read(login, 'SHA256:of another')).toEqual({ kind: 'none' })
  for (const other of [{ user: 'ops' }, { host: 'ssh5.example' }, { port: 22 }])
    expect(await hostPasswords.read({ ...login, ...other }, hostKey)).toEqual({ kind: 'none' })
  expect(JSON.stringify(index.read())).not.toContain(password)
})

test.each(['locked', 'broken'] as const)(
  'with a keychain that is %s it lasts for this run, and is asked for where it cannot be read',
  async (mode) => {
    const { vault, backend, restart } = setUpVault()
    backend.mode = mode
    await vault.hostPasswords.keep(login, hostKey, password)
    expect(await vault.hostPasswords.read(login, hostKey)).toEqual(found)
    expect(vault.hostPasswords.kept).toEqual([{ ...login, keptIn: 'memory' }])
    backend.mode = 'open'
    expect(restart().vault.hostPasswords.kept).toEqual([])
    await vault.hostPasswords.keep(login, hostKey, password)
    expect(vault.hostPasswords.kept).toEqual([{ ...login, keptIn: 'keychain' }])
    backend.mode = mode
    expect(await restart().vault.hostPasswords.read(login, hostKey)).toEqual({ kind: 'none' })
    await expect(vault.hostPasswords.forget(login)).rejects.toThrow(/keychain-/)
  },
)

test('one that was refused is not given again in this run, until another one is kept', async () => {
  const { vault, restart } = setUpVault()
  await vault.hostPasswords.keep(login, hostKey, 'a former one')
  vault.hostPasswords.noteRefused(login)
  expect(await vault.hostPasswords.read(login, hostKey)).toEqual({ kind: 'refused' })
  expect(await restart().vault.hostPasswords.read(login, hostKey)).toMatchObject({ kind: 'found' })
  await vault.hostPasswords.keep(login, hostKey, password)
  expect(await vault.hostPasswords.read(login, hostKey)).toEqual(found)
})

test('it is forgotten alone or with all, and a full disk leaves nothing behind unlisted', async () => {
  const { vault, backend, index } = setUpVault()
  await vault.hostPasswords.keep(login, hostKey, password)
  await vault.hostPasswords.keep({ ...login, port: 22 }, hostKey, password)
  await vault.hostPasswords.forget(login)
  expect(await vault.hostPasswords.read(login, hostKey)).toEqual({ kind: 'none' })
  expect(backend.entries.size).toBe(1)
  const remove = async (name: string) => {
    await backend.delete(name)
    return { kind: 'removed' } as const
  }
  expect(await forgetAll({ keychain: { remove }, index })).toBe(true)
  expect([...backend.entries.keys()]).toEqual([])
  index.diskIsFull = true
  await expect(vault.hostPasswords.keep(login, hostKey, password)).rejects.toThrow('storage-failed')
  expect([...backend.entries.keys()]).toEqual([])
})

test('a host gets codes of other services, never of an account at the rental service', async () => {
  const { vault } = setUpVault()
  const parameters = { algorithm: 'sha1', digits: 6, period: 30 } as const
  const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
  const { signal } = new AbortController()
  const other = await vault.totp.add(
    { issuer: 'Bastion', label: '', secret, parameters, uri: null },
    'keychain',
  )
  expect(await vault.totp.codeForHost(other.id, signal)).toMatch(/^\d{6}$/)
  const mine = await vault.totp.addPending({
    account: { serviceAddress: 'https://rent.example.com', userId: 7 },
    ...{ uri: `otpauth://totp/GPU?secret=${secret}`, secret, label: 'Phone', keepIn: 'keychain' },
  })
  await expect(vault.totp.codeForHost(mine.id, signal)).rejects.toThrow('secret-missing')
})
