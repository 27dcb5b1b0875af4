import { utils } from 'ssh2'
import { expect, test } from 'vitest'
import {
  fingerprintOf,
  makeEd25519KeyPair,
  parsePublicKey,
} from '../../../../src-main/services/ssh/keys/key-pair.ts'

test('each of many pairs can be read, and its halves belong together', () => {
  for (let pair = 0; pair < 1500; pair += 1) {
    const { privateKey, publicKey } = makeEd25519KeyPair('slipway')
    const key = utils.parseKey(privateKey)
    if (key instanceof Error) throw key
    expect(fingerprintOf(key.getPublicSSH())).toBe(publicKey.fingerprint)
  }
})

test.each(['', 'ssh-ed25519', 'ssh-ed25519 AAAA', 'a key', makeEd25519KeyPair('private').privateKey])(
  'what is no public key is none: %#',
  (line) => {
    expect(parsePublicKey(line)).toBeNull()
  },
)
