import { assertNever } from '../../../domain/base/assert-never.ts'
import { ProblemError } from '../../../domain/base/problem.ts'
import type { Closed } from './keychain.ts'

/** A keychain that gave no answer, as what stops a call. */
export function closedProblem(closed: Closed): ProblemError {
  switch (closed.kind) {
    case 'locked':
      return new ProblemError({ kind: 'keychain-locked', detail: closed.detail })
    case 'unavailable':
      return new ProblemError({ kind: 'keychain-unavailable', detail: closed.detail })
    default:
      return assertNever(closed)
  }
}
