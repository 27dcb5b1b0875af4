// Everything that SSH and the vault ask of the crypto library, once on what Electron's has. The first import stays
// the first: what is imported after it meets BoringSSL.
import { ciphers, curves, groupsMade } from '../../electron-on-chromium/boringssl.ts'
import { createCipheriv, createHash, getCiphers, getCurves } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { algorithmsFor } from '#services/ssh/protocol/algorithms.ts'
import { makeEd25519KeyPair } from '#services/ssh/keys/key-pair.ts'
import { openTerminal } from '../ssh/machine.ts'
import { startSshd, user } from '../ssh/sshd.ts'

// Read with the passphrases of every form that ssh-keygen writes; sealed, exported and opened again.
await import('../../unit/ssh/keys/identity-file.test.ts')
await import('../../unit/ssh/keys/key-pair.test.ts')
await import('../../unit/ssh/protocol/public-key.test.ts')
await import('../../unit/vault/keys/seal.test.ts')
await import('../../unit/vault/export-file.test.ts')
await import('../../unit/vault/import-export.test.ts')
await import('../../unit/vault/codes/totp.test.ts')

test('what the product and ssh2 find is BoringSSL’s', () => {
  expect(getCiphers()).toEqual(ciphers)
  expect(getCurves()).toEqual(curves)
  expect(() => createCipheriv('chacha20', Buffer.alloc(32), Buffer.alloc(16))).toThrow('Unknown cipher')
  expect(() => createHash('blake2b512')).toThrow('Digest method not supported')
})

describe('what is offered to a host', () => {
  const offered = algorithmsFor([])

  test('is found without making a group: each of them would keep main for up to half a minute', () => {
    expect(groupsMade).toEqual([])
  })

  test('has no key exchange that keeps main for more than a second, and no cipher that is not there', () => {
    expect(offered.kex.filter((name) => name.startsWith('diffie-'))).toEqual([
      'diffie-hellman-group14-sha256',
    ])
    expect(offered.cipher).not.toContain('chacha20-poly1305@openssh.com')
  })

  const { privateKey, publicKey } = makeEd25519KeyPair('test')
  test.each([
    ...offered.kex.map((name) => `KexAlgorithms ${name}`),
    ...offered.cipher.map((name) => `Ciphers ${name}`),
    ...offered.hmac.map((name) => `MACs ${name}`),
  ])('works with a server that has %s alone', async (line) => {
    const onlyMacs = line.startsWith('MACs') ? ['Ciphers aes128-ctr'] : []
    const { address } = await startSshd({ authorizedKeys: [publicKey.line], config: [line, ...onlyMacs] })
    const identities = { keys: [{ name: 'a key', privateKey }], agentSocket: null, skipped: [] }
    const terminal = await openTerminal({ address, user, identities })
    await terminal.trust()
    await terminal.until('open')
  })
})
