import type { Log } from '../../../domain/base/log.ts'
import { ProblemError } from '../../../domain/base/problem.ts'
import type { ConnectionFailure } from '../../../domain/ssh/ssh-connection.ts'
import type { SshAddress, SshProblem } from '../../../domain/ssh/ssh.ts'
import { statusOutlook } from '../../../domain/instances/instance-status.ts'
import { isWithoutAnswer } from '../../../domain/rental-api/service-errors.ts'
import { HostKeyChanged, SshFailure } from '../failure.ts'

/** Why an instance could not be connected to, as it is shown. */
export class ConnectFailed extends Error {
  readonly failure: ConnectionFailure
  /** Whether it may pass by itself, so that trying again makes sense. */
  readonly isPassing: boolean
  constructor(failure: ConnectionFailure, isPassing: boolean, options?: ErrorOptions) {
    super(failure.kind, options)
    this.name = 'ConnectFailed'
    this.failure = failure
    this.isPassing = isPassing
  }
}

export interface Circumstances {
  readonly address: SshAddress | null
  readonly knownHostsFile: string
  readonly log: Log
}

/** What an attempt to connect came to, from what it threw. What nobody expected goes to the log. */
export function explainFailure(
  error: unknown,
  { address, knownHostsFile, log }: Circumstances,
): ConnectFailed {
  if (error instanceof HostKeyChanged) {
    const { offered, trusted, revoked, hop, ofInstance } = error
    const failure = {
      kind: 'host-key-changed',
      address: error.address,
      ...(hop && { hop }),
      ...(ofInstance && { ofInstance }),
      offered,
      trusted,
      file: knownHostsFile,
      revoked,
    } as const
    return new ConnectFailed(failure, false, { cause: error })
  }
  const failed = (problem: SshProblem, isPassing: boolean): ConnectFailed =>
    new ConnectFailed({ kind: 'failed', problem, address }, isPassing, { cause: error })
  if (error instanceof SshFailure) return failed(error.problem, mayPass(error.problem))
  const id = log.error('A machine could not be connected to', error)
  if (error instanceof ProblemError)
    return failed(
      {
        kind: 'unreachable',
        detail: isWithoutAnswer(error.problem) ? { code: 'service-silent' } : { code: 'no-address' },
      },
      isServiceAway(error),
    )
  return failed({ kind: 'unreachable', detail: { code: 'fault', logId: id } }, false)
}

/** Whether the service does not answer for the moment, as against saying no. */
function isServiceAway({ problem }: ProblemError): boolean {
  return (
    problem.kind === 'unreachable' || problem.kind === 'rate-limited' || problem.kind === 'service-failed'
  )
}

function mayPass(problem: SshProblem): boolean {
  switch (problem.kind) {
    case 'refused':
    case 'timeout':
    case 'unanswered':
    case 'busy':
    case 'unreachable':
    case 'not-ssh': // as a machine that is still starting answers
    case 'link-lost':
      return true
    case 'no-address':
      return statusOutlook(problem.status).kind !== 'dead-end'
    case 'no-common-algorithm':
    case 'signature-invalid':
    case 'banner-too-long':
    case 'no-keys':
    case 'authentication-failed':
    case 'login-ended':
    case 'host-key-refused':
    case 'out-of-order':
    case 'protocol-broken':
    case 'stopped':
    case 'unasked':
    case 'channel-refused':
    case 'known-hosts-unusable':
    case 'way-unclear':
      return false
    case 'no-way-on':
      return !problem.isForbidden
    case 'both-addresses':
      return !isCutOff(problem) && problem.tries.some((each) => mayPass(each.problem))
    case 'at-hop':
    case 'proxy-command':
      return mayPass(problem.problem)
  }
}

/** Whether a host was cut off for what it did: it isn't connected to again before the user says so. */
export function isCutOff(problem: SshProblem): boolean {
  if (problem.kind === 'at-hop') return isCutOff(problem.problem)
  if (problem.kind === 'both-addresses') return problem.tries.some((each) => isCutOff(each.problem))
  return problem.kind === 'protocol-broken' || problem.kind === 'out-of-order'
}
