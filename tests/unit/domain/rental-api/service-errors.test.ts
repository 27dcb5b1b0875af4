import { expect, test } from 'vitest'
import type { Problem } from '#domain/base/problem.ts'
import { isPassing, mayHaveHappened } from '#domain/rental-api/service-errors.ts'

const unreachable = (cause: Extract<Problem, { kind: 'unreachable' }>['cause']): Problem => ({
  kind: 'unreachable',
  cause,
  origin: '',
})

test.each<[Problem, { passing: boolean; mayHaveHappened: boolean }]>([
  [unreachable('refused'), { passing: true, mayHaveHappened: false }],
  [unreachable('address-unknown'), { passing: false, mayHaveHappened: false }],
  [unreachable('certificate'), { passing: false, mayHaveHappened: false }],
  [unreachable('reset'), { passing: true, mayHaveHappened: true }],
  [unreachable('timeout'), { passing: true, mayHaveHappened: true }],
  [
    { kind: 'service-failed', status: 502, message: '' },
    { passing: true, mayHaveHappened: true },
  ],
  [
    { kind: 'bad-reply', status: 200, path: '', detail: '' },
    { passing: false, mayHaveHappened: true },
  ],
  [
    { kind: 'rate-limited', retryAfterSeconds: null, message: '' },
    { passing: true, mayHaveHappened: false },
  ],
  [
    { kind: 'refused', status: 400, code: '', message: '' },
    { passing: false, mayHaveHappened: false },
  ],
  [
    { kind: 'key-refused', message: '' },
    { passing: false, mayHaveHappened: false },
  ],
])('%j', (problem, expected) => {
  expect({ passing: isPassing(problem), mayHaveHappened: mayHaveHappened(problem) }).toEqual(expected)
})
