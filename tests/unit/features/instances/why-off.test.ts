import { expect, test } from 'vitest'
import type { Problem } from '#domain/base/problem.ts'
import { whyOff } from '../../../../src-renderer/features/instances/why-off.ts'

const broken = (cause: Extract<Problem, { kind: 'unreachable' }>['cause']): Problem => ({
  kind: 'unreachable',
  cause,
  origin: 'https://service.example',
})

test('actions are off, with the reason, where they could not reach the service', () => {
  for (const cause of ['refused', 'address-unknown', 'certificate', 'other'] as const)
    expect(whyOff({ isRemembered: false, problem: broken(cause) })).toBe('The service cannot be reached')
  expect(whyOff({ isRemembered: false, problem: { kind: 'key-refused', message: '' } })).toMatch(/key/)
})

test('a service that fails now and then is still asked: stopping what costs money must not wait for it', () => {
  const passing: readonly Problem[] = [
    broken('reset'),
    broken('timeout'),
    { kind: 'service-failed', status: 502, message: '' },
    { kind: 'rate-limited', retryAfterSeconds: null, message: '' },
  ]
  for (const problem of passing) expect(whyOff({ isRemembered: false, problem })).toBeNull()
})

test('a list of the last run is for reading, until the service has answered', () => {
  expect(whyOff({ isRemembered: true, problem: null })).toMatch(/not answered yet/)
  expect(whyOff({ isRemembered: true, problem: broken('reset') })).toMatch(/not answered yet/)
  expect(whyOff({ isRemembered: false, problem: null })).toBeNull()
})
