import { ProblemError, type Problem } from '../../domain/base/problem.ts'
import type { TwoFactorCode } from '../../domain/base/two-factor-codes.ts'

export type TwoFactorProblem = Extract<Problem, { kind: 'tfa-refused' }>

/** Whether the service refused with one of its 2FA codes, or with this one. */
export function isTwoFactorRefusal(error: unknown, code?: TwoFactorCode): boolean {
  return (
    error instanceof ProblemError &&
    error.problem.kind === 'tfa-refused' &&
    (code === undefined || error.problem.code === code)
  )
}

/** A refusal as the service would say it, known here before it is asked. */
export function refusedHere(code: TwoFactorCode): ProblemError {
  return new ProblemError({
    kind: 'tfa-refused',
    code,
    message: '',
    failCount: null,
    lockedUntilSeconds: null,
  })
}
