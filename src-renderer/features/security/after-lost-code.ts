import type { Problem } from '#domain/base/problem.ts'
import type { TwoFactorCode } from '#domain/base/two-factor-codes.ts'

/** Refusals that say what became of what a code was for: what's left of them while nobody knows that. */
const meaningsAfterLoss: Partial<Readonly<Record<TwoFactorCode, string>>> = {
  auth_error: 'The sign-in ended, or the secret belongs to something else.',
  bad_request: 'The service couldn’t use the request.',
  challenge_creation_failed: 'Part of the request failed.',
  challenge_not_found: 'The sign-in ended, or the secret belongs to something else.',
  invalid_backup_code: 'Each backup code works once.',
  invalid_tfa_method: 'The service doesn’t accept this kind of code here.',
  missing_auth_value: 'The service received no code.',
  no_pending_authorization: 'The service knows of no request that this code belongs to.',
  not_found: 'The method was removed elsewhere.',
  phone_number_mismatch: 'The code was sent to another number.',
  service_unavailable: 'Part of the service is down.',
  untracked_2fa_found: 'The account’s 2FA is legacy and has no method.',
  '2fa_expired': 'A challenge expires after 10 minutes.',
  '2fa_login_failed': 'The code is wrong, was already used, or belongs to another method.',
  '2fa_verification_failed': 'The code is wrong or was already used.',
}

/**
 * What a refusal means after the reply to an earlier code was lost: nothing of what became of that one.
 *
 * @returns undefined where its usual meaning says nothing of it, either
 */
export function meaningAfterLoss(problem: Problem): string | undefined {
  if (problem.kind === 'key-refused') return meaningsAfterLoss.auth_error
  if (problem.kind !== 'tfa-refused') return undefined
  const { code, message } = problem
  const left = meaningsAfterLoss[code]
  // Only the service knows what it expected.
  return code === 'bad_request' && message !== '' ? `${left} It said: “${message}”.` : left
}
