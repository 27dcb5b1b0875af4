import { FAILURES_UNTIL_LOCKOUT, LOCKOUT_MS } from './limits.ts'
import { refusal } from './refusals.ts'
import type { TwoFactorMethod } from './state.ts'

/** Ends the lockout of a method when its time is over, and forgets the failures that led to it. */
export function refreshLockout(method: TwoFactorMethod, nowMs: number): void {
  if (method.lockedUntilMs === null || method.lockedUntilMs > nowMs) return
  method.lockedUntilMs = null
  method.failCount = 0
}

/** Refuses while the method is locked (service API 3.4). */
export function requireUnlocked(method: TwoFactorMethod, nowMs: number): void {
  refreshLockout(method, nowMs)
  if (method.lockedUntilMs === null) return
  throw refusal(
    'tfa_locked',
    'this method is locked for 15 minutes after its last failure',
    failuresOf(method),
  )
}

/** Counts a failed verification; the one that is too many locks the method. */
export function countFailure(method: TwoFactorMethod, nowMs: number): void {
  method.failCount += 1
  if (method.failCount >= FAILURES_UNTIL_LOCKOUT) method.lockedUntilMs = nowMs + LOCKOUT_MS
}

export function countSuccess(method: TwoFactorMethod, nowMs: number): void {
  method.failCount = 0
  method.lastUsedMs = nowMs
}

/** The fields that a refusal adds for a configured method (service API 7). */
export function failuresOf(method: TwoFactorMethod): Readonly<Record<string, number | null>> {
  return {
    fail_count: method.failCount,
    locked_until: method.lockedUntilMs === null ? null : method.lockedUntilMs / 1000,
  }
}
