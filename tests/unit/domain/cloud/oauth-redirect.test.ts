import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readRedirect } from '#domain/cloud/oauth-redirect.ts'

test.each([
  ['https://console.example/cb?code=4%2F0AX&state=s%201', { code: '4/0AX', state: 's 1' }],
  ['  https://console.example/cb?state=s&code=c#top \n', { code: 'c', state: 's' }],
  ['https://console.example/#/cloud?code=c&state=s', { code: 'c', state: 's' }],
  ['https://console.example/cb#state=s&code=c', { code: 'c', state: 's' }],
  ['https://console.example/cb?code=c', { code: 'c', state: null }],
  ['console.example/cb?code=c&state=', { code: 'c', state: null }],
  ['?code=c&state=s', { code: 'c', state: 's' }],
  ['code=c&state=s', { code: 'c', state: 's' }],
])('the end of a flow: %s', (pasted, granted) => {
  expect(readRedirect(pasted)).toEqual({ kind: 'granted', ...granted })
})

test.each(['4/0AX-y_z', 'abc==', 'aGVsbG8=state', ''])('a code alone is no address: %j', (pasted) => {
  expect(readRedirect(pasted)).toEqual({ kind: 'plain' })
})

test('what the provider says when it does not agree', () => {
  expect(readRedirect('https://x.example/cb?error=access_denied&error_description=Not+you&state=s')).toEqual({
    kind: 'denied',
    error: 'access_denied',
    description: 'Not you',
  })
})

test.each(['https://accounts.example/consent', 'https://x.example/cb?state=s', 'https://x.example/cb?code='])(
  'an address without a code: %s',
  (pasted) => expect(readRedirect(pasted)).toEqual({ kind: 'nothing' }),
)

test('any code and state come out of an address as the provider put them in', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.string({ minLength: 1 }), (code, state) => {
      const address = `https://x.example/cb?${new URLSearchParams({ state, code }).toString()}`
      expect(readRedirect(address)).toEqual({ kind: 'granted', code, state })
    }),
  )
})
