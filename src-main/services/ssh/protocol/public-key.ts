import { createHash } from 'node:crypto'
import ssh2 from 'ssh2'
import type { PublicKey } from '../../../domain/ssh/ssh-key.ts'

/** `SHA256:` and base64 without padding, as OpenSSH shows fingerprints. @param key in SSH's wire format */
export function fingerprintOf(key: Buffer): string {
  return `SHA256:${createHash('sha256')
    .update(key)
    .digest('base64')
    .replace(/(?<!=)=+$/, '')}`
}

/**
 * The algorithm that a key in wire format names; `null` when it is no key. The name may come from a hostile
 * host: nothing that could end a word or a line of the file passes (RFC 4251 section 6).
 */
export function algorithmOf(key: Buffer): string | null {
  if (key.length < 4) return null
  const length = key.readUInt32BE(0)
  if (length === 0 || length > 64 || key.length < 4 + length) return null
  const name = key.toString('latin1', 4, 4 + length)
  return /^[\w.@+-]+$/.test(name) ? name : null
}

/** A public key from one line of OpenSSH's format; `null` for anything else. */
export function parsePublicKey(line: string): PublicKey | null {
  const key = ssh2.utils.parseKey(line)
  if (key instanceof Error || key.isPrivateKey()) return null
  return { line: line.trim(), algorithm: key.type, fingerprint: fingerprintOf(key.getPublicSSH()) }
}
