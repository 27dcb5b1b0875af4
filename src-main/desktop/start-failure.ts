import { ProblemError } from '../domain/base/problem.ts'

/** What is told, without a window to tell it in, when the program cannot start. */
export function startFailureText(error: unknown): string {
  if (error instanceof ProblemError && error.problem.kind === 'storage-failed') {
    const { file, detail } = error.problem
    return (
      `${file} cannot be used: ${detail}\n\n` +
      'Nothing was changed. See that the file is yours to read and to write, and start Slipway again.'
    )
  }
  return error instanceof Error ? error.message : String(error)
}
