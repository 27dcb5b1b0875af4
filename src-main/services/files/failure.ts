import type { FileSide, TransferProblem } from '../../domain/files/transfer.ts'
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

/** Why one entry was left out of a transfer, as the end of a sentence. */
export function skipWords(problem: TransferProblem): string {
  switch (problem.kind) {
    case 'missing':
      return 'it is gone'
    case 'denied':
      return problem.side === 'local' ? 'this computer does not allow it' : 'the instance does not allow it'
    case 'appeared':
      return 'something took its name meanwhile'
    case 'shrunk':
      return 'it became shorter while it was read'
    case 'bad-name':
      return problem.why
    case 'taken':
      return 'its name is taken'
    case 'disk-full':
      return 'the disk is full'
    case 'too-many':
      return 'it has too many entries'
    case 'failed':
      return problem.detail
    case 'read-only':
      return problem.side === 'local' ? 'its folder is read-only' : 'its folder on the instance is read-only'
    case 'slow-gitignore':
      return 'a .gitignore takes too long'
    case 'silent':
    case 'not-started':
    case 'no-files':
      return 'the instance did not answer'
    case 'connection':
    case 'host-key-changed':
      return 'the connection was lost'
    default:
      return assertNever(problem)
  }
}
