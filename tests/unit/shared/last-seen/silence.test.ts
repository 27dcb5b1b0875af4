import { expect, test } from 'vitest'
import type { Problem } from '#domain/base/problem.ts'
import { isSilence } from '../../../../src-renderer/shared/last-seen/silence.ts'

const silent: readonly Problem[] = [
  { kind: 'unreachable', cause: 'address-unknown', origin: 'https://rent.example' },
  { kind: 'rate-limited', retryAfterSeconds: null, message: '' },
  { kind: 'service-failed', status: 502, message: '' },
  { kind: 'redirected', origin: 'https://rent.example' },
  { kind: 'keychain-locked', detail: '' },
]
const told: readonly Problem[] = [
  { kind: 'key-refused', message: '' },
  { kind: 'not-allowed', code: '', message: '' },
  { kind: 'refused', status: 400, code: '', message: '' },
  { kind: 'address-changed', address: 'https://other.example', keyIsFor: null },
  { kind: 'no-account' },
]

test('what was seen before counts while the service is silent, and not where it refuses', () => {
  expect(silent.filter((problem) => !isSilence(problem))).toEqual([])
  expect(told.filter(isSilence)).toEqual([])
})
