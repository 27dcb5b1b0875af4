import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import type { VaultCodes } from '#domain/vault/vault-view.ts'
import { startSimulator } from '../../simulator/simulator.ts'
import {
  aegisEntry,
  migrationLink,
  plainTwoFas,
  sealAegis,
} from '../../support/vault/authenticator-exports.ts'
import { type Client, startMain } from '../whole/main-program.ts'
import { keyringForTest, userDataForTest } from './keychain/run-of-slipway.ts'
import { startKeytarProcess } from './keychain/keytar-process.ts'

/** The secret of RFC 6238's vectors, as bytes and as base32. */
const bytes = Buffer.from('12345678901234567890')
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const keepIn = 'keychain'

/** What Debian's own generator says now. */
async function askOathtool(digits: number, algorithm: string): Promise<string> {
  const options = [`--totp=${algorithm}`, `--digits=${digits}`, '--base32', secret]
  return (await promisify(execFile)('oathtool', options)).stdout.trim()
}

/** The code that the vault gives for each entry, by its account's name. */
async function codesOf(client: Client): Promise<Record<string, string>> {
  const entries = await first(await client.vault.watch(), () => true)
  const pushed = await first(
    await client.vault.watchCodes(),
    (codes): codes is Extract<VaultCodes, { kind: 'shown' }> =>
      codes.kind === 'shown' && codes.codes.length === entries.entries.length,
  )
  return Object.fromEntries(
    entries.entries.map(({ id, label }) => {
      const code = pushed.codes.find((one) => one.id === id)
      return [label, code?.kind === 'code' ? code.code : '']
    }),
  )
}

async function first<T, S extends T>(iterator: AsyncIterable<T>, is: (value: T) => value is S): Promise<S>
async function first<T>(iterator: AsyncIterable<T>, is: (value: T) => boolean): Promise<T>
async function first<T>(iterator: AsyncIterable<T>, is: (value: T) => boolean): Promise<T> {
  for await (const value of iterator) if (is(value)) return value
  throw new Error('It ended')
}

test('one-time passwords of other authenticators are in the keyring afterward, and give the right codes at the next start', async () => {
  const { env, lock, unlock } = await keyringForTest()
  const service = await startSimulator()
  onTestFinished(() => service.close())
  const userData = await userDataForTest()
  // Whichever runs, also when something fails before it's ended.
  onTestFinished(() => main.app.dispose())
  let main = await startMain({ userData, keychain: startKeytarProcess(env) })
  const { client } = await main.connect(service)

  const text = sealAegis(
    [
      aegisEntry('ada', 'Git', secret),
      aegisEntry('bob', 'Mail', secret, { info: { algo: 'SHA512', digits: 8 } }),
      aegisEntry('carol', 'Bank', secret, { type: 'hotp' }),
    ],
    'right',
  )
  const importAegis = (passphrase: string | null) => client.vault.importText({ text, passphrase, keepIn })
  await expect(importAegis(null)).rejects.toMatchObject({
    data: { field: 'passphrase', fault: { code: 'missing' } },
  })
  await expect(importAegis('wrong')).rejects.toMatchObject({
    data: { field: 'passphrase', fault: { code: 'wrong-password' } },
  })
  // A keyring that is locked refuses it whole.
  await lock()
  await expect(importAegis('right')).rejects.toMatchObject({ data: { kind: 'keychain-locked' } })
  await unlock()
  await client.vault.keychain.check()
  await expect(importAegis('right')).resolves.toEqual({
    source: 'aegis',
    added: 2,
    backupSets: 0,
    leftOut: [{ why: 'counter-based', count: 1, entries: [{ name: 'Bank: carol', line: null }] }],
    missingParts: [],
    stopped: null,
  })

  // The same secret from elsewhere is known, another way of making codes of it is not.
  const links = [
    migrationLink([{ secret: bytes, name: 'ada at work', issuer: 'Git' }], { size: 2, index: 1 }),
    migrationLink([{ secret: bytes, name: 'dan', digits: 2 }], { id: 5 }),
  ]
  await expect(
    client.vault.importText({ text: links.join('\n'), passphrase: null, keepIn }),
  ).resolves.toMatchObject({
    source: 'google-authenticator',
    added: 1,
    leftOut: [{ why: 'in-vault', entries: [{ name: 'Git: ada at work' }] }],
    missingParts: [{ part: 1, of: 2 }],
  })
  const backup = plainTwoFas([
    { name: 'Shop', secret, otp: { account: 'eve', digits: 7, tokenType: 'TOTP' } },
    { name: 'Shop', secret, otp: { account: 'again', digits: 7, tokenType: 'TOTP' } },
  ])
  await expect(client.vault.importText({ text: backup, passphrase: null, keepIn })).resolves.toMatchObject({
    source: '2fas',
    added: 1,
    leftOut: [{ why: 'in-vault', count: 1 }],
  })
  await main.app.dispose()

  main = await startMain({ userData, keychain: startKeytarProcess(env) })
  const again = main.window().client
  await expect
    .poll(async () => ({ now: await expected(), vault: await codesOf(again) }))
    .toSatisfy(
      ({ now, vault }: { now: object; vault: object }) => JSON.stringify(now) === JSON.stringify(vault),
    )
})

async function expected(): Promise<Record<string, string>> {
  return {
    ada: await askOathtool(6, 'sha1'),
    bob: await askOathtool(8, 'sha512'),
    dan: await askOathtool(8, 'sha1'),
    eve: await askOathtool(7, 'sha1'),
  }
}
