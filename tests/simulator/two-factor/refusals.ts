import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { ApiError } from '../api-error.ts'

/** The codes of the 2FA endpoints and their HTTP statuses (service API 7). */
const STATUS = {
  bad_request: 400,
  auth_error: 403,
  invalid_tfa_method: 400,
  missing_auth_value: 400,
  missing_params: 400,
  email_not_verified: 400,
  '2fa_expired': 400,
  challenge_not_found: 400,
  no_challenge_found: 400,
  tfa_challenge_exists: 400,
  authorization_required: 403,
  no_pending_authorization: 400,
  invalid_backup_code: 401,
  untracked_2fa_found: 400,
  duplicate_tfa_method: 400,
  sms_provider_error: 400,
  preauth_phone_cap: 429,
  sms_rate_limited: 429,
  sms_provider_rate_limited: 429,
  tfa_locked: 429,
  service_unavailable: 503,
  phone_number_mismatch: 400,
  '2fa_login_failed': 400,
  '2fa_verification_failed': 400,
  team_user_forbidden: 403,
  missing_email: 400,
  missing_phone_number: 400,
  not_found: 404,
  tfa_method_not_configured: 400,
  challenge_creation_failed: 500,
  sms_blocked_number: 400,
  sms_fraud_detected: 403,
} as const satisfies Readonly<Record<string, ContentfulStatusCode>>

/** A refusal with one of those codes; `extra` are further fields of its body. */
export function refusal(
  code: keyof typeof STATUS,
  message: string,
  extra: Readonly<Record<string, unknown>> = {},
): ApiError {
  return new ApiError(STATUS[code], code, message, extra)
}

/** The one code with a second status: neither a Bearer token nor a `tfa_secret` was sent. */
export const noCredentials = (message: string): ApiError => new ApiError(401, 'missing_auth_value', message)
