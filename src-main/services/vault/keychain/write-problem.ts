import { ProblemError } from '../../../domain/base/problem.ts'
import { closedProblem } from './closed-problem.ts'
import type { WriteAnswer } from './keychain.ts'

/**
 * A keychain that did not take a secret, as what stops a call.
 *
 * @param what as it begins a sentence: “This key”
 */
export function writeProblem(
  answer: Exclude<WriteAnswer, { readonly kind: 'written' }>,
  field: string,
  what: string,
): ProblemError {
  if (answer.kind !== 'too-long') return closedProblem(answer)
  return new ProblemError({ kind: 'invalid-input', field, message: `${what} is too long for the keychain.` })
}
