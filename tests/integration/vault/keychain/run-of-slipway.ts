import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Clock } from '#domain/base/clock.ts'
import { openJsonFile } from '#services/storage/json-file.ts'
import { systemClock } from '../../../../src-main/app/system-clock.ts'
import { createKeychain } from '#services/vault/keychain/keychain.ts'
import type { KeyPair } from '#services/vault/keys/ssh-key.ts'
import { createVault, type Vault, type VaultOptions } from '#services/vault/vault.ts'
import { emptyVaultIndex, vaultIndex } from '#services/vault/vault-index.ts'
import { type Keyring, type KeyringOptions, startKeyring } from '../../../keyring/keyring.ts'
import { type KeytarProcess, startKeytarProcess } from './keytar-process.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

/** A keyring for one test. */
export async function keyringForTest(options: KeyringOptions = {}): Promise<Keyring> {
  const keyring = await startKeyring(options)
  onTestFinished(() => keyring.stop())
  return keyring
}

export async function userDataForTest(): Promise<string> {
  const folder = await temporaryFolder()
  return folder
}

interface RunOptions {
  /** In place of real time. */
  readonly clock?: Clock
  readonly correctedClock?: VaultOptions['correctedClock']
}

/** The true time of a machine whose clock is right. */
const localClock: VaultOptions['correctedClock'] = { now: systemClock.now, toLocal: (trueMs) => trueMs }

/** The vault of one run of the program: real keytar, real files. */
export async function runVault(
  env: Readonly<Record<string, string>>,
  userData: string,
  { clock = systemClock, correctedClock = localClock }: RunOptions = {},
): Promise<{ readonly vault: Vault; readonly keytar: KeytarProcess }> {
  const file = await openJsonFile({
    path: join(userData, 'vault.json'),
    schema: vaultIndex,
    fallback: emptyVaultIndex,
    clock: systemClock,
    onNotice: ({ detail }) => {
      throw new Error(detail)
    },
  })
  const keytar = startKeytarProcess(env)
  const vault = createVault({
    keychain: createKeychain({ backend: keytar, clock, deadlineMs: 10_000 }),
    index: { read: () => file.value, write: (next) => file.write(next) },
    clock: systemClock,
    correctedClock,
    remember: () => undefined,
    randomId: randomUUID,
    makeKeyPair,
  })
  await vault.check()
  return { vault, keytar }
}

/** As long as a real one in OpenSSH's format, and easy to search for. */
export const privateKeyCanary = `-----BEGIN CANARY-----\n${'canary of the private key\n'.repeat(16)}`

function makeKeyPair(comment: string): KeyPair {
  return {
    privateKey: privateKeyCanary,
    publicKey: { line: `ssh-ed25519 AAAA ${comment}`, algorithm: 'ssh-ed25519', fingerprint: 'SHA256:x' },
  }
}
