import { describe, expect, test } from 'vitest'
import { problem, type Problem } from '#domain/base/problem.ts'
import { twoFactorCode } from '#domain/base/two-factor-codes.ts'
import type { Attempt } from '#ui/problems/attempt.ts'
import { problemText } from '#ui/problems/problem-text.ts'

const examples: readonly Problem[] = [
  { kind: 'no-account' },
  { kind: 'key-refused', message: 'Invalid key' },
  { kind: 'session-ended', otherUserId: null },
  { kind: 'session-ended', otherUserId: 2 },
  { kind: 'not-allowed', code: 'forbidden', message: 'instance_write is required' },
  { kind: 'unreachable', cause: 'address-unknown', origin: 'https://gpu.example' },
  { kind: 'unreachable', cause: 'refused', origin: 'https://gpu.example' },
  { kind: 'unreachable', cause: 'reset', origin: 'https://gpu.example' },
  { kind: 'unreachable', cause: 'timeout', origin: 'https://gpu.example' },
  { kind: 'unreachable', cause: 'certificate', origin: 'https://gpu.example' },
  { kind: 'unreachable', cause: 'other', origin: 'https://gpu.example' },
  { kind: 'redirected', origin: 'https://gpu.example' },
  { kind: 'bad-reply', status: 200, path: 'offers[3].id', detail: 'not a number' },
  { kind: 'rate-limited', retryAfterSeconds: 90, message: '' },
  { kind: 'rate-limited', retryAfterSeconds: null, message: '' },
  { kind: 'service-failed', status: 503, message: 'maintenance' },
  { kind: 'refused', status: 400, code: 'offer_gone', message: 'The offer is no longer available' },
  ...twoFactorCode.options.map(
    (code) =>
      ({ kind: 'tfa-refused', code, message: 'No', failCount: null, lockedUntilSeconds: null }) as const,
  ),
  { kind: 'keychain-locked', detail: 'locked' },
  { kind: 'keychain-unavailable', detail: 'no D-Bus' },
  { kind: 'secret-missing', what: 'API key' },
  { kind: 'secret-missing', what: 'instance’s API key' },
  { kind: 'address-changed', address: 'http://elsewhere.example', keyIsFor: 'https://gpu.example' },
  { kind: 'address-changed', address: 'http://elsewhere.example', keyIsFor: null },
  { kind: 'invalid-input', field: 'serviceAddress', fault: { code: 'missing' } },
  { kind: 'rental-refused', reason: { code: 'no-offer' } },
  { kind: 'guard-refused', reason: { code: 'past' } },
  { kind: 'list-unavailable' },
  { kind: 'storage-failed', file: 'journal.jsonl', detail: 'no space left on device' },
  { kind: 'newer-file', file: 'preferences.json' },
  { kind: 'update-failed', cause: 'unreachable' },
  { kind: 'update-failed', cause: 'unsigned' },
  { kind: 'update-failed', cause: 'unfit' },
  { kind: 'update-failed', cause: 'damaged' },
  { kind: 'update-failed', cause: 'not-installed' },
  { kind: 'ended' },
  { kind: 'unexpected', id: 'e-41' },
]
const attempts: readonly Attempt[] = [
  'load',
  'connect',
  'search',
  'rent',
  'stop',
  'destroy',
  'save',
  'save-rest',
  'send-code',
  'verify-again',
]
const all = examples.flatMap((example) => attempts.map((attempt) => ({ example, attempt })))

test('the examples cover every kind of problem', () => {
  const kinds = problem._zod.propValues?.['kind']
  expect(new Set(examples.map(({ kind }) => kind))).toEqual(kinds)
})

describe('every problem, whatever was attempted', () => {
  test.each(all)('$example.kind while $attempt', ({ example, attempt }) => {
    const text = problemText(example, attempt)
    for (const part of [text.title, text.meaning, text.nextStep]) {
      expect(part.trim()).not.toBe('')
      expect(part).not.toMatch(/undefined|null|\[object|!|\.\.|“”|\s\s/)
    }
    expect(text.title).not.toMatch(/\.$/)
    expect(text.meaning).toMatch(/\.$/)
    expect(text.nextStep).toMatch(/\.$/)
  })
})

describe('money', () => {
  test('a rental that was refused says that nothing is charged', () => {
    const text = problemText({ kind: 'refused', status: 400, code: 'offer_gone', message: 'Gone' }, 'rent')
    expect(text.title).toBe('The service didn’t rent this machine')
    expect(text.meaning).toContain('Nothing was rented or charged')
    expect(text.meaning).toContain('“Gone” (offer_gone)')
  })

  test.each<Problem>([
    { kind: 'unreachable', cause: 'timeout', origin: 'https://gpu.example' },
    { kind: 'unreachable', cause: 'reset', origin: 'https://gpu.example' },
    { kind: 'service-failed', status: 500, message: '' },
    { kind: 'bad-reply', status: 200, path: '', detail: 'not JSON' },
    { kind: 'ended' },
    { kind: 'unexpected', id: 'x' },
  ])('a rental without a good answer ($kind) never says that nothing was rented', (example) => {
    const { meaning } = problemText(example, 'rent')
    expect(meaning).not.toContain('Nothing was rented')
    expect(meaning).toContain('You may be charged')
  })

  test('a machine that was not stopped is still charged', () => {
    expect(problemText({ kind: 'key-refused', message: '' }, 'stop').meaning).toContain(
      'You’re still charged.',
    )
  })
})

describe('access', () => {
  test('a refused key is not a matter of trying again', () => {
    const { title, canRetry = false } = problemText({ kind: 'key-refused', message: '' }, 'connect')
    expect(title).toBe('The service refused the API key')
    expect(canRetry).toBe(false)
  })

  test('a key that lacks a permission shows the service’s own words', () => {
    const text = problemText(
      { kind: 'not-allowed', code: 'forbidden', message: 'needs instance_write' },
      'rent',
    )
    expect(text.meaning).toContain('“needs instance_write” (forbidden)')
  })

  test.each([
    [{ message: 'needs instance_write' }, 'full access or with instance_write.'],
    // The API's word, where the reply names nothing.
    [{ message: 'forbidden', permission: 'user_read' }, 'full access or with user_read.'],
    [{ message: 'no' }, 'a key with full access.'],
  ])('what to do names the permission that is missing: %j', (said, expected) => {
    const { nextStep } = problemText({ kind: 'not-allowed', code: '', ...said })
    expect(nextStep).toContain(expected)
  })

  test('an invalid certificate says that the key was not sent', () => {
    const text = problemText(
      { kind: 'unreachable', cause: 'certificate', origin: 'https://gpu.example' },
      'connect',
    )
    expect(text.meaning).toContain('not even your key')
  })

  test('a rate limit names the pause', () => {
    const text = problemText({ kind: 'rate-limited', retryAfterSeconds: 90, message: '' })
    expect(text.nextStep).toBe('Try again in 1 min.')
  })
})

describe('what was typed', () => {
  test('is named as its field is labelled; what has no field isn’t', () => {
    const told = problemText(
      { kind: 'invalid-input', field: 'apiKey', fault: { code: 'too-long', most: 2000 } },
      'connect',
    )
    expect(told).toEqual({
      title: '“API key” isn’t valid',
      meaning: 'Enter at most 2,000 characters. No key was saved.',
      nextStep: 'Check your input, then try again.',
    })
    const over = problemText({ kind: 'invalid-input', field: 'flowId', fault: { code: 'ended' } }, 'save')
    expect(over).toEqual({
      title: 'Couldn’t complete this action',
      meaning: 'This step has ended. Nothing was changed.',
      nextStep: 'Start over.',
    })
  })
})

test('nobody is told to enter an instance’s own key again: the service returns it only when it’s rented', () => {
  const { nextStep } = problemText({ kind: 'secret-missing', what: 'instance’s API key' })
  expect(nextStep).not.toContain('Enter it again')
  expect(nextStep).toContain('CONTAINER_API_KEY')
})
