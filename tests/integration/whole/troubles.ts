import { expect } from 'vitest'
import { problem as problemShape, type Problem } from '#domain/base/problem.ts'
import { mayHaveHappened } from '#domain/rental-api/service-errors.ts'
import type { Attempt } from '#ui/problems/attempt.ts'
import { problemText } from '#ui/problems/problem-text.ts'
import type { FaultOrder } from '../../simulator/faults/faults.ts'

type WithoutTarget<T> = T extends unknown ? Omit<T, 'method' | 'path' | 'times'> : never

/** One of the simulator's faults, and what a client is to make of it. */
export interface Trouble {
  readonly name: string
  readonly fault: WithoutTarget<FaultOrder>
  /** Whether the service does the work. */
  readonly works: boolean
  /** What the user is told; `null`: nothing, because the true reply came in the end. */
  readonly problem: Partial<Problem> | null
  /** No answer ever comes. */
  readonly isStuck?: true
}

const minute = 60_000
const failed = (status: number) => ({ kind: 'service-failed', status }) as const
const reset = { kind: 'unreachable', cause: 'reset' } as const
const paused = (retryAfterSeconds: number | null) => ({ kind: 'rate-limited', retryAfterSeconds }) as const
/** A code that no endpoint has. */
const error = 'odd_refusal'

/** Every kind of fault that the simulator knows, in every variant that a client could take differently. */
export const troubles: readonly Trouble[] = [
  { name: 'a delay', fault: { kind: 'delay', ms: 10 }, works: true, problem: null },
  {
    name: 'a delay without end',
    fault: { kind: 'delay', ms: 60 * minute },
    works: false,
    problem: { kind: 'unreachable', cause: 'timeout' },
    isStuck: true,
  },
  { name: 'slow-drip', fault: { kind: 'slow-drip', ms: 3, pieces: 4 }, works: true, problem: null },
  { name: 'reset-before', fault: { kind: 'reset-before' }, works: false, problem: reset },
  { name: 'reset-after', fault: { kind: 'reset-after' }, works: true, problem: reset },
  { name: 'truncated', fault: { kind: 'truncated' }, works: true, problem: reset },
  { name: '429', fault: { kind: '429' }, works: false, problem: paused(null) },
  { name: '429, Retry-After', fault: { kind: '429', retry_after: 7 }, works: false, problem: paused(7) },
  { name: '429, long', fault: { kind: '429', retry_after: 90 }, works: false, problem: paused(90) },
  { name: '429, detail', fault: { kind: '429', shape: 'detail' }, works: false, problem: paused(null) },
  { name: '429, text', fault: { kind: '429', shape: 'text' }, works: false, problem: paused(null) },
  { name: '429 after', fault: { kind: '429', after_work: true }, works: true, problem: paused(null) },
  { name: '500', fault: { kind: '500' }, works: false, problem: failed(500) },
  { name: '500 after', fault: { kind: '500', after_work: true }, works: true, problem: failed(500) },
  { name: '502', fault: { kind: '502-html' }, works: false, problem: failed(502) },
  { name: '502 after', fault: { kind: '502-html', after_work: true }, works: true, problem: failed(502) },
  { name: '503', fault: { kind: '503' }, works: false, problem: failed(503) },
  { name: '503 after', fault: { kind: '503', after_work: true }, works: true, problem: failed(503) },
  {
    name: 'refused',
    fault: { kind: 'refused', error },
    works: false,
    problem: { kind: 'refused', code: error },
  },
  {
    name: 'refused after',
    fault: { kind: 'refused', error, after_work: true },
    works: true,
    problem: { kind: 'refused', code: error },
  },
  {
    name: 'refused with 401',
    fault: { kind: 'refused', error, status: 401 },
    works: false,
    // It's let through for all else, so that it isn't the key that is wrong.
    problem: { kind: 'not-allowed' },
  },
  {
    name: 'refused with 403',
    fault: { kind: 'refused', error, status: 403 },
    works: false,
    problem: { kind: 'not-allowed', code: error },
  },
  {
    name: 'endless',
    fault: { kind: 'endless' },
    works: true,
    problem: { kind: 'bad-reply', detail: 'far too long' },
  },
  {
    name: 'deep',
    fault: { kind: 'deep' },
    works: true,
    problem: { kind: 'bad-reply', detail: 'nested far too deeply' },
  },
  { name: 'malformed-json', fault: { kind: 'malformed-json' }, works: true, problem: { kind: 'bad-reply' } },
  { name: 'wrong-types', fault: { kind: 'wrong-types' }, works: true, problem: { kind: 'bad-reply' } },
]

/** Whether a request that may be repeated is worth another try after this. @param patienceMs for all tries together */
export function isPassingTrouble({ problem, isStuck }: Trouble, patienceMs = Infinity): boolean {
  if (isStuck && patienceMs < Infinity) return false
  if (problem?.kind === 'rate-limited')
    return (problem.retryAfterSeconds ?? 0) * 1000 <= Math.min(15_000, patienceMs)
  return problem?.kind === 'unreachable' || problem?.kind === 'service-failed'
}

/** How it is told: what happened, what it means, and what to do now. */
export function expectTold(problem: Problem | null, { problem: expected }: Trouble, attempt: Attempt): void {
  if (expected === null) {
    expect(problem).toBeNull()
    return
  }
  expect(problem).toMatchObject(expected)
  if (problem === null) return
  const { title, meaning, nextStep } = problemText(problem, attempt)
  for (const part of [title, meaning, nextStep]) {
    expect(part.trim()).not.toBe('')
    expect(part).not.toMatch(/undefined|null|\[object|<html|\.\.|“”/)
  }
}

/** What became of it is told in place of the problem: only where that may have happened all the same. */
export function lost(trouble: Trouble): Problem {
  const problem = anyOf(trouble)
  expect(mayHaveHappened(problem)).toBe(true)
  return problem
}

/** A problem as the trouble wants it: it is told in other words than a problem's. */
export function anyOf({ problem }: Trouble): Problem {
  return problemShape.parse({
    origin: '',
    path: '',
    detail: '',
    message: '',
    status: 0,
    code: '',
    ...problem,
  })
}
