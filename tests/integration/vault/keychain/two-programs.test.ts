import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { development, installed } from '../../../../src-main/desktop/app-identity.ts'
import type { KeychainBackend } from '#services/vault/keychain/keychain-backend.ts'
import type { KeytarHost } from '#services/vault/keychain/keytar-process.ts'
import { openKeychain } from '#services/vault/keychain/open-keychain.ts'
import { startSimulator } from '../../../simulator/simulator.ts'
import { startMain } from '../../whole/main-program.ts'
import { startKeytarProcess } from './keytar-process.ts'
import { keyringForTest, userDataForTest } from './run-of-slipway.ts'

/** As desktop/keychain-process.ts starts it, with what the double has in place of Electron's port. */
function startProcessOn(env: Readonly<Record<string, string>>): (service: string) => Promise<KeytarHost> {
  return async (service) => {
    const host = fileURLToPath(
      new URL('../../../../src-main/services/vault/keychain/keychain-host.ts', import.meta.url),
    )
    const port = fileURLToPath(new URL('../../../electron-on-chromium/parent-port.mjs', import.meta.url))
    const child: ChildProcess = fork(host, [`--service=${service}`], {
      env: { PATH: process.env['PATH'], ...env },
      execArgv: ['--import', port],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    expect((await once(child, 'message'))[0]).toBe('ready')
    return {
      send: (request) => child.send(request),
      onMessage: (listen) => void child.on('message', listen),
      ended: once(child, 'exit').then(String),
      kill: () => void child.kill('SIGKILL'),
    }
  }
}

test('two Slipways of different names on one keyring: nothing that one does touches an entry of the other', async () => {
  const { env } = await keyringForTest()
  const service = await startSimulator()
  onTestFinished(() => service.close())
  const used = new Set<string>()
  const ours = await openKeychain({
    service: development.name,
    platform: 'linux',
    startProcess: startProcessOn(env),
  })
  const keychain: KeychainBackend = {
    ...ours,
    set: (name, value) => {
      used.add(name)
      return ours.set(name, value)
    },
  }
  const start = (userData: string) => startMain({ userData, keychain })
  const userData = await userDataForTest()
  let main = await start(userData)

  // All that has an entry, an import included.
  const { client } = await main.connect(service)
  const uri = 'otpauth://totp/Rental:ada?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
  await client.vault.importText({ text: uri, passphrase: null, keepIn: 'keychain' })
  await client.vault.addBackupCodes({ text: 'AAAA-BBBB-CCCC', keepIn: 'keychain' })
  await client.ssh.keys.create()
  expect([...used].map((name) => name.split('/')[0])).toEqual(
    expect.arrayContaining(['canary', 'apikey', 'totp', 'backup', 'ssh']),
  )

  // The installed app's, under the very same names.
  const theirs = startKeytarProcess(env, installed.name)
  const names = [...used]
  const theirEntries = async (): Promise<readonly (string | null)[]> =>
    Promise.all(names.map((name) => theirs.get(name)))
  for (const name of names) await theirs.set(name, `theirs: ${name}`)
  const before = await theirEntries()
  expect(before).not.toContain(null)

  await client.accounts.signOut()
  await main.connect(service)
  const all = ['window', 'preferences', 'caches', 'known-hosts', 'account', 'secrets'] as const
  await main.window().client.diagnostics.reset({ parts: [...all], typed: 'reset and delete my secrets' })
  await main.app.dispose()
  main = await start(userData)
  await main.app.dispose()

  expect(await theirEntries()).toEqual(before)
  for (const name of used) expect(await ours.get(name), name).toBeNull()
})
