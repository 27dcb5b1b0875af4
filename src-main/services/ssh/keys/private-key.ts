import { createPrivateKey, type KeyObject } from 'node:crypto'
import ssh2, { type ParsedKey } from 'ssh2'
import { readOpenSshKey, writeOpenSshEd25519 } from './openssh-key.ts'

/** What the text of a private key comes to. */
export type PrivateKey =
  /** In a form that ssh2 takes. */
  | { readonly kind: 'open'; readonly privateKey: string }
  /** Needs its passphrase, or another one. `publicKey` (in SSH's wire format) where the file tells it. */
  | { readonly kind: 'locked'; readonly publicKey: Buffer | null }
  /** `why` begins with "it". */
  | { readonly kind: 'unusable'; readonly why: string }

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
    if (!key.isPrivateKey()) return unusable('it holds a public key; the private one is needed')
    return isLocked ? opened(createPrivateKey(key.getPrivatePEM())) : { kind: 'open', privateKey: text }
  } catch (error) {
    // A wrong passphrase makes nonsense, which is told in as many ways as there are forms.
    if (isLocked && !isUnsupported(error)) return locked
    const detail = error instanceof Error ? error.message : String(error)
    return unusable(
      /unsupported key format/i.test(detail)
        ? 'it’s not a private key'
        : `it can’t be read as a private key (${detail})`,
    )
  }
}

/** Keys that no login can be tried with, whatever their passphrase. */
function whyRefused(text: string, algorithm: string | null, cipher: string | null): string | null {
  if (/^\S*-cert-v01@openssh\.com /.test(text))
    return 'it’s a certificate, and Slipway can’t log in with certificates; choose the private key itself'
  if (algorithm?.startsWith('sk-'))
    return 'it needs a security key (FIDO), which Slipway can’t use; create a key without one'
  if (algorithm === 'ssh-dss' || /-----BEGIN DSA PRIVATE KEY-----/.test(text))
    return 'it’s a DSA key, which SSH servers no longer accept; create an Ed25519 key'
  if (cipher?.startsWith('chacha20'))
    return `it’s encrypted with ${cipher}, which Slipway can’t read; to change that, run “ssh-keygen -p -Z aes256-ctr -f” with its path`
  if (/^PuTTY-User-Key-File-(?!2)/.test(text))
    return 'it’s in a PuTTY format that Slipway can’t read; export it in OpenSSH format with PuTTYgen'
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
      return unusable(`it is of a kind that SSH does not know (${key.asymmetricKeyType ?? 'unknown'})`)
  }
}

function unusable(why: string): PrivateKey {
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
