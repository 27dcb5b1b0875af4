import { expect } from 'vitest'
import type { Problem } from '#domain/base/problem.ts'

/** The problem that a call fails with, which it has to. */
export async function problemOf(outcome: Promise<unknown>): Promise<Problem> {
  const error: unknown = await outcome.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toHaveProperty('problem')
  return (error as { problem: Problem }).problem
}
