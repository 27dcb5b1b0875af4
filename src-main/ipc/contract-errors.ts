import { ORPCError, ValidationError } from '@orpc/server'
import type { Log } from '../domain/base/log.ts'
import { ProblemError, type Problem } from '../domain/base/problem.ts'

/**
 * Any failure of a call as the contract's one typed error. What was foreseen crosses as it is; what the
 * window sent and the contract refuses is named by its field; everything else goes to the log, and only
 * the id of its line crosses.
 */
export function toContractError(error: unknown, log: Log): ORPCError<'PROBLEM', Problem> {
  return new ORPCError('PROBLEM', { defined: true, data: problemOf(error, log) })
}

function problemOf(error: unknown, log: Log): Problem {
  if (error instanceof ProblemError) return error.problem
  if (error instanceof ORPCError && error.code === 'BAD_REQUEST' && error.cause instanceof ValidationError) {
    const issue = error.cause.issues[0]
    const field = (issue?.path ?? [])
      .map((part) => String(typeof part === 'object' ? part.key : part))
      .join('.')
    return { kind: 'invalid-input', field, message: issue?.message ?? 'Invalid input' }
  }
  return { kind: 'unexpected', id: log.error('A call failed', error) }
}
