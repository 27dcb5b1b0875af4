import { describe, expect, test } from 'vitest'
import type { Problem } from '#domain/base/problem.ts'
import {
  acceptedText,
  signedOutText,
} from '../../../../../src-renderer/features/security/signed-out/signed-out-text.ts'

const accepted = {
  kind: 'accepted',
  name: 'Ada',
  email: 'ada@example.com',
  codesLeft: null,
  isLegacy: false,
} as const

describe('a sign-in that the service accepted', () => {
  test.each([
    [{}, 'The sign-in of Ada (ada@example.com) is complete.'],
    [{ name: '' }, 'The sign-in of ada@example.com is complete.'],
    [{ email: '' }, 'The sign-in of Ada is complete.'],
    [{ name: '', email: '' }, 'The sign-in of this account is complete.'],
    [{ codesLeft: 1 }, 'The sign-in of Ada (ada@example.com) is complete. 1 backup code left.'],
    [
      { codesLeft: 0, isLegacy: true },
      'The sign-in of Ada (ada@example.com) is complete. That was your last backup code. Create new codes. The service lists its two-factor authentication as legacy.',
    ],
  ])('%o', (parts, text) => {
    expect(acceptedText({ ...accepted, ...parts })).toBe(text)
  })
})

test('after a lost reply no refusal says that the sign-in isn’t complete', () => {
  const problem: Problem = {
    kind: 'tfa-refused',
    code: 'invalid_backup_code',
    message: '',
    failCount: null,
    lockedUntilSeconds: null,
  }
  expect(signedOutText(problem, 'verify', false).meaning).toBe(
    'Each backup code works once. The sign-in isn’t complete.',
  )
  expect(signedOutText(problem, 'verify', true).meaning).toBe(
    'Each backup code works once. The code whose reply was lost may have completed the sign-in.',
  )
})
