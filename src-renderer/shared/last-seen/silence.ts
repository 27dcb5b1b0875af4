import type { Problem } from '#domain/base/problem.ts'

/**
 * Whether nothing was learned from a request that failed like this, so that what was seen before is still the last word.
 * A service that refused has said something.
 */
export function isSilence(problem: Problem): boolean {
  switch (problem.kind) {
    case 'unreachable':
    case 'rate-limited':
    case 'service-failed':
    case 'bad-reply':
    case 'redirected':
    case 'keychain-locked':
    case 'keychain-unavailable':
      return true
    case 'tfa-refused':
      return problem.code === 'service_unavailable'
    default:
      return false
  }
}
