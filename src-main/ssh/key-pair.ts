import { createHash } from 'node:crypto'
import ssh2 from 'ssh2'
import type { PublicKey } from '../domain/ssh-key.ts'

/** `SHA256:` and base64 without padding, as OpenSSH shows fingerprints. @param key in SSH's wire format */
export function fingerprintOf(key: Buffer): string {
  return `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`
}

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
  const pair = ssh2.utils.generateKeyPairSync('ed25519', { comment })
  const publicKey = parsePublicKey(pair.public)
  if (publicKey === null) throw new Error('The new public key cannot be read')
  return { privateKey: pair.private, publicKey }
}

/** A public key from one line of OpenSSH's format; `null` for anything else. */
export function parsePublicKey(line: string): PublicKey | null {
  const key = ssh2.utils.parseKey(line)
  if (key instanceof Error || key.isPrivateKey()) return null
  return { line: line.trim(), algorithm: key.type, fingerprint: fingerprintOf(key.getPublicSSH()) }
}
