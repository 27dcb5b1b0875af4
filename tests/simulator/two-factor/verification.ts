import type { z } from 'zod'
import type { Account } from '../accounts.ts'
import { badRequest } from '../api-error.ts'
import type { Challenge } from './challenges.ts'
import { backupCode, channel, methodId, secret, sixDigits } from './fields.ts'
import { countFailure, countSuccess, failuresOf, requireUnlocked } from './lockout.ts'
import { chooseMethod } from './methods.ts'
import { stepOfCode } from './one-time-password.ts'
import { refusal } from './refusals.ts'
import type { Channel, SmsMethod, TwoFactorMethod, TotpMethod } from './state.ts'
import type { TwoFactor } from './two-factor.ts'

/** A code, and what it belongs to. */
export interface Proof {
  readonly channel: Channel
  readonly code: string
  /** Secret of the challenge that sent the code; TOTP has none. */
  readonly secret: string | undefined
  readonly methodId: number | undefined
}

/** What is verified for: a login has one code for most failures, changes have another. */
type Purpose = 'login' | 'change'

/**
 * Takes a code of any channel, once. Answers with the method that it verified, or null for the email address and for
 * a legacy account's number, which are no methods.
 */
export function verify(
  twoFactor: TwoFactor,
  account: Account,
  proof: Proof,
  purpose: Purpose,
): TwoFactorMethod | null {
  switch (proof.channel) {
    case 'totp':
      return verifyTotp(twoFactor, account, proof, purpose)
    case 'sms':
      return verifySms(twoFactor, account, proof, purpose)
    case 'email': {
      if (proof.methodId !== undefined) throw badRequest('body.tfa_method_id: e-mail is no method')
      const challenge = challengeOf(twoFactor, account, proof)
      if (twoFactor.challenges.codeOf(challenge, 'email').code !== proof.code) throw wrongCode(purpose, null)
      twoFactor.challenges.finish(challenge)
      return null
    }
  }
}

/** The TOTP method, if it can be verified with: there, unlocked, its secret readable. */
export function usableTotp(
  twoFactor: TwoFactor,
  account: Account,
  methodId: number | undefined,
): TotpMethod & { readonly secret: string } {
  const method = chooseMethod(twoFactor.stateOf(account), 'totp', methodId)
  if (method === null) throw refusal('tfa_method_not_configured', 'the account has no TOTP secret')
  requireUnlocked(method, twoFactor.clock.now())
  if (!isReadable(method))
    throw refusal('tfa_method_not_configured', 'the TOTP secret cannot be decrypted; set TOTP up again')
  return method
}

const isReadable = (method: TotpMethod): method is TotpMethod & { readonly secret: string } =>
  method.secret !== null

function verifyTotp(twoFactor: TwoFactor, account: Account, proof: Proof, purpose: Purpose): TotpMethod {
  const nowMs = twoFactor.clock.now()
  const method = usableTotp(twoFactor, account, proof.methodId)
  const step = stepOfCode(method.secret, proof.code, nowMs, method.lastStep)
  if (step === null) {
    countFailure(method, nowMs)
    throw wrongCode(purpose, method)
  }
  method.lastStep = step
  countSuccess(method, nowMs)
  return method
}

function verifySms(twoFactor: TwoFactor, account: Account, proof: Proof, purpose: Purpose): SmsMethod | null {
  const nowMs = twoFactor.clock.now()
  const state = twoFactor.stateOf(account)
  const method = chooseMethod(state, 'sms', proof.methodId)
  const number = method?.phoneNumber ?? (state.isLegacy ? state.phoneNumberOnFile : null)
  if (number === null) {
    const msg = 'the account has no phone number to verify with'
    throw refusal(purpose === 'login' ? '2fa_login_failed' : 'missing_phone_number', msg)
  }
  if (method !== null) requireUnlocked(method, nowMs)
  const challenge = challengeOf(twoFactor, account, proof)
  const sent = twoFactor.challenges.codeOf(challenge, 'sms')
  if (sent.to !== number)
    throw refusal('phone_number_mismatch', 'the code was sent to another number than that of the method')
  if (sent.code !== proof.code) {
    if (method !== null) countFailure(method, nowMs)
    throw wrongCode(purpose, method)
  }
  twoFactor.challenges.finish(challenge)
  if (method !== null) countSuccess(method, nowMs)
  return method
}

function challengeOf(twoFactor: TwoFactor, account: Account, proof: Proof): Challenge {
  if (proof.secret === undefined)
    throw refusal('missing_params', `${proof.channel} needs both code and secret; the secret is missing`)
  return twoFactor.challenges.find(proof.secret, account)
}

/** The refusal of a code; `method` is the configured method that it was for, if any. */
export function wrongCode(purpose: Purpose, method: TwoFactorMethod | null): Error {
  const msg = 'the code is wrong or was used'
  if (purpose === 'login') return refusal('2fa_login_failed', msg)
  return refusal('2fa_verification_failed', msg, method === null ? {} : failuresOf(method))
}

/** The fields that prove who sends a request (service API 4.7); `readProof` says which of them are needed. */
export const proofFields = {
  tfa_method: channel.optional(),
  code: sixDigits.optional(),
  secret: secret.optional(),
  tfa_method_id: methodId.optional(),
  backup_code: backupCode.optional(),
}

type ProofFields = z.output<z.ZodObject<typeof proofFields>>

/** Refuses a `secret` where nothing takes it: it is for SMS and email only (service API 5, the table). */
export function requireNoIdleSecret(given: ProofFields): void {
  if (given.secret !== undefined && (given.backup_code !== undefined || given.tfa_method === 'totp'))
    throw badRequest('body.secret: only for verification by sms or email')
}

/** Reads what a change is verified by: a backup code, or a proof. */
export function readProof(given: ProofFields): { readonly backupCode: string } | Proof {
  requireNoIdleSecret(given)
  if (given.backup_code !== undefined) return { backupCode: given.backup_code }
  if (given.code === undefined) throw refusal('missing_auth_value', 'a code or a backup_code is needed')
  if (given.tfa_method === undefined)
    throw badRequest('body.tfa_method: required unless backup_code is given')
  const { tfa_method: of, code, secret: ofChallenge, tfa_method_id: id } = given
  return { channel: of, code, secret: ofChallenge, methodId: id }
}
