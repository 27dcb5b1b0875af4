import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { App } from '../../../src-main/app/create-app.ts'
import type { VaultAccount } from '#domain/vault/vault-view.ts'
import { makeEd25519KeyPair } from '#services/ssh/keys/key-pair.ts'
import { openIndexedKeychain } from '#services/vault/open-vault.ts'
import { createVault } from '#services/vault/vault.ts'
import { systemClock } from '../../../src-main/app/system-clock.ts'
import type { KeychainBackend } from '#services/vault/keychain/keychain-backend.ts'
import { startKeytarProcess } from '../vault/keychain/keytar-process.ts'
import { keyringForTest, userDataForTest } from '../vault/keychain/run-of-slipway.ts'
import { startMain, type Client } from '../whole/main-program.ts'

/** The whole program but its windows, on a real keyring, and the calls that a page would make. */
export interface Program {
  readonly app: App
  readonly userData: string
  /** The calls of the page that is for this account; `null`: for none. */
  readonly pageFor: (id: string | null) => Client
  /** An entry of the keychain under its name; `null` when there is none. */
  readonly keychainEntry: (name: string) => Promise<string | null>
}

interface Enrolled {
  readonly account: VaultAccount
  readonly label: string
}

/** @param enrolled accounts of which an earlier run keeps a one-time password, under the label that is given */
export async function startProgram(enrolled: readonly Enrolled[]): Promise<Program> {
  const { env } = await keyringForTest()
  const userData = await userDataForTest()
  const keychain = startKeytarProcess(env)
  for (const one of enrolled) await enroll(userData, keychain, one)
  const { app, window } = await startMain({ userData, keychain, homeFolder: join(userData, 'home') })
  onTestFinished(() => app.dispose())
  return {
    app,
    userData,
    pageFor: (id) => {
      const { client, close } = window(id)
      onTestFinished(close)
      return client
    },
    keychainEntry: async (name) => {
      const value = await keychain.get(name)
      return value === null ? null : Buffer.from(value.slice('v1.'.length), 'base64url').toString()
    },
  }
}

async function enroll(
  userData: string,
  keychain: KeychainBackend,
  { account, label }: Enrolled,
): Promise<void> {
  const opened = await openIndexedKeychain({
    keychain,
    clock: systemClock,
    file: (name) => ({
      path: join(userData, name),
      clock: systemClock,
      onNotice: ({ detail }) => {
        throw new Error(detail)
      },
    }),
  })
  const vault = createVault({
    ...opened,
    clock: systemClock,
    correctedClock: { now: Date.now, toLocal: (ms) => ms },
    randomId: randomUUID,
    makeKeyPair: makeEd25519KeyPair,
    remember: () => undefined,
  })
  const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
  const uri = `otpauth://totp/Rental:ada?secret=${secret}`
  const { id } = await vault.totp.addPending({ account, uri, secret, label, keepIn: 'keychain' })
  await vault.totp.activate(id, 1)
}

/** What a watch pushes first that is wanted. */
export async function firstOf<T>(
  watch: (input: undefined, options: { readonly signal: AbortSignal }) => Promise<AsyncIterable<T>>,
  isWanted: (value: T) => boolean = () => true,
): Promise<T> {
  const leaving = new AbortController()
  try {
    for await (const value of await watch(undefined, { signal: leaving.signal }))
      if (isWanted(value)) return value
  } finally {
    leaving.abort()
  }
  throw new Error('The watch ended')
}
