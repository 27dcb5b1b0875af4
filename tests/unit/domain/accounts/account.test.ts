import { expect, test } from 'vitest'
import { parseServiceAddress } from '#domain/accounts/account.ts'

test.each([
  ['https://example.com', 'https://example.com'],
  [' example.com/ ', 'https://example.com'],
  ['https://example.com:8443/gpu/', 'https://example.com:8443/gpu'],
  ['http://127.0.0.1:18080', 'http://127.0.0.1:18080'],
  ['http://localhost:18080/', 'http://localhost:18080'],
  ['http://[::1]:18080', 'http://[::1]:18080'],
])('%s is understood', (typed, address) => {
  expect(parseServiceAddress(typed)).toEqual({ ok: true, address })
})

test.each([
  ['', 'missing'],
  ['http://example.com', 'not-encrypted'],
  ['http://localhost.example.com', 'not-encrypted'],
  ['http://127.0.0.1.example.com', 'not-encrypted'],
  ['file:///etc/passwd', 'not-encrypted'],
  ['javascript:alert(1)', 'wrong-form'],
  ['https://user:secret@example.com', 'has-login'],
  ['https://example.com/?key=1', 'has-query'],
  ['https://', 'wrong-form'],
])('%s is refused with a reason', (typed, why) => {
  expect(parseServiceAddress(typed)).toEqual({ ok: false, why })
})
