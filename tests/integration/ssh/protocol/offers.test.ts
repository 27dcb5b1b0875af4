import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { makeEd25519KeyPair } from '#services/ssh/keys/key-pair.ts'
import { startAsyncSsh } from '../../../ssh-servers/asyncssh.ts'
import { openTerminal } from '../machine.ts'
import { startSshd, user } from '../sshd.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const { privateKey, publicKey } = makeEd25519KeyPair('test')

test.each([
  ['Ciphers aes256-cbc', 'for encryption it offers aes256-cbc; Slipway accepts aes128-gcm@openssh.com'],
  ['KexAlgorithms diffie-hellman-group14-sha1', 'for key exchange it offers diffie-hellman-group14-sha1'],
  [
    'KexAlgorithms sntrup761x25519-sha512@openssh.com',
    'for key exchange it offers sntrup761x25519-sha512@openssh.com',
  ],
])('a server with %s alone: both offers are told', async (line, detail) => {
  const { address } = await startSshd({ authorizedKeys: [publicKey.line], config: [line] })
  const identities = { keys: [{ name: 'a key', privateKey }], agentSocket: null, skipped: [] }
  const terminal = await openTerminal({ address, user, identities })
  expect(await terminal.until('failed')).toMatchObject({
    problem: { kind: 'no-common-algorithm', detail: expect.stringContaining(detail) as string },
  })
})

test('a server with a certificate alone as its host key: that is told', async () => {
  const folder = await temporaryFolder()
  const keygen = (...words: readonly string[]) => promisify(execFile)('ssh-keygen', ['-q', ...words])
  const key = join(folder, 'key')
  for (const file of [key, join(folder, 'ca')]) await keygen('-t', 'ed25519', '-N', '', '-f', file)
  await keygen('-s', join(folder, 'ca'), '-h', '-I', 'a host', `${key}.pub`)
  const { address } = await startSshd({
    authorizedKeys: [publicKey.line],
    config: [
      `HostKey ${key}`,
      `HostCertificate ${key}-cert.pub`,
      'HostKeyAlgorithms ssh-ed25519-cert-v01@openssh.com',
    ],
  })
  const identities = { keys: [{ name: 'a key', privateKey }], agentSocket: null, skipped: [] }
  const terminal = await openTerminal({ address, user, identities })
  const detail = 'as host key it offers certificates only (ssh-ed25519-cert-v01@openssh.com); Slipway accepts'
  expect(await terminal.until('failed')).toMatchObject({
    problem: { kind: 'no-common-algorithm', detail: expect.stringContaining(detail) as string },
  })
})

const openSshOffering = (name: string) =>
  startSshd({ authorizedKeys: [publicKey.line], config: [`KexAlgorithms ${name}`] })
// OpenSSH has none of these.
const asyncSshOffering = (name: string) =>
  startAsyncSsh({ authorizedKeys: [publicKey.line], keyExchanges: [name] })

test.each([
  ['diffie-hellman-group15-sha512', asyncSshOffering],
  ['diffie-hellman-group17-sha512', asyncSshOffering],
  ['diffie-hellman-group18-sha512', openSshOffering],
])('a server with %s alone is connected to', async (name, start) => {
  const { address } = await start(name)
  const identities = { keys: [{ name: 'a key', privateKey }], agentSocket: null, skipped: [] }
  const terminal = await openTerminal({ address, user, identities })
  await terminal.trust()
  await terminal.until('open')
})
