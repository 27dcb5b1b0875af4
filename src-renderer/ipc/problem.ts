import { ORPCError } from '@orpc/client'
import { problem, type Problem } from '#domain/base/problem.ts'

/**
 * What a failed call says, as data for `problemText` and `ProblemNotice`:
 *
 *     try { await client.instances.stop({ id }) } catch (error) { failure.value = toProblem(error) }
 *
 * What is not one of the contract's problems is a bug: it is written to the console under an id, and only
 * the id is shown.
 */
export function toProblem(error: unknown): Problem {
  if (error instanceof ORPCError && error.code === 'PROBLEM') {
    const known = problem.safeParse(error.data)
    if (known.success) return known.data
  }
  if (isEndOfConnection(error)) return { kind: 'ended' }
  const id = `window-${crypto.randomUUID().slice(0, 8)}`
  console.error(`Unexpected failure ${id}`, error)
  return { kind: 'unexpected', id }
}

/**
 * Whether a call was cut off because the port to main has closed, as it does when Slipway quits. oRPC then
 * rejects what waits with an AbortError, and no call can be answered any more.
 */
export function isEndOfConnection(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError'
}
