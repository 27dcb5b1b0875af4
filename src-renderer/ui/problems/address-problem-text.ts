import { formatSshAddress } from '#domain/ssh/ssh-address.ts'
import type { ProblemAtOnePlace } from '#domain/ssh/ssh.ts'
import { withReason } from '../format.ts'

/** Why one of an instance's addresses led nowhere, as a sentence. @param place `host:port` */
export function addressProblemText(problem: ProblemAtOnePlace, place: string): string {
  switch (problem.kind) {
    case 'refused':
      return `${place} refused the connection.`
    case 'timeout':
      return `${place} didn’t answer in time.`
    case 'unanswered':
      return `${place} accepted the connection but didn’t start SSH.`
    case 'no-way-on':
      return withReason(`The jump host can’t reach ${formatSshAddress(problem.to)}`, problem.detail)
    default:
      return withReason(`No SSH server answered at ${place}`, 'detail' in problem ? problem.detail : '')
  }
}
