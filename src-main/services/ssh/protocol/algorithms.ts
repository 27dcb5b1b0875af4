import { getCiphers, getCurves } from 'node:crypto'
import type { CipherAlgorithm, KexAlgorithm, MacAlgorithm, ServerHostKeyAlgorithm } from 'ssh2'

/**
 * In the order of preference. AES-GCM first: without ssh2's native binding (as in Electron) it is by far the
 * fastest, chacha20 the slowest. Each name stands with what it needs of the crypto library, because
 * Electron's BoringSSL offers less than Node's OpenSSL.
 */
const ciphers: readonly (readonly [name: CipherAlgorithm, needs: string])[] = [
  ['aes128-gcm@openssh.com', 'aes-128-gcm'],
  ['aes256-gcm@openssh.com', 'aes-256-gcm'],
  ['aes128-ctr', 'aes-128-ctr'],
  ['aes192-ctr', 'aes-192-ctr'],
  ['aes256-ctr', 'aes-256-ctr'],
  ['chacha20-poly1305@openssh.com', 'chacha20'],
]

const hostKeys: readonly ServerHostKeyAlgorithm[] = [
  'ssh-ed25519',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'rsa-sha2-512',
  'rsa-sha2-256',
]

const keyExchanges: readonly (readonly [name: KexAlgorithm, needs: KexNeed])[] = [
  ['curve25519-sha256', {}],
  ['curve25519-sha256@libssh.org', {}],
  ['ecdh-sha2-nistp256', { curve: 'prime256v1' }],
  ['ecdh-sha2-nistp384', { curve: 'secp384r1' }],
  ['ecdh-sha2-nistp521', { curve: 'secp521r1' }],
  // Half a second with BoringSSL.
  ['diffie-hellman-group14-sha256', {}],
  // For servers that allow nothing else (RFC 8268); not group-exchange, whose primes ssh2 takes as they come.
  ['diffie-hellman-group16-sha512', { quickGroups: true }],
  ['diffie-hellman-group18-sha512', { quickGroups: true }],
  ['diffie-hellman-group17-sha512', { quickGroups: true }],
  ['diffie-hellman-group15-sha512', { quickGroups: true }],
]

interface KexNeed {
  readonly curve?: string
  /**
   * A crypto library that knows that the groups of RFC 3526 are sound. Node asks for that with each group that is
   * made, and BoringSSL tests the prime anew: 1.5 s for modp15, 3.4 s, 11 s and 26 s for modp16 to modp18, in which
   * main does nothing else. So no group is made only to see whether it is there, either: both libraries have them all.
   */
  readonly quickGroups?: true
}

const macs: readonly MacAlgorithm[] = [
  'hmac-sha2-256-etm@openssh.com',
  'hmac-sha2-512-etm@openssh.com',
  'hmac-sha2-256',
  'hmac-sha2-512',
]

/** In the order of preference; as ssh2 takes it. */
export interface OfferedAlgorithms {
  readonly cipher: CipherAlgorithm[]
  readonly kex: KexAlgorithm[]
  readonly serverHostKey: ServerHostKeyAlgorithm[]
  readonly hmac: MacAlgorithm[]
  readonly compress: 'none'[]
}

/**
 * What is offered to a host: only what the crypto library of this run has.
 *
 * @param known algorithms of the keys stored for the host; they come first, as in OpenSSH, so that a host
 *   with several keys shows the one that is known
 */
export function algorithmsFor(known: readonly string[]): OfferedAlgorithms {
  const ciphersHere = new Set(getCiphers())
  const curvesHere = new Set(getCurves())
  const isHere = ({ curve, quickGroups }: KexNeed): boolean =>
    (curve === undefined || curvesHere.has(curve)) && (quickGroups === undefined || !isBoringSsl())
  const isKnown = (algorithm: string): boolean =>
    known.includes(algorithm) || (algorithm.startsWith('rsa-') && known.includes('ssh-rsa'))
  return {
    cipher: ciphers.filter(([, needs]) => ciphersHere.has(needs)).map(([name]) => name),
    kex: keyExchanges.filter(([, needs]) => isHere(needs)).map(([name]) => name),
    serverHostKey: [...hostKeys.filter(isKnown), ...hostKeys.filter((algorithm) => !isKnown(algorithm))],
    hmac: [...macs],
    // Costs more than it saves, and has been a way in.
    compress: ['none'],
  }
}

/** Electron's Node says so of itself; Node's typings do not know it yet. */
function isBoringSsl(): boolean {
  return Reflect.get(process.features, 'openssl_is_boringssl') === true
}
