import { createPrivateKey, type KeyObject } from 'node:crypto'
import ssh2, { type ParsedKey } from 'ssh2'
import type { KeyFault } from '../../../domain/base/key-fault.ts'
import { readOpenSshKey, writeOpenSshEd25519 } from './openssh-key.ts'

/** What the text of a private key comes to. */
export type PrivateKey =
  /** In a form that ssh2 takes. */
  | { readonly kind: 'open'; readonly privateKey: string }
  /** Needs its passphrase, or another one. `publicKey` (in SSH's wire format) where the file tells it. */
  | { readonly kind: 'locked'; readonly publicKey: Buffer | null }
  | { readonly kind: 'unusable'; readonly why: KeyFault }

/**
 * Reads a private key in OpenSSH's format, PEM (PKCS#1, SEC 1), PKCS#8 or PuTTY's. With a passphrase it may
 * take a second: it is meant to be slow.
 */
export function readPrivateKey(text: string, passphrase?: string): PrivateKey {
  const openSsh = readOpenSshKey(text)
  const refusal = whyRefused(text, openSsh?.algorithm ?? null, openSsh?.cipher ?? null)
  if (refusal !== null) return { kind: 'unusable', why: refusal }
  const locked = { kind: 'locked', publicKey: openSsh?.publicKey ?? null } as const
  const isLocked = openSsh === null ? hasPassphrase(text) : openSsh.cipher !== 'none'
  if (isLocked && !passphrase) return locked
  try {
    if (/-----BEGIN (ENCRYPTED )?PRIVATE KEY-----/.test(text))
      return opened(createPrivateKey({ key: text, ...(passphrase && { passphrase }) }))
    const key = firstKey(ssh2.utils.parseKey(text, passphrase))
    if (key instanceof Error) throw key
    if (!key.isPrivateKey()) return unusable({ code: 'public-key' })
    return isLocked ? opened(createPrivateKey(key.getPrivatePEM())) : { kind: 'open', privateKey: text }
  } catch (error) {
    // A wrong passphrase makes nonsense, which is told in as many ways as there are forms.
    if (isLocked && !isUnsupported(error)) return locked
    const detail = error instanceof Error ? error.message : String(error)
    return unusable(
      /unsupported key format/i.test(detail) ? { code: 'not-a-key' } : { code: 'malformed', detail },
    )
  }
}

/** Keys that no login can be tried with, whatever their passphrase. */
function whyRefused(text: string, algorithm: string | null, cipher: string | null): KeyFault | null {
  if (/^\S*-cert-v01@openssh\.com /.test(text)) return { code: 'certificate' }
  if (algorithm?.startsWith('sk-')) return { code: 'security-key' }
  if (algorithm === 'ssh-dss' || /-----BEGIN DSA PRIVATE KEY-----/.test(text)) return { code: 'dsa' }
  if (cipher?.startsWith('chacha20')) return { code: 'cipher', cipher }
  if (/^PuTTY-User-Key-File-(?!2)/.test(text)) return { code: 'putty' }
  return null
}

function hasPassphrase(text: string): boolean {
  return /-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: 4,ENCRYPTED|^Encryption: (?!none)/m.test(text)
}

/** As ssh2 takes it: it reads no PKCS#8. */
function opened(key: KeyObject): PrivateKey {
  switch (key.asymmetricKeyType) {
    case 'rsa':
      return { kind: 'open', privateKey: key.export({ type: 'pkcs1', format: 'pem' }).toString() }
    case 'ec':
      return { kind: 'open', privateKey: key.export({ type: 'sec1', format: 'pem' }).toString() }
    case 'ed25519':
      return { kind: 'open', privateKey: writeOpenSshEd25519(key) }
    default:
      return unusable({ code: 'key-type', type: key.asymmetricKeyType ?? 'unknown' })
  }
}

function unusable(why: KeyFault): PrivateKey {
  return { kind: 'unusable', why }
}

/** ssh2's words for what it does not know. OpenSSL's "unsupported" may be the nonsense of a wrong passphrase. */
function isUnsupported(error: unknown): boolean {
  return error instanceof Error && /^Unsupported (cipher|kdf|OpenSSH)/.test(error.message)
}

/** ssh2 gives several for a file in OpenSSH's format, though its types do not say so. */
export function firstKey(parsed: ParsedKey | Error | readonly ParsedKey[]): ParsedKey | Error {
  if (!isList(parsed)) return parsed
  return parsed[0] ?? new Error('no key')
}

function isList(parsed: ParsedKey | Error | readonly ParsedKey[]): parsed is readonly ParsedKey[] {
  return Array.isArray(parsed)
}
