import { readFile, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { ProblemError } from '../domain/problem.ts'
import { readPrivateKey } from './private-key.ts'

/** A private key file: one that can be tried, one that needs its passphrase first, or why it cannot be used. */
export type IdentityFile =
  | { readonly kind: 'open'; readonly privateKey: string }
  | { readonly kind: 'locked'; readonly text: string; readonly publicKey: Buffer | null }
  | { readonly kind: 'unusable'; readonly why: string }

/** Longer than any private key; a device or a disk image must not be read whole. */
const longest = 64 * 1024

/** @throws ProblemError `invalid-input` when no login could be tried with the file as it is now */
export async function requireUsableIdentityFile(path: string): Promise<void> {
  const file = await readIdentityFile(path)
  if (file.kind === 'unusable')
    throw new ProblemError({ kind: 'invalid-input', field: 'path', message: file.why })
}

/** Reads a private key file as it is now. `~/` stands for the home folder. */
export async function readIdentityFile(path: string): Promise<IdentityFile> {
  let text: string
  try {
    const place = path.replace(/^~(?=[/\\])/, homedir())
    const found = await stat(place)
    if (found.isDirectory()) return { kind: 'unusable', why: 'it is a folder' }
    if (!found.isFile()) return { kind: 'unusable', why: 'it is not a file' }
    if (found.size > longest) return { kind: 'unusable', why: 'it is too long to be a key' }
    text = await readFile(place, 'utf8')
  } catch (error) {
    return { kind: 'unusable', why: whyUnreadable(error) }
  }
  const key = readPrivateKey(text)
  return key.kind === 'locked' ? { ...key, text } : key
}

function whyUnreadable(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  switch (code) {
    case 'ENOENT':
      return 'there is no such file'
    case 'EACCES':
    case 'EPERM':
      return 'it may not be read by you'
    default:
      return 'it cannot be read'
  }
}
