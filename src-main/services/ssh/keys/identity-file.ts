import { readFile, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import type { KeyFault } from '../../../domain/base/key-fault.ts'
import { invalidInput } from '../../../domain/base/problem.ts'
import { readPrivateKey } from './private-key.ts'

/** A private key file: one that can be tried, one that needs its passphrase first, or why it cannot be used. */
export type IdentityFile =
  | { readonly kind: 'open'; readonly privateKey: string }
  | { readonly kind: 'locked'; readonly text: string; readonly publicKey: Buffer | null }
  | { readonly kind: 'unusable'; readonly why: KeyFault }

/** Longer than any private key; a device or a disk image must not be read whole. */
const longest = 64 * 1024

/** @throws ProblemError `invalid-input` when no login could be tried with the file as it is now */
export async function requireUsableIdentityFile(path: string): Promise<void> {
  const file = await readIdentityFile(path)
  if (file.kind === 'unusable') throw invalidInput('path', { code: 'unusable-key', why: file.why })
}

/** Reads a private key file as it is now. `~/` stands for the home folder. */
export async function readIdentityFile(path: string): Promise<IdentityFile> {
  let text: string
  try {
    const place = placeOf(path)
    const found = await stat(place)
    if (found.isDirectory()) return { kind: 'unusable', why: { code: 'folder' } }
    if (!found.isFile()) return { kind: 'unusable', why: { code: 'not-a-file' } }
    if (found.size > longest) return { kind: 'unusable', why: { code: 'too-long' } }
    text = await readFile(place, 'utf8')
  } catch (error) {
    return { kind: 'unusable', why: whyUnreadable(error) }
  }
  const key = readPrivateKey(text)
  return key.kind === 'locked' ? { ...key, text } : key
}

/**
 * The public keys that belong to a private key file, in SSH's wire format: the file beside it, or the file
 * itself where it is a public key, which stands for a key that an agent holds.
 */
export async function readPublicKey(path: string): Promise<readonly Buffer[]> {
  const texts = await Promise.all([path, `${path}.pub`].map(readShort))
  return texts.flatMap((text) => {
    const base64 = /^\s*(?:ssh-|ecdsa-|sk-)\S+\s+([A-Za-z0-9+/]+=*)/.exec(text)?.[1]
    return base64 === undefined ? [] : [Buffer.from(base64, 'base64')]
  })
}

/** Empty when it cannot be read: it is one place of several to look. */
async function readShort(path: string): Promise<string> {
  const place = placeOf(path)
  const isShort = await stat(place).then(
    (found) => found.isFile() && found.size <= longest,
    () => false,
  )
  return isShort ? readFile(place, 'utf8').catch(() => '') : ''
}

function placeOf(path: string): string {
  return path.replace(/^~(?=[/\\])/, () => homedir())
}

function whyUnreadable(error: unknown): KeyFault {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  switch (code) {
    case 'ENOENT':
      return { code: 'no-file' }
    case 'EACCES':
    case 'EPERM':
      return { code: 'no-permission' }
    default:
      return { code: 'unreadable' }
  }
}
