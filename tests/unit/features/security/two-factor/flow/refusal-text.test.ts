import { expect, test } from 'vitest'
import { refusalText } from '../../../../../../src-renderer/features/security/two-factor/flow/refusal-text.ts'

test.each([
  [-45, 'The clock is 45 s behind.'],
  [150, 'The clock is 2 min ahead.'],
  [-7200, 'The clock is 2 h behind.'],
])('an authenticator’s clock that is off by %i s: %s', (skewSeconds, text) => {
  expect(refusalText({ kind: 'typed-code-clock', skewSeconds }, null).meaning).toContain(text)
})

test('this computer’s clock is told with its unit, too', () => {
  const problem = { kind: 'not-allowed', code: '', message: '' } as const
  expect(refusalText({ kind: 'problem', problem, isAfterLoss: false }, 3 * 3_600_000).meaning).toContain(
    'This computer’s clock is 3 h ahead',
  )
})
