import type { ConnectionFailure } from '#domain/ssh/ssh-connection.ts'
import { formatSshAddress } from '#domain/ssh/ssh-address.ts'
import type { RetryWords } from '#ui/problems/login-problem-text.ts'
import type { ProblemText } from '#ui/problems/problem-text.ts'
import { sshProblemText } from '#ui/problems/ssh-problem-text.ts'
import type { Tone } from '#ui/tone.ts'

/** What stands for a connection that is on its way, in a word, wherever something waits for one. */
export const connectionMarks = {
  connecting: { tone: 'busy', label: 'Connecting' },
  reconnecting: { tone: 'warning', label: 'Reconnecting' },
} as const satisfies Readonly<Record<string, { readonly tone: Tone; readonly label: string }>>

/** Why there is no connection to an instance, wherever one was needed. */
export function connectionFailureText(failure: ConnectionFailure, retry?: RetryWords): ProblemText {
  return failure.kind === 'failed'
    ? sshProblemText(failure.problem, failure.address, retry)
    : hostKeyChangedText(failure, retry)
}

/** That the host key is not the trusted one. @param at where that was; without it the place is not told */
export function hostKeyChangedText(
  at: Partial<Pick<Extract<ConnectionFailure, { kind: 'host-key-changed' }>, 'address' | 'revoked'>>,
  retry?: RetryWords,
): ProblemText {
  const place = at.address === undefined ? 'The host' : formatSshAddress(at.address)
  return {
    title: 'Not connected: the host key has changed',
    meaning: `${place} shows another key than the one you trusted. Nothing was sent to it.`,
    nextStep:
      at.revoked === true
        ? 'The key is marked as revoked: don’t use this host.'
        : `Find out why, then ${retry === undefined ? '' : `${retry} to `}compare both keys.`,
    canRetry: true,
  }
}
