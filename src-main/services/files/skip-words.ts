import { assertNever } from '../../domain/base/assert-never.ts'
import type { TransferProblem } from '../../domain/files/transfer.ts'

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
