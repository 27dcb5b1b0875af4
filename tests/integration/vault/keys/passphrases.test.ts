import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import type { KeyQuestion, PassphraseAnswer } from '#domain/ssh/ssh-passphrase.ts'
import { LockedKeys } from '#services/ssh/keys/locked-keys.ts'
import type { Vault } from '#services/vault/vault.ts'
import { memoryLog } from '../../../support/memory-log.ts'
import { keyringForTest, runVault, userDataForTest } from '../keychain/run-of-slipway.ts'

const passphrase = 'correct horse battery'

async function lockedKey(folder: string) {
  const path = join(folder, 'id')
  await promisify(execFile)('ssh-keygen', ['-q', '-t', 'ed25519', '-N', passphrase, '-f', path])
  return { path, text: await readFile(path, 'utf8'), publicKey: null }
}

/** A run of Slipway's keys, whose user always gives the passphrase and wants it remembered. */
function runOf(vault: Vault) {
  const asked: KeyQuestion[] = []
  const log = memoryLog()
  const keys = new LockedKeys({ store: vault.passphrases, log, remember: () => undefined })
  const ask = (question: KeyQuestion): Promise<PassphraseAnswer> => {
    asked.push(question)
    return Promise.resolve({ passphrase, remember: true })
  }
  return { keys, asked, ask, log }
}

test('with a locked keyring a kept passphrase is asked for, holds for the run, and is found again once it is open', async () => {
  const { env, lock, unlock } = await keyringForTest()
  const { vault } = await runVault(env, await userDataForTest())
  const key = await lockedKey(await userDataForTest())
  const first = runOf(vault)
  expect((await first.keys.open(key, first.ask)).kind).toBe('open')

  await lock()
  const second = runOf(vault)
  expect((await second.keys.open(key, second.ask)).kind).toBe('open')
  expect((await second.keys.open(key, second.ask)).kind).toBe('open')
  expect(second.asked).toMatchObject([{ attempt: 1, trouble: null }])
  expect(second.keys.isOpen(key.text)).toBe(true)
  expect(second.log.lines.join('\n')).not.toContain(passphrase)
  await expect(vault.passphrases.forget(key.path)).rejects.toMatchObject({
    problem: { kind: 'keychain-locked' },
  })

  await unlock()
  const third = runOf(vault)
  expect((await third.keys.open(key, third.ask)).kind).toBe('open')
  expect(third.asked).toEqual([])
})

test('without a keychain a passphrase is asked for once a run, and nothing is listed as kept', async () => {
  const { vault } = await runVault(
    { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent' },
    await userDataForTest(),
  )
  const key = await lockedKey(await userDataForTest())
  const first = runOf(vault)
  expect((await first.keys.open(key, first.ask)).kind).toBe('open')
  expect((await first.keys.open(key, first.ask)).kind).toBe('open')
  expect(first.asked).toHaveLength(1)
  expect(vault.passphrases.paths).toEqual([])
  const next = runOf(vault)
  await next.keys.open(key, next.ask)
  expect(next.asked).toHaveLength(1)
})
