import { expect, test } from 'vitest'
import type { Problem } from '#domain/base/problem.ts'
import { disabledReason, staleReason } from '../../../../src-renderer/features/instances/disabled-reasons.ts'

const broken = (cause: Extract<Problem, { kind: 'unreachable' }>['cause']): Problem => ({
  kind: 'unreachable',
  cause,
  origin: 'https://service.example',
})

test('actions are off, with the reason, where they could not reach the service', () => {
  for (const cause of ['refused', 'address-unknown', 'certificate', 'other'] as const)
    expect(disabledReason({ isRemembered: false, problem: broken(cause) })).toBe(
      'Slipway can’t reach the service',
    )
  expect(disabledReason({ isRemembered: false, problem: { kind: 'key-refused', message: '' } })).toMatch(
    /key/,
  )
})

test('a service that fails now and then is still asked: stopping what costs money must not wait for it', () => {
  const passing: readonly Problem[] = [
    broken('reset'),
    broken('timeout'),
    { kind: 'service-failed', status: 502, message: '' },
    { kind: 'rate-limited', retryAfterSeconds: null, message: '' },
  ]
  for (const problem of passing) expect(disabledReason({ isRemembered: false, problem })).toBeNull()
})

test('a list of the last run is for reading, until the service has answered', () => {
  expect(disabledReason({ isRemembered: true, problem: null })).toMatch(/hasn’t answered yet/)
  expect(disabledReason({ isRemembered: true, problem: broken('reset') })).toMatch(/hasn’t answered yet/)
  expect(disabledReason({ isRemembered: false, problem: null })).toBeNull()
})

test.each<Problem>([
  broken('reset'),
  broken('timeout'),
  broken('refused'),
  { kind: 'service-failed', status: 502, message: '' },
  { kind: 'rate-limited', retryAfterSeconds: null, message: '' },
  { kind: 'bad-reply', status: 200, path: '', detail: '' },
  { kind: 'not-allowed', code: '', message: '' },
])(
  'a list that could not be refreshed is the last known one, whatever stood in the way: $kind $cause',
  (problem) => {
    const list = { isRemembered: false, problem }
    expect(staleReason(list)).toBe(disabledReason(list) ?? 'Slipway couldn’t refresh the list')
  },
)

test('a list of now is none, and one of the last run is', () => {
  expect(staleReason({ isRemembered: false, problem: null })).toBeNull()
  expect(staleReason({ isRemembered: true, problem: null })).toMatch(/hasn’t answered yet/)
})
