import { assertNever } from '#domain/base/assert-never.ts'
import type { ForwardPlan, ForwardProblem, ForwardRefusal, ForwardState } from '#domain/forwards/forward.ts'
import type { ConnectionState } from '#domain/ssh/ssh-connection.ts'
import { formatHostPort } from '#domain/ssh/network-address.ts'
import { asSentence } from '#ui/format.ts'
import type { ProblemText } from '#ui/problems/problem-text.ts'
import { connectionFailureText, reconnectingMark, waitingMark } from '#shared/ssh/connection-text.ts'
import type { Mark } from '#ui/tone.ts'

/** Where a forward begins and where it leads, as seen from the user's chair. */
export function planText({ kind, entrance }: ForwardPlan, to: string | null): string {
  const from = `${entrance.reach === 'network' ? '*' : 'localhost'}:${entrance.port}`
  switch (kind) {
    case 'local':
      return `${from} on this computer → ${to ?? ''} on the instance`
    case 'remote':
      return `${from} on the instance → ${to ?? ''} on this computer`
    case 'dynamic':
      return `SOCKS proxy at ${from} on this computer → any host that the instance reaches`
  }
}

export function targetText(plan: ForwardPlan): string | null {
  return plan.kind === 'dynamic' ? null : formatHostPort(plan.to.host, plan.to.port)
}

/** Its state in a word or two. */
export function stateText(state: ForwardState, connection: ConnectionState): Mark {
  switch (state.kind) {
    case 'stopped':
      return { tone: 'neutral', label: 'Off' }
    case 'connecting':
      return waitingMark(connection)
    case 'open':
      return { tone: 'good', label: 'On' }
    case 'reconnecting':
      return waitingMark(connection, reconnectingMark)
    case 'failed':
      return { tone: 'bad', label: 'Failed' }
    default:
      return assertNever(state)
  }
}

/** Why connections through a forward that is on come to nothing. */
export function refusalText(refusal: ForwardRefusal, plan: ForwardPlan): string {
  switch (refusal) {
    case 'nothing-listens':
      return plan.kind === 'dynamic'
        ? 'Nothing is listening at the address that the last connection asked for.'
        : `Nothing is listening at ${targetText(plan) ?? ''} ${plan.kind === 'local' ? 'on the instance' : 'on this computer'}.`
    case 'forbidden':
      return 'The instance’s SSH server doesn’t allow port forwards.'
    case 'out-of-channels':
      return 'The instance’s SSH server accepts no more connections.'
    case 'other':
      return 'The last connection failed.'
  }
}

/** Why a forward does not work. */
export function forwardProblemText(problem: ForwardProblem): ProblemText {
  switch (problem.kind) {
    case 'port-in-use':
      return {
        title: `Port ${problem.port} is in use on this computer`,
        meaning: 'Another program is listening on it.',
        nextStep:
          problem.free === null
            ? 'Close that program, or use another port.'
            : `Port ${problem.free} is free.`,
      }
    case 'port-not-allowed':
      return {
        title: `Port ${problem.port} is reserved by the system`,
        meaning: 'Slipway isn’t allowed to listen on it.',
        nextStep: 'Use port 1024 or higher.',
      }
    case 'cannot-listen':
      return {
        title: 'Couldn’t open the local port',
        meaning: asSentence(problem.detail),
        nextStep: 'Try again, or use another port.',
      }
    case 'refused-there':
      return {
        title: `Couldn’t open port ${problem.port} on the instance`,
        meaning: 'The port is in use there, or the SSH server doesn’t allow it.',
        nextStep: 'Use another port, or try again in a moment.',
      }
    case 'no-connection':
      return connectionFailureText(problem.failure, 'select Start')
    default:
      return assertNever(problem)
  }
}
