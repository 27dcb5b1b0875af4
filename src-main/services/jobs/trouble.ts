import type { Log } from '../../domain/base/log.ts'
import { ProblemError, type Problem } from '../../domain/base/problem.ts'
import type { TransferProblem } from '../../domain/files/transfer.ts'
import type { JobTrouble } from '../../domain/jobs/job.ts'
import { isPassing } from '../../domain/rental-api/service-errors.ts'
import { knownProblem } from '../files/failure.ts'
import { ConnectFailed } from '../ssh/connection/connect-failure.ts'

/** Ends a try of a step, with what is in its way. */
export class InTheWay extends Error {
  readonly trouble: JobTrouble
  constructor(trouble: JobTrouble) {
    super(trouble.reason.kind)
    this.name = 'InTheWay'
    this.trouble = trouble
  }
}

/** What keeps a step from going on, from what its try threw. */
export function troubleOf(error: unknown, log: Log): JobTrouble {
  if (error instanceof InTheWay) return error.trouble
  if (error instanceof ProblemError)
    return { isRetrying: mayPass(error.problem), reason: { kind: 'problem', problem: error.problem } }
  const problem = knownProblem(error)
  if (problem !== null) {
    const isRetrying = error instanceof ConnectFailed ? error.isPassing : mayTransferPass(problem)
    return { isRetrying, reason: { kind: 'transfer', problem } }
  }
  const id = log.error('A step of a job failed', error)
  return { isRetrying: false, reason: { kind: 'problem', problem: { kind: 'unexpected', id } } }
}

function mayPass(problem: Problem): boolean {
  if (problem.kind === 'rental-refused')
    return problem.reason.code === 'retry-running' || problem.reason.code === 'no-offer'
  return isPassing(problem) || problem.kind === 'storage-failed'
}

/** Whether it may pass by itself: a connection that was lost, or a file server that doesn't answer. */
function mayTransferPass({ kind }: TransferProblem): boolean {
  return (
    kind === 'connection' ||
    kind === 'silent' ||
    kind === 'not-started' ||
    kind === 'no-files' ||
    kind === 'shrunk'
  )
}

const firstPauseMs = 1_000
const longestPauseMs = 60_000

/** How long to wait before a step is tried again. @param failures in a row, from 1 on */
export function pauseAfterTroubleMs(failures: number): number {
  return Math.min(firstPauseMs * 2 ** (failures - 1), longestPauseMs)
}
