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
  ['', /Enter the address/],
  ['http://example.com', /https/],
  ['http://localhost.example.com', /https/],
  ['http://127.0.0.1.example.com', /https/],
  ['file:///etc/passwd', /https/],
  ['javascript:alert(1)', /https/],
  ['https://user:secret@example.com', /user name/],
  ['https://example.com/?key=1', /\?/],
  ['https://', /such as https/],
])('%s is refused with a reason', (typed, why) => {
  const parsed = parseServiceAddress(typed)
  expect(parsed.ok ? parsed : parsed.why).toMatch(why)
})
