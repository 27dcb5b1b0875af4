import { ProblemError } from '../../domain/base/problem.ts'

/**
 * Sends what a rule of the user asks for. Refused with an admin session that has ended, the service did nothing, and
 * nobody sits there to press a button: it is asked for once more, by the API key now.
 *
 * @throws ProblemError as `send` does
 */
export async function againByKey(send: () => Promise<void>): Promise<void> {
  try {
    await send()
  } catch (error) {
    if (!(error instanceof ProblemError) || error.problem.kind !== 'session-ended') throw error
    await send()
  }
}
