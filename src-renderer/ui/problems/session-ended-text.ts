import type { Problem } from '#domain/base/problem.ts'
import { unchanged, type Attempt } from './attempt.ts'

/** What became of a request that went by an admin session. */
export function sessionEndedText(
  { otherUserId }: Extract<Problem, { kind: 'session-ended' }>,
  attempt: Attempt,
): {
  readonly title: string
  readonly meaning: string
  readonly nextStep: string
  readonly canRetry: boolean
} {
  const title = 'Your admin session ended'
  return otherUserId === null
    ? {
        title,
        meaning: `The service no longer accepts it. ${unchanged(attempt)} Requests use your API key again.`,
        nextStep: 'Try again with your API key, or sign in as admin in Security.',
        canRetry: true,
      }
    : {
        title,
        meaning: `It’s for another account (ID ${otherUserId}), so Slipway ended it. Requests use your API key.`,
        nextStep: 'Sign in as admin in Security with this account’s code.',
        canRetry: false,
      }
}
