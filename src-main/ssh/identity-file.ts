import { createPrivateKey } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import ssh2, { type ParsedKey } from 'ssh2'
import { ProblemError } from '../domain/problem.ts'

/** A private key that can be tried, or why it cannot. */
export type IdentityFile =
  | { readonly kind: 'usable'; readonly privateKey: string }
  | { readonly kind: 'unusable'; readonly why: string }

/** Longer than any private key; a device or a disk image must not be read whole. */
const longest = 64 * 1024

/** @throws ProblemError `invalid-input` when no login could be tried with the file as it is now */
export async function requireUsableIdentityFile(path: string): Promise<void> {
  const file = await readIdentityFile(path)
  if (file.kind === 'unusable')
    throw new ProblemError({ kind: 'invalid-input', field: 'path', message: file.why })
}

/** Reads a private key in OpenSSH's format, PEM (PKCS#1, SEC 1) or PKCS#8. `~/` stands for the home folder. */
export async function readIdentityFile(path: string): Promise<IdentityFile> {
  let text: string
  try {
    text = await readFile(path.replace(/^~(?=[/\\])/, homedir()), 'utf8')
  } catch (error) {
    return { kind: 'unusable', why: whyUnreadable(error) }
  }
  if (text.length > longest) return { kind: 'unusable', why: 'it is too long to be a key' }
  return parseIdentity(text)
}

/** The key in a form that ssh2 takes. */
export function parseIdentity(text: string): IdentityFile {
  const key = firstKey(ssh2.utils.parseKey(text))
  if (key instanceof Error) return fromPkcs8(text, key.message)
  if (!key.isPrivateKey())
    return { kind: 'unusable', why: 'it holds a public key; the private one is needed' }
  return { kind: 'usable', privateKey: text }
}

/** ssh2 gives several for a file in OpenSSH's format, though its types do not say so. */
function firstKey(parsed: ParsedKey | Error | readonly ParsedKey[]): ParsedKey | Error {
  if (!isList(parsed)) return parsed
  return parsed[0] ?? new Error('no key')
}

function isList(parsed: ParsedKey | Error | readonly ParsedKey[]): parsed is readonly ParsedKey[] {
  return Array.isArray(parsed)
}

/** ssh2 does not read PKCS#8; Node does, and writes what ssh2 reads. */
function fromPkcs8(text: string, message: string): IdentityFile {
  if (/ENCRYPTED/.test(text) || /encrypted|passphrase/i.test(message))
    return {
      kind: 'unusable',
      why: 'it is protected by a passphrase, which Slipway cannot ask for yet; use your SSH agent',
    }
  if (!text.includes('-----BEGIN PRIVATE KEY-----'))
    return { kind: 'unusable', why: 'it is not a private key' }
  try {
    const key = createPrivateKey(text)
    switch (key.asymmetricKeyType) {
      case 'rsa':
        return { kind: 'usable', privateKey: key.export({ type: 'pkcs1', format: 'pem' }).toString() }
      case 'ec':
        return { kind: 'usable', privateKey: key.export({ type: 'sec1', format: 'pem' }).toString() }
      default:
        return {
          kind: 'unusable',
          why: `a ${key.asymmetricKeyType ?? ''} key in PKCS#8 form cannot be read; convert it with ssh-keygen -p`,
        }
    }
  } catch (error) {
    return {
      kind: 'unusable',
      why: `it is not a private key (${error instanceof Error ? error.message : ''})`,
    }
  }
}

function whyUnreadable(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  switch (code) {
    case 'ENOENT':
      return 'there is no such file'
    case 'EACCES':
    case 'EPERM':
      return 'it may not be read by you'
    case 'EISDIR':
      return 'it is a folder'
    default:
      return 'it cannot be read'
  }
}
