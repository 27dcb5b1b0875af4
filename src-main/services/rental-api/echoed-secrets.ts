import { ProblemError, type Problem } from '../../domain/base/problem.ts'
import { maskedText } from '../../domain/fields/secret-field.ts'

/** Shorter ones would blank ordinary words. */
const shortestSecret = 6

/** The service may repeat what it was sent; it is shown and logged without that. */
export function withoutSecretsIn(text: string, secrets: readonly string[]): string {
  return secrets
    .filter(({ length }) => length >= shortestSecret)
    .reduce((rest, secret) => rest.replaceAll(secret, maskedText), text)
}

/** The same failure, whose message repeats none of the secrets that were sent. */
export function problemWithout(problem: Problem, secrets: readonly string[]): ProblemError {
  return new ProblemError(
    'message' in problem ? { ...problem, message: withoutSecretsIn(problem.message, secrets) } : problem,
  )
}
