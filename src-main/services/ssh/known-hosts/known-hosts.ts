import { createHmac, timingSafeEqual } from 'node:crypto'
import type { SshAddress } from '../../../domain/ssh/ssh.ts'
import { algorithmOf } from '../protocol/public-key.ts'

/**
 * One key that a known_hosts file holds (sshd(8), SSH_KNOWN_HOSTS FILE FORMAT). Lines that are no keys
 * (comments, blanks, what nobody understands) are kept by never being rewritten.
 */
export interface KnownHost {
  /** 1-based. */
  readonly line: number
  readonly marker: 'revoked' | 'cert-authority' | null
  /** As in the file: patterns with commas, or one hashed name. */
  readonly hosts: string
  readonly algorithm: string
  /** In SSH's wire format. */
  readonly key: Buffer
}

/** What the known keys say of the one that a host shows. */
export type HostKeyVerdict =
  | { readonly kind: 'trusted' }
  | { readonly kind: 'unknown' }
  /** `stored`: the keys for this host, of whatever algorithm. */
  | { readonly kind: 'changed'; readonly stored: readonly KnownHost[] }
  | { readonly kind: 'revoked'; readonly stored: readonly KnownHost[] }

/** Every key of the file, in order. */
export function parseKnownHosts(text: string): KnownHost[] {
  return text.split('\n').flatMap((line, index) => parseLine(line, index + 1) ?? [])
}

/** What the file says about a key that a host shows. A revoked key counts before everything else. */
export function judgeHostKey(known: readonly KnownHost[], address: SshAddress, key: Buffer): HostKeyVerdict {
  const plain = keysOf(known, address)
  const same = plain.filter((entry) => entry.key.equals(key))
  const revoked = same.filter(({ marker }) => marker === 'revoked')
  if (revoked.length > 0) return { kind: 'revoked', stored: revoked }
  const trusted = trustedOf(known, address)
  if (trusted.some((entry) => entry.key.equals(key))) return { kind: 'trusted' }
  return trusted.length > 0 ? { kind: 'changed', stored: trusted } : { kind: 'unknown' }
}

/** The entries that name this host, without certificate authorities: they vouch for certificates only. */
export function keysOf(known: readonly KnownHost[], address: SshAddress): KnownHost[] {
  const name = hostName(address)
  return known.filter(({ marker, hosts }) => marker !== 'cert-authority' && matchesHosts(hosts, name))
}

/** The same, without those that are revoked. */
export function trustedOf(known: readonly KnownHost[], address: SshAddress): KnownHost[] {
  return keysOf(known, address).filter(({ marker }) => marker === null)
}

/** How a host is written in the file: `host`, or `[host]:port` when the port is not 22. */
export function hostName({ host, port }: SshAddress): string {
  const name = host.toLowerCase()
  return port === 22 ? name : `[${name}]:${port}`
}

/** A line for the file. @param key in SSH's wire format */
export function knownHostsLine(address: SshAddress, algorithm: string, key: Buffer): string {
  return `${hostName(address)} ${algorithm} ${key.toString('base64')}`
}

function parseLine(text: string, line: number): KnownHost | null {
  const words = text.trim().split(/\s+/)
  const first = words[0] ?? ''
  if (first === '' || first.startsWith('#')) return null
  const marker = first === '@revoked' ? 'revoked' : first === '@cert-authority' ? 'cert-authority' : null
  if (first.startsWith('@') && marker === null) return null
  const [hosts, algorithm, base64] = marker === null ? words : words.slice(1)
  if (hosts === undefined || algorithm === undefined || base64 === undefined) return null
  const key = Buffer.from(base64, 'base64')
  // The key itself begins with its algorithm (RFC 4253 section 6.6): what contradicts it is no key.
  return algorithmOf(key) === algorithm ? { line, marker, hosts, algorithm, key } : null
}

/** A line's hosts without this one; `null` where it stands for one host only. */
export function hostsWithout(hosts: string, address: SshAddress): string | null {
  const name = hostName(address)
  if (hosts.startsWith('|') || !/[,*?]/.test(hosts)) return null
  return matchesHosts(hosts, name) ? `${hosts},!${name}` : hosts
}

/** Whether names and patterns with commas, or one hashed name, stand for this host. */
export function matchesHosts(hosts: string, name: string): boolean {
  if (hosts.startsWith('|')) return matchesHash(hosts, name)
  const patterns = hosts.split(',')
  // One negated pattern that fits takes the whole line away.
  if (patterns.some((pattern) => pattern.startsWith('!') && fitsPattern(pattern.slice(1), name))) return false
  return patterns.some((pattern) => !pattern.startsWith('!') && fitsPattern(pattern, name))
}

/** The name as OpenSSH hashes it (`HashKnownHosts`): `|1|salt|HMAC-SHA1`. */
function matchesHash(hashed: string, name: string): boolean {
  const [, version, salt, hash] = hashed.split('|')
  if (version !== '1' || salt === undefined || hash === undefined) return false
  const wanted = Buffer.from(hash, 'base64')
  const actual = createHmac('sha1', Buffer.from(salt, 'base64')).update(name).digest()
  return wanted.length === actual.length && timingSafeEqual(wanted, actual)
}

/** `*` and `?` as in OpenSSH, for a name in small letters. Not by a RegExp: with many stars that takes minutes. */
export function fitsPattern(pattern: string, name: string): boolean {
  const wanted = pattern.toLowerCase()
  let at = 0
  /** Where to go on when what follows the last star does not fit: that star takes one character more. */
  let retry: { readonly afterStar: number; readonly nameAt: number } | null = null
  for (let nameAt = 0; nameAt < name.length;) {
    if (wanted[at] === '*') {
      at += 1
      retry = { afterStar: at, nameAt: nameAt + 1 }
    } else if (wanted[at] === '?' || wanted[at] === name[nameAt]) {
      at += 1
      nameAt += 1
    } else if (retry !== null) {
      at = retry.afterStar
      nameAt = retry.nameAt
      retry = { afterStar: at, nameAt: nameAt + 1 }
    } else return false
  }
  return /^\**$/.test(wanted.slice(at))
}
