import { invalidInput } from '../../domain/base/problem.ts'
import type { SentChannel, SignedOutChannel } from '../../domain/two-factor/signed-out.ts'
import { normalizeBackupCode } from '../../domain/vault/backup-codes.ts'
import { parseSixDigits, type Proof } from '../rental-api/two-factor.ts'
import type { Challenges } from './flow/challenges.ts'

/** A code that somebody without a key wants to have sent. */
export interface CodeRequest {
  readonly channel: SentChannel
  /** As typed; empty for the number on the account. SMS only. */
  readonly phoneNumber: string
  /** SMS only. */
  readonly methodId: number | null
  /** Also where an earlier one may be on its way, because its reply was lost. */
  readonly again: boolean
}

/** A code that somebody without a key has. */
export interface TypedCode {
  readonly channel: SignedOutChannel
  /** As typed. */
  readonly code: string
  /** Of the method that it belongs to, where the account has several of its kind. */
  readonly methodId: number | null
  /** Also where the reply to the same code was lost. */
  readonly again: boolean
}

/**
 * What the service is given for a typed code.
 *
 * @throws ProblemError invalid-input (`code`) when it can be none
 */
export function proofOf(
  { challenges, secret }: { readonly challenges: Challenges; readonly secret: string },
  { channel, code: typed, methodId }: TypedCode,
): Proof {
  if (channel === 'backup-code') {
    const backupCode = normalizeBackupCode(typed)
    if (backupCode === '') throw invalidInput('code', { code: 'not-backup-code' })
    return { kind: 'backup-code', backupCode }
  }
  const code = parseSixDigits(typed)
  if (code === null) throw invalidInput('code', { code: 'wrong-form' })
  if (channel === 'totp') return { kind: 'totp', code, methodId }
  const ofCode = challenges.get(channel)?.secret ?? secret
  return channel === 'email'
    ? { kind: 'email', code, secret: ofCode }
    : { kind: 'sms', code, secret: ofCode, methodId }
}
