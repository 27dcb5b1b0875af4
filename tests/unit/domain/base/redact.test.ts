import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Redactor } from '#domain/base/redact.ts'

test('a remembered secret never passes, wherever it stands', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 6 }), fc.string(), fc.string(), (secret, before, after) => {
      const redactor = new Redactor()
      redactor.remember(secret)
      fc.pre(!'[redacted]'.includes(secret))
      expect(redactor.redact(before + secret + after)).not.toContain(secret)
    }),
  )
})

test.each([
  'Authorization: Bearer canary-1',
  '{"api_key":"canary-1"}',
  "instance_api_key: 'canary-1'",
  'otpauth://totp/x?secret=canary-1',
  'password=canary-1',
  'note: url=password=canary-1',
  `"${'x'.repeat(200)}_TOKEN_${'x'.repeat(200)}" : "canary-1"`,
  '-----BEGIN OPENSSH PRIVATE KEY-----\ncanary-1\n-----END OPENSSH PRIVATE KEY-----',
])('a secret by its shape does not pass: %j', (text) => {
  expect(new Redactor().redact(text)).not.toContain('canary-1')
})

test('ordinary text passes unchanged', () => {
  const text = 'GET /api/v0/instances/ failed: 502, tried 3 times, next in 30 s'
  expect(new Redactor().redact(text)).toBe(text)
})

test('a secret that is under way passes again only when all who sent it are done', () => {
  const redactor = new Redactor()
  const first = redactor.hide('canary-1')
  const second = redactor.hide('canary-1')
  first()
  expect(redactor.redact('a canary-1')).not.toContain('canary-1')
  second()
  expect(redactor.redact('a canary-1')).toBe('a canary-1')
})
