import { describe, expect, test } from 'vitest'
import type { Problem } from '#domain/base/problem.ts'
import { twoFactorCode, type TwoFactorCode } from '#domain/base/two-factor-codes.ts'
import { refusalText } from '../../../../src-renderer/features/security/two-factor/flow/refusal-text.ts'
import { signedOutText } from '../../../../src-renderer/features/security/signed-out/signed-out-text.ts'

const origin = 'https://gpu.example'
const refusal = (code: TwoFactorCode): Problem => ({
  kind: 'tfa-refused',
  code,
  message: 'code must be a string',
  failCount: null,
  lockedUntilSeconds: null,
})
const problems: readonly Problem[] = [
  ...twoFactorCode.options.map(refusal),
  { kind: 'key-refused', message: '' },
  { kind: 'not-allowed', code: 'forbidden', message: '' },
  { kind: 'rate-limited', retryAfterSeconds: 5, message: '' },
  { kind: 'refused', status: 400, code: 'unknown', message: 'no' },
  { kind: 'service-failed', status: 500, message: '' },
  { kind: 'bad-reply', status: 200, path: '', detail: 'no JSON' },
  { kind: 'redirected', origin },
  { kind: 'unreachable', cause: 'refused', origin },
  { kind: 'unreachable', cause: 'certificate', origin },
  { kind: 'unreachable', cause: 'timeout', origin },
]
const named = problems.map((problem) => ({
  problem,
  name: problem.kind === 'tfa-refused' ? problem.code : problem.kind,
}))

describe.each(['verify', 'send'] as const)('after a lost reply, asked to %s', (asked) => {
  test.each(named)('$name says nothing of what became of the login', ({ problem }) => {
    const { title, meaning, nextStep } = signedOutText(problem, asked, true)
    expect(`${title}. ${meaning} ${nextStep}`).not.toMatch(
      /nothing was (changed|verified)|isn’t complete|aren’t signed in|undefined/i,
    )
  })
})

test.each([true, false])('a code that isn’t sent is told as that (lost reply: %s)', (isCodeLost) => {
  const { title, meaning, nextStep } = signedOutText(
    { kind: 'refused', status: 400, code: 'unknown', message: 'no' },
    'send',
    isCodeLost,
  )
  expect(title).toBe('The service declined to send a code')
  expect(meaning).toBe('The service said: “no” (unknown). No new code was sent.')
  expect(nextStep).toBe('Change the values that the reply names, or choose another method.')
})

test.each(named)('$name after a lost reply in a guided sign-in doesn’t, either', ({ problem }) => {
  const { title, meaning, nextStep } = refusalText({ kind: 'problem', problem, isAfterLoss: true }, null)
  expect(`${title}. ${meaning} ${nextStep}`).not.toMatch(
    /nothing was (changed|verified)|isn’t complete|aren’t signed in|undefined/i,
  )
})

test('after a lost reply, a request that the service didn’t understand is told with its words, and what to check first', () => {
  expect(signedOutText(refusal('bad_request'), 'verify', true)).toMatchObject({
    meaning:
      'The service couldn’t use the request. It said: “code must be a string”. The code whose reply was lost may have completed the sign-in.',
    nextStep: 'Check whether you’re signed in at the service before you use another code.',
  })
  expect(signedOutText(refusal('bad_request'), 'verify', false).meaning).toContain('Nothing was changed.')
})
