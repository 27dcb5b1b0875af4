import { expect, test } from 'vitest'
import { makeEd25519KeyPair } from '#services/ssh/keys/key-pair.ts'
import { parsePublicKey } from '#services/ssh/protocol/public-key.ts'

test.each(['', 'ssh-ed25519', 'ssh-ed25519 AAAA', 'a key', makeEd25519KeyPair('private').privateKey])(
  'what is no public key is none: %#',
  (line) => {
    expect(parsePublicKey(line)).toBeNull()
  },
)
