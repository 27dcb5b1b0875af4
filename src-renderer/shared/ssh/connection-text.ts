import type { ConnectionFailure, ConnectionState } from '#domain/ssh/ssh-connection.ts'
import { formatSshAddress } from '#domain/ssh/ssh-address.ts'
import type { RetryWords } from '#ui/problems/login-problem-text.ts'
import type { ProblemText } from '#ui/problems/problem-text.ts'
import { sshProblemText } from '#ui/problems/ssh-problem-text.ts'
import type { Mark } from '#ui/tone.ts'
import { askedMark } from './asked-mark.ts'

export const connectingMark: Mark = { tone: 'busy', label: 'Connecting' }
export const reconnectingMark: Mark = { tone: 'warning', label: 'Reconnecting' }

/** How whatever waits for a connection stands: what that asks its user, or else `own`. */
export function waitingMark(connection: ConnectionState, own: Mark = connectingMark): Mark {
  return askedMark(connection) ?? own
}

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
    title: 'Not connected: host key changed',
    meaning: `${place} shows a different host key than the one you trusted. Nothing was sent to it.`,
    nextStep:
      at.revoked === true
        ? 'The key is marked as revoked: don’t use this host.'
        : `Find out why, then ${retry === undefined ? '' : `${retry} to `}compare both keys.`,
  }
}
