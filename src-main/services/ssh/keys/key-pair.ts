import ssh2 from 'ssh2'
import type { PublicKey } from '../../../domain/ssh/ssh-key.ts'
import { fingerprintOf, parsePublicKey } from '../protocol/public-key.ts'

/**
 * A new Ed25519 key pair.
 *
 * @param comment ends the public line; one word
 * @returns the private key in OpenSSH's format, without a passphrase
 */
export function makeEd25519KeyPair(comment: string): {
  readonly privateKey: string
  readonly publicKey: PublicKey
} {
  for (;;) {
    const pair = ssh2.utils.generateKeyPairSync('ed25519', { comment })
    const publicKey = parsePublicKey(pair.public)
    // ssh2 1.17 leaves out a half's first byte when it is zero: one pair in 128 cannot be read by anybody.
    if (publicKey !== null && opens(pair.private, publicKey)) return { privateKey: pair.private, publicKey }
  }
}

/** Whether the private half can be read, and belongs to the public one. */
function opens(privateKey: string, publicKey: PublicKey): boolean {
  const key = ssh2.utils.parseKey(privateKey)
  return !(key instanceof Error) && fingerprintOf(key.getPublicSSH()) === publicKey.fingerprint
}
