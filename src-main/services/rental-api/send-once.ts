import { ProblemError } from '../../domain/base/problem.ts'
import { mayHaveHappened } from '../../domain/rental-api/service-errors.ts'

/** What is about to be sent, as its area writes it down. */
export interface Intent {
  /** Once it resolves, a crash doesn't lose the intent. If it rejects, nothing is sent. */
  readonly keep: () => Promise<void>
  /** The service certainly did nothing, so there is nothing to look for. */
  readonly drop: (refusal: ProblemError) => Promise<void>
}

/**
 * Sends a request that must not be done twice: the intent is kept first, the request is sent once, and if nobody can
 * tell whether the service acted on it, `lookUp` finds out. How it does so, how often, and what is told meanwhile is up
 * to the area; so is what a later run makes of an intent that a crash left behind.
 *
 * @param intent `null` where nothing has to outlive a crash
 * @param send one request and nothing else: what it throws is read as the request's failure
 * @param lookUp answers in place of the reply; the intent is still kept
 * @throws ProblemError the refusal, when the service certainly did nothing; or what `keep`, `drop`, or `lookUp` throws
 */
export async function sendOnce<T>(
  intent: Intent | null,
  send: () => Promise<T>,
  lookUp: (error: unknown) => Promise<T>,
): Promise<T> {
  await intent?.keep()
  try {
    return await send()
  } catch (error) {
    // Of a failure that nobody foresaw nobody knows when it happened.
    if (!(error instanceof ProblemError) || mayHaveHappened(error.problem)) return lookUp(error)
    await intent?.drop(error)
    throw error
  }
}
