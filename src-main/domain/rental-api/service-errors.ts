import { z } from 'zod'
import type { Problem } from '../base/problem.ts'
import { twoFactorCode } from '../base/two-factor-codes.ts'

/**
 * 401 and 403 usually mean a wrong, revoked or under-scoped key (service API 5.3). These codes are about
 * something else, although they come with one of the two.
 */
const notAboutTheKey: ReadonlySet<string> = new Set([
  'invalid_backup_code',
  'authorization_required',
  'team_user_forbidden',
  'sms_fraud_detected',
])

/** The service's own words, from any of the shapes its errors come in (service API 7, and seen in practice). */
export interface ErrorReply {
  readonly status: number
  readonly code: string
  readonly message: string
  /** From the Retry-After header. */
  readonly retryAfterSeconds: number | null
  /** Everything in its body, for what single codes add. */
  readonly body: unknown
}

/** What a reply with status 400 or above means: its code counts before its status. */
export function problemOfErrorReply({
  status,
  code,
  message,
  retryAfterSeconds,
}: Omit<ErrorReply, 'body'>): Problem {
  if (notAboutTheKey.has(code)) return { kind: 'refused', status, code, message }
  if (status === 401 || code === 'auth_error') return { kind: 'key-refused', message }
  if (status === 403) return { kind: 'not-allowed', code, message }
  if (status === 429) return { kind: 'rate-limited', retryAfterSeconds, message }
  if (status >= 500) return { kind: 'service-failed', status, message }
  return { kind: 'refused', status, code, message }
}

const failures = z.object({
  fail_count: z.number().nullable().catch(null),
  locked_until: z.number().nullable().catch(null),
})

/**
 * What a reply of a 2FA endpoint means, if its code is one of theirs (service API 7); else `null`. Without any
 * credentials `missing_auth_value` comes with 401, and is about the session.
 */
export function twoFactorProblemOf({ status, code, message, body }: ErrorReply): Problem | null {
  const known = twoFactorCode.safeParse(code)
  if (!known.success) return null
  const { fail_count, locked_until } = failures.safeParse(body).data ?? {}
  return {
    kind: 'tfa-refused',
    code: known.data === 'missing_auth_value' && status === 401 ? 'auth_error' : known.data,
    message,
    failCount: fail_count ?? null,
    lockedUntilSeconds: locked_until ?? null,
  }
}

/**
 * The same for a request that a session's key was sent with: that the key is wrong, in whatever words, means that the
 * session is over. The API key may be good.
 */
export function sessionProblemOf(reply: ErrorReply): Problem | null {
  return (
    twoFactorProblemOf(reply) ??
    (reply.status === 401 ? twoFactorProblemOf({ ...reply, code: 'auth_error' }) : null)
  )
}

/** Whether the same request may succeed a little later without anybody changing anything. */
export function isPassing(problem: Problem): boolean {
  switch (problem.kind) {
    case 'unreachable':
      return !['certificate', 'address-unknown', 'proxy-login'].includes(problem.cause)
    case 'rate-limited':
    case 'list-unavailable':
    case 'session-ended':
      return true
    case 'service-failed':
      return problem.status !== 501
    case 'tfa-refused':
      return problem.code === 'service_unavailable'
    default:
      return false
  }
}

/** Whether a question that failed like this was not answered: the service says nothing of what was asked about. */
export function isWithoutAnswer({ kind }: Problem): boolean {
  switch (kind) {
    case 'unreachable':
    case 'redirected':
    case 'bad-reply':
    case 'rate-limited':
    case 'service-failed':
    case 'key-refused':
    case 'not-allowed':
    case 'secret-missing':
    case 'address-changed':
    case 'keychain-locked':
    case 'keychain-unavailable':
      return true
    default:
      return false
  }
}

/**
 * Whether a request that failed like this may have done its work all the same, so that only asking for the
 * result can tell. False only where the service certainly did not act.
 */
export function mayHaveHappened(problem: Problem): boolean {
  switch (problem.kind) {
    case 'unreachable':
      return problem.cause === 'reset' || problem.cause === 'timeout' || problem.cause === 'other'
    case 'service-failed':
    case 'bad-reply':
    case 'redirected':
    case 'ended':
    case 'unexpected':
      return true
    default:
      return false
  }
}
