import { expect, test } from 'vitest'
import { fits, looksLikeCode, promptsOf, type LoginQuestion } from '#domain/ssh/ssh-login.ts'

const hidden = (prompt: string) =>
  promptsOf({ name: '', instruction: '', prompts: [{ prompt, echo: false }] })

test.each([
  'Verification code: ',
  'Enter your one-time password',
  'One time token:',
  '(ops@bastion) OTP:',
  'Enter PASSCODE:',
  'Passcode or option (1-3): ',
  '2FA',
  'TOTP for ops',
])('%j asks for a code, and is never remembered', (prompt) => {
  expect(looksLikeCode(prompt)).toBe(true)
  expect(hidden(prompt).canRemember).toBe(false)
})

test.each(['Password: ', "ops@bastion's password:"])('%j asks for a password', (prompt) => {
  expect(looksLikeCode(prompt)).toBe(false)
  expect(hidden(prompt).canRemember).toBe(true)
})

test.each(['New password: ', 'Retype password:', 'Footprints:', 'PIN:', 'Passwort:', ''])(
  '%j asks for anything',
  (prompt) => {
    expect(looksLikeCode(prompt)).toBe(false)
    expect(hidden(prompt).canRemember).toBe(false)
  },
)

test('a password that may be seen, or that is asked for with something else, is not remembered', () => {
  const password = { prompt: 'Password:', echo: false }
  expect(promptsOf({ name: '', instruction: '', prompts: [{ ...password, echo: true }] }).canRemember).toBe(
    false,
  )
  expect(promptsOf({ name: '', instruction: '', prompts: [password, password] }).canRemember).toBe(false)
})

test('an answer fits each prompt once, with codes only where one is asked for', () => {
  const question: LoginQuestion = {
    ...{ id: 1, method: 'keyboard-interactive', user: 'ops', canUsePassword: false, trouble: null },
    ...promptsOf({ name: '', instruction: '', prompts: [{ prompt: 'Password:' }, { prompt: 'Code:' }] }),
  }
  const text = { kind: 'text', text: '' } as const
  const code = { kind: 'code', entryId: 'one' } as const
  const answer = (...responses: readonly (typeof text | typeof code)[]) =>
    fits({ kind: 'responses', responses, remember: false }, question)
  expect(answer(text, code)).toBe(true)
  expect(answer(text, text)).toBe(true)
  expect(answer(code, code)).toBe(false)
  expect(answer(text)).toBe(false)
  expect(answer(text, text, text)).toBe(false)
  expect(fits({ kind: 'use-password' }, question)).toBe(false)
  expect(fits({ kind: 'use-password' }, { ...question, canUsePassword: true })).toBe(true)
})
