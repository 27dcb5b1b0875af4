import type { FileSide, SkipReason, TransferProblem } from '../../domain/files/transfer.ts'
import { ConnectFailed } from '../ssh/connection/connect-failure.ts'
import { SshFailure } from '../ssh/failure.ts'
import { shortenedDetail } from './shortened.ts'
import { assertNever } from '../../domain/base/assert-never.ts'

/** Ends a transfer, or a look into a folder, with what the user is told. */
export class TransferFailure extends Error {
  readonly problem: TransferProblem
  constructor(problem: TransferProblem, options?: ErrorOptions) {
    super(problem.kind, options)
    this.name = 'TransferFailure'
    this.problem = problem
  }
}

/** What a call of the local file system failed with, as what the user is told. */
export function localFailure(path: string, cause: unknown): TransferFailure {
  if (cause instanceof TransferFailure) return cause
  return new TransferFailure(localProblem(path, cause), { cause })
}

function localProblem(path: string, cause: unknown): TransferProblem {
  const side: FileSide = 'local'
  switch (cause instanceof Error && 'code' in cause ? cause.code : null) {
    case 'ENOENT':
      return { kind: 'missing', side, path }
    case 'EACCES':
    case 'EPERM':
      return { kind: 'denied', side, path }
    case 'EROFS':
      return { kind: 'read-only', side, path }
    case 'EEXIST':
      return { kind: 'appeared', side, path }
    case 'ENOSPC':
    case 'EDQUOT':
      return { kind: 'disk-full', side, path, freeBytes: null }
    default:
      return {
        kind: 'failed',
        side,
        path,
        detail: shortenedDetail(cause instanceof Error ? cause.message : String(cause)),
      }
  }
}

/** What the user is told of whatever ended the work with files; `null` for what nobody foresaw. */
export function knownProblem(error: unknown): TransferProblem | null {
  if (error instanceof TransferFailure) return error.problem
  if (error instanceof SshFailure) return { kind: 'connection', problem: error.problem }
  if (!(error instanceof ConnectFailed)) return null
  const { failure } = error
  return failure.kind === 'failed'
    ? { kind: 'connection', problem: failure.problem }
    : { kind: 'host-key-changed', offered: failure.offered }
}

/** Why one entry is left out of a transfer, when this is why it could not be copied. */
export function skipReason(problem: TransferProblem): SkipReason {
  switch (problem.kind) {
    case 'missing':
    case 'appeared':
    case 'shrunk':
    case 'taken':
    case 'disk-full':
    case 'too-many':
    case 'slow-gitignore':
      return { kind: problem.kind }
    case 'denied':
    case 'read-only':
      return { kind: problem.kind, side: problem.side }
    case 'bad-name':
      return { kind: 'bad-name', fault: problem.fault }
    case 'failed':
      return { kind: 'failed', detail: problem.detail }
    case 'silent':
    case 'not-started':
    case 'no-files':
      return { kind: 'no-reply' }
    case 'connection':
    case 'host-key-changed':
      return { kind: 'disconnected' }
    default:
      return assertNever(problem)
  }
}
