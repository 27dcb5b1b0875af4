import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { encodeEntry } from '#services/vault/keychain/keychain.ts'
import { hastyClock } from '../../support/hasty-clock.ts'
import { keyringForTest, privateKeyCanary, runVault, userDataForTest } from './keychain/run-of-slipway.ts'

const apiKey = 'canary-of-the-api-key-0123456789'
const origin = 'https://service.example'

test('what one run keeps in the keyring, the next one finds', async () => {
  const { env } = await keyringForTest()
  const userData = await userDataForTest()
  const first = await runVault(env, userData)
  expect(first.vault.state.value).toEqual({ kind: 'available' })
  await expect(first.vault.apiKeys.keep('7', { apiKey, origin }, 'keychain')).resolves.toEqual({
    keptIn: 'keychain',
  })
  const publicKey = await first.vault.sshKey.create('ada@slipway')
  await first.keytar.stop()

  const second = await runVault(env, userData)
  await expect(second.vault.apiKeys.read('7', origin)).resolves.toEqual({ kind: 'found', value: apiKey })
  expect(second.vault.sshKey.publicKey()).toEqual(publicKey)
  await expect(second.vault.sshKey.privateKey()).resolves.toEqual({ kind: 'found', value: privateKeyCanary })

  await second.vault.apiKeys.forget('7')
  await expect(second.vault.apiKeys.read('7', origin)).resolves.toEqual({ kind: 'absent' })
})

test('a key is given out for its own origin only; one of before is bound to the origin that it is first used for', async () => {
  const { env } = await keyringForTest()
  const userData = await userDataForTest()
  const first = await runVault(env, userData)
  await first.vault.apiKeys.keep('7', { apiKey, origin }, 'keychain')
  await expect(first.vault.apiKeys.read('7', 'http://elsewhere.example')).resolves.toEqual({
    kind: 'elsewhere',
    origin,
  })
  await first.keytar.set('apikey/7', encodeEntry({ apiKey }) ?? '')
  await expect(first.vault.apiKeys.read('7', origin)).resolves.toEqual({ kind: 'found', value: apiKey })
  await first.keytar.stop()

  const { vault } = await runVault(env, userData)
  await expect(vault.apiKeys.read('7', 'http://elsewhere.example')).resolves.toEqual({
    kind: 'elsewhere',
    origin,
  })
})

test('an entry as long as the limit allows survives, with everything a key may hold', async () => {
  const { env } = await keyringForTest()
  const { vault } = await runVault(env, await userDataForTest())
  const odd = `${'x'.repeat(1500)}\n\0"ключ\\`
  await vault.apiKeys.keep('7', { apiKey: odd, origin }, 'keychain')
  await expect(vault.apiKeys.read('7', origin)).resolves.toEqual({ kind: 'found', value: odd })
})

describe('a keyring that is locked', () => {
  test('in the middle is told from one that lost its entries, and nothing in it changes', async () => {
    const { env, lock, unlock } = await keyringForTest()
    const { vault } = await runVault(env, await userDataForTest())
    await vault.apiKeys.keep('7', { apiKey, origin }, 'keychain')
    const publicKey = await vault.sshKey.create('ada@slipway')

    await lock()
    await expect(vault.apiKeys.read('7', origin)).resolves.toMatchObject({ kind: 'locked' })
    await expect(vault.sshKey.privateKey()).resolves.toMatchObject({ kind: 'locked' })
    await expect(vault.sshKey.create('again')).resolves.toEqual(publicKey)
    await expect(
      vault.apiKeys.keep('7', { apiKey: 'another key', origin }, 'keychain'),
    ).rejects.toMatchObject({
      problem: { kind: 'keychain-locked' },
    })
    await expect(vault.apiKeys.forget('7')).rejects.toMatchObject({ problem: { kind: 'keychain-locked' } })
    await expect(vault.check()).resolves.toMatchObject({ kind: 'locked' })

    await unlock()
    await expect(vault.check()).resolves.toEqual({ kind: 'available' })
    await expect(vault.apiKeys.read('7', origin)).resolves.toEqual({ kind: 'found', value: apiKey })
    await expect(vault.sshKey.privateKey()).resolves.toEqual({ kind: 'found', value: privateKeyCanary })
  })

  test('from the start lets its user choose memory, and keeps nothing without being asked', async () => {
    const { env, unlock } = await keyringForTest({ locked: true })
    const { vault, keytar } = await runVault(env, await userDataForTest())
    expect(vault.state.value.kind).toBe('locked')
    await expect(vault.apiKeys.keep('7', { apiKey, origin }, 'keychain')).rejects.toMatchObject({
      problem: { kind: 'keychain-locked' },
    })
    await expect(vault.sshKey.create('ada@slipway')).rejects.toMatchObject({
      problem: { kind: 'keychain-locked' },
    })
    await expect(vault.apiKeys.keep('7', { apiKey, origin }, 'memory')).resolves.toEqual({ keptIn: 'memory' })
    await unlock()
    await expect(keytar.get('apikey/7')).resolves.toBeNull()
  })
})

test('an entry that somebody deleted from an open keyring is missing, and stays so', async () => {
  const { env } = await keyringForTest()
  const { vault, keytar } = await runVault(env, await userDataForTest())
  await vault.apiKeys.keep('7', { apiKey, origin }, 'keychain')
  await expect(keytar.delete('apikey/7')).resolves.toBe(true)
  await expect(vault.apiKeys.read('7', origin)).resolves.toEqual({ kind: 'missing' })
  await expect(keytar.get('apikey/7')).resolves.toBeNull()
})

describe('no keychain', () => {
  test.each([
    ['no D-Bus', (): Record<string, string> => ({})],
    ['a D-Bus that is gone', () => ({ DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent/bus' })],
  ])('because of %s: secrets last for this run, and nothing is on the disk', async (_, env) => {
    const userData = await userDataForTest()
    const { vault } = await runVault(env(), userData)
    expect(vault.state.value).toMatchObject({ kind: 'unavailable', detail: expect.stringMatching(/\S/) })
    await expect(vault.apiKeys.keep('7', { apiKey, origin }, 'keychain')).resolves.toEqual({
      keptIn: 'memory',
    })
    await vault.sshKey.create('ada@slipway')
    await expect(vault.apiKeys.read('7', origin)).resolves.toEqual({ kind: 'found', value: apiKey })
    await expect(vault.sshKey.privateKey()).resolves.toEqual({ kind: 'found', value: privateKeyCanary })
    expect(await readdir(userData)).toEqual([])
  })

  test('because the daemon ended: unavailable, never absent, and back at the next start', async () => {
    const { env, stopDaemon, startDaemon } = await keyringForTest()
    const userData = await userDataForTest()
    const { vault } = await runVault(env, userData)
    await vault.apiKeys.keep('7', { apiKey, origin }, 'keychain')

    await stopDaemon()
    await expect(vault.apiKeys.read('7', origin)).resolves.toMatchObject({ kind: 'unavailable' })
    await expect(vault.apiKeys.forget('7')).rejects.toMatchObject({
      problem: { kind: 'keychain-unavailable' },
    })

    await startDaemon()
    // This run's libsecret may go on speaking to the daemon that was; it must not take that for an empty keyring.
    expect(['found', 'unavailable']).toContain((await vault.apiKeys.read('7', origin)).kind)
    const { vault: next } = await runVault(env, userData)
    await expect(next.apiKeys.read('7', origin)).resolves.toEqual({ kind: 'found', value: apiKey })
  })

  test('after a restart without a password is locked, and whole once it is given', async () => {
    const { env, stopDaemon, startDaemon, unlock } = await keyringForTest()
    const userData = await userDataForTest()
    const first = await runVault(env, userData)
    await first.vault.apiKeys.keep('7', { apiKey, origin }, 'keychain')
    await stopDaemon()
    await startDaemon({ locked: true })

    const { vault } = await runVault(env, userData)
    await expect(vault.apiKeys.read('7', origin)).resolves.toMatchObject({ kind: 'locked' })
    await unlock()
    await expect(vault.apiKeys.read('7', origin)).resolves.toEqual({ kind: 'found', value: apiKey })
  })
})

test('a keyring that stops answering is unavailable at the deadline, and works again when it wakes', async () => {
  const { env, freeze, thaw } = await keyringForTest()
  const clock = hastyClock()
  const { vault } = await runVault(env, await userDataForTest(), { clock })
  await vault.apiKeys.keep('7', { apiKey, origin }, 'keychain')
  freeze()
  clock.hurry()
  const begun = performance.now()
  await expect(vault.apiKeys.read('7', origin)).resolves.toMatchObject({
    kind: 'unavailable',
    detail: expect.stringContaining('didn’t answer'),
  })
  expect(performance.now() - begun).toBeLessThan(9_000)
  thaw()
  clock.calm()
  await expect.poll(async () => (await vault.check()).kind).toBe('available')
  await expect(vault.apiKeys.read('7', origin)).resolves.toEqual({ kind: 'found', value: apiKey })
})

test('no secret is in any file, neither in ours nor readable in those of the keyring', async () => {
  const { env, folder, lock } = await keyringForTest()
  const userData = await userDataForTest()
  const { vault } = await runVault(env, userData)
  await vault.apiKeys.keep('7', { apiKey, origin }, 'keychain')
  await vault.sshKey.create('ada@slipway')
  await vault.apiKeys.keep('8', { apiKey: `${apiKey}-in-memory`, origin }, 'memory')
  await lock()

  const ours = await contentOf(userData)
  expect(ours).toContain('ssh-ed25519')
  const secrets = [apiKey, 'canary of the private key'].flatMap((secret) => [
    secret,
    Buffer.from(secret).toString('hex'),
    // Inside base64 the neighbors change the ends.
    Buffer.from(secret).toString('base64url').slice(4, 20),
    Buffer.from(` ${secret}`).toString('base64url').slice(4, 20),
    Buffer.from(`  ${secret}`).toString('base64url').slice(4, 20),
  ])
  for (const content of [ours, await contentOf(folder)])
    expect(secrets.filter((secret) => content.includes(secret))).toEqual([])
})

async function contentOf(folder: string): Promise<string> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = found.filter((entry) => entry.isFile())
  expect(files).not.toEqual([])
  return (await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), 'latin1')))).join(
    '\n',
  )
}
