import { utils } from 'ssh2'
import { expect, test } from 'vitest'
import { makeEd25519KeyPair } from '#services/ssh/keys/key-pair.ts'
import { fingerprintOf } from '#services/ssh/protocol/public-key.ts'

test('each of many pairs can be read, and its halves belong together', () => {
  for (let pair = 0; pair < 1500; pair += 1) {
    const { privateKey, publicKey } = makeEd25519KeyPair('slipway')
    const key = utils.parseKey(privateKey)
    if (key instanceof Error) throw key
    expect(fingerprintOf(key.getPublicSSH())).toBe(publicKey.fingerprint)
  }
})
