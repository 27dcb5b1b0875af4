import { ProblemError } from '../domain/base/problem.ts'

/** What is told, without a window to tell it in, when the program cannot start. */
export function startFailureText(error: unknown): string {
  if (error instanceof ProblemError && error.problem.kind === 'storage-failed') {
    const { file, detail } = error.problem
    return (
      `Slipway can’t use ${file}: ${detail}\n\n` +
      'Nothing was changed. Check that you can read and write this file, then start Slipway again.'
    )
  }
  return error instanceof Error ? error.message : String(error)
}
