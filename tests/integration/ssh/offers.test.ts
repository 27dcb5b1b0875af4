import { expect, test } from 'vitest'
import { makeEd25519KeyPair } from '../../../src-main/ssh/key-pair.ts'
import { openTerminal } from './machine.ts'
import { startSshd, user } from './sshd.ts'

const { privateKey, publicKey } = makeEd25519KeyPair('test')

test.each([
  ['Ciphers aes256-cbc', 'for encryption it offers aes256-cbc; Slipway accepts aes128-gcm@openssh.com'],
  ['KexAlgorithms diffie-hellman-group14-sha1', 'for key exchange it offers diffie-hellman-group14-sha1'],
])('a server with %s alone: both offers are told', async (line, detail) => {
  const { address } = await startSshd({ authorizedKeys: [publicKey.line], config: [line] })
  const identities = { keys: [{ name: 'a key', privateKey }], agentSocket: null, skipped: [] }
  const terminal = await openTerminal({ address, user, identities })
  expect(await terminal.until('failed')).toMatchObject({
    problem: { kind: 'no-common-algorithm', detail: expect.stringContaining(detail) as string },
  })
})
