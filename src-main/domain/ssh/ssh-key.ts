import { z } from 'zod'
import { keyFault } from '../base/key-fault.ts'
import { keptHostPassword } from './ssh-login.ts'

/** The public side of a key pair, in OpenSSH's terms. */
export const publicKey = z.object({
  /** One line: algorithm, base64, comment. */
  line: z.string(),
  algorithm: z.string(),
  /** `SHA256:…` without padding. */
  fingerprint: z.string(),
})
export type PublicKey = z.infer<typeof publicKey>

/** A private key file that the user chose, as it is now. */
const identityFileState = z.object({
  path: z.string(),
  state: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('ready') }),
    /** It is asked for its passphrase, unless that is kept in the keychain or was given in this run. */
    z.object({ kind: z.literal('locked'), passphrase: z.enum(['asked', 'kept', 'given']) }),
    z.object({ kind: z.literal('unusable'), why: keyFault }),
  ]),
})
export type IdentityFileState = z.infer<typeof identityFileState>

/** What this machine can log in with. */
export const sshAccess = z.object({
  /** The key made by Slipway; its private part is in the keychain. */
  vaultKey: publicKey.nullable(),
  /** The private part cannot be read now; `null` when all is well. */
  vaultKeyTrouble: z.enum(['locked', 'missing', 'unavailable']).nullable(),
  /** In the order in which they are tried. */
  identityFiles: z.array(identityFileState).readonly(),
  /** Further files, named by `~/.ssh/config`, whose passphrases are in the keychain. */
  otherPassphrases: z.array(z.string()).readonly(),
  /** Passwords of hosts that are remembered. */
  hostPasswords: z.array(keptHostPassword).readonly(),
  agent: z.enum(['available', 'absent']),
  /** Whether the account's `ssh_key` holds the vault key; `null` while the account is not known. */
  onAccount: z.boolean().nullable(),
})
export type SshAccess = z.infer<typeof sshAccess>

/**
 * Whether `accountKeys` (the account's `ssh_key`, one or more lines) holds the key of `line`.
 * Comments do not count: the key itself is algorithm and base64.
 */
export function holdsPublicKey(accountKeys: string | null | undefined, line: string): boolean {
  const wanted = keyPart(line)
  if (wanted === null || !accountKeys) return false
  return accountKeys.split(/\r?\n/).some((candidate) => keyPart(candidate) === wanted)
}

function keyPart(line: string): string | null {
  const match = /(?:^|\s)((?:ssh-|ecdsa-|sk-)[\w@.-]+)\s+([A-Za-z0-9+/]+=*)/.exec(line)
  return match ? `${match[1]} ${match[2]}` : null
}
