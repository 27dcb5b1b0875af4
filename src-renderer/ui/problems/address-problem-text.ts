import { formatSshAddress } from '#domain/ssh/ssh-address.ts'
import type { ProblemAtOnePlace } from '#domain/ssh/ssh.ts'
import { withReason } from '../format.ts'
import { sshDetailText } from './ssh-detail-text.ts'

/** Why one of an instance's addresses led nowhere, as a sentence. @param place `host:port` */
export function addressProblemText(problem: ProblemAtOnePlace, place: string): string {
  switch (problem.kind) {
    case 'refused':
      return `${place} refused the connection.`
    case 'timeout':
      return `${place} didn’t answer in time.`
    case 'unanswered':
      return problem.step === 'greeting'
        ? `${place} accepted the connection but didn’t start SSH.`
        : `${place} began SSH, then stopped answering.`
    case 'unreachable':
      return withReason(`${place} can’t be reached`, sshDetailText(problem.detail))
    case 'busy':
      return withReason(`${place} refused the connection for now`, problem.detail)
    case 'link-lost':
      return withReason(`The connection to ${place} was lost`, sshDetailText(problem.detail))
    case 'no-common-algorithm':
      return withReason(`Slipway and ${place} have no algorithm in common`, problem.detail)
    case 'out-of-order':
      return `${place} claimed that you were logged in before its key was trusted: someone may be between you and the host.`
    case 'no-way-on':
      return withReason(`The jump host can’t reach ${formatSshAddress(problem.to)}`, problem.detail)
    default:
      return withReason(
        `Couldn’t connect to ${place}`,
        'detail' in problem ? sshDetailText(problem.detail) : '',
      )
  }
}
