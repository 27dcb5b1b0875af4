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
      return `${from} here → ${to ?? ''} there`
    case 'remote':
      return `${from} there → ${to ?? ''} here`
    case 'dynamic':
      return `SOCKS 5 at ${from} here → anywhere there`
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
        ? 'The last connection found nothing that listens where it wanted to go.'
        : `Nothing listens at ${targetText(plan) ?? ''} ${plan.kind === 'local' ? 'on the machine' : 'on this computer'}.`
    case 'forbidden':
      return 'The machine’s SSH server does not allow forwards.'
    case 'out-of-channels':
      return 'The machine’s SSH server takes no more connections.'
    case 'other':
      return 'The last connection did not get through.'
  }
}

/** Why a forward does not work. */
export function forwardProblemText(problem: ForwardProblem): ProblemText {
  switch (problem.kind) {
    case 'port-in-use':
      return {
        title: `Port ${problem.port} of this computer is in use`,
        meaning: 'Another program listens there.',
        nextStep:
          problem.free === null ? 'End that program, or use another port.' : `Port ${problem.free} is free.`,
      }
    case 'port-not-allowed':
      return {
        title: `Port ${problem.port} belongs to the system`,
        meaning: 'Slipway may not listen on it.',
        nextStep: 'Use a port from 1024.',
      }
    case 'cannot-listen':
      return {
        title: 'This computer does not listen',
        meaning: asSentence(problem.detail),
        nextStep: 'Try again, or use another port.',
      }
    case 'refused-there':
      return {
        title: `The machine does not listen on port ${problem.port}`,
        meaning: 'The port is in use there, or its SSH server does not allow it.',
        nextStep: 'Use another port, or try again in a moment.',
      }
    case 'no-connection':
      return connectionFailureText(problem.failure, 'select Start')
    default:
      return assertNever(problem)
  }
}
