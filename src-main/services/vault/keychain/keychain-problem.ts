import { assertNever } from '../../../domain/base/assert-never.ts'
import { ProblemError, invalidInput } from '../../../domain/base/problem.ts'
import type { Closed, WriteAnswer } from './keychain.ts'

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

/**
 * A keychain that did not take a secret, as what stops a call.
 */
export function writeProblem(
  answer: Exclude<WriteAnswer, { readonly kind: 'written' }>,
  field: string,
): ProblemError {
  if (answer.kind !== 'too-long') return closedProblem(answer)
  return invalidInput(field, { code: 'too-long-for-keychain' })
}
