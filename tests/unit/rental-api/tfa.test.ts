import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Http } from '#services/rental-api/http.ts'
import { createLoggedOutTfaClient, parseSixDigits } from '#services/rental-api/tfa.ts'

/** A service that gives each code that it sends a secret of its own. */
function service() {
  const bodies: unknown[] = []
  const http: Http = {
    send: ({ path, body, reply }) => {
      bodies.push(body)
      return Promise.resolve(reply.parse(path === '/api/v0/tfa/' ? { id: 7 } : { secret: 'of-the-code' }))
    },
  }
  return { client: createLoggedOutTfaClient(http, 'of-the-login'), bodies }
}

test.each(['email', 'sms'] as const)(
  'logged out: a login by %s takes the secret that came with the code, as the service describes it',
  async (kind) => {
    const { client, bodies } = service()
    const { secret } = await (kind === 'sms' ? client.sendSms({ methodId: 3 }) : client.sendEmail())
    await client.logIn({ kind, code: '123456', secret, methodId: 3 }, false)
    expect(bodies).toMatchObject([{ secret: 'of-the-login' }, { code: '123456', secret: 'of-the-code' }])
  },
)

test('logged out: a code that nobody sent goes with the secret of the login', async () => {
  const { client, bodies } = service()
  await client.logIn({ kind: 'totp', code: '123456', methodId: 3 }, false)
  await client.logIn({ kind: 'backup-code', backupCode: 'ABCD-EFGH-0000' }, false)
  expect(bodies).toMatchObject([
    { code: '123456', secret: 'of-the-login' },
    { backup_code: 'ABCD-EFGH-0000', secret: 'of-the-login' },
  ])
})

test.each([
  ['123456', '123456'],
  [' 123 456 ', '123456'],
  ['123-456', '123456'],
  ['12345', null],
  ['1234567', null],
  ['12345a', null],
  ['١٢٣٤٥٦', null],
])('what is typed as a code: %j', (typed, code) => expect(parseSixDigits(typed)).toBe(code))

test('whatever is typed, a code has six digits', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 12 }), (typed) => {
      const code = parseSixDigits(typed)
      if (code !== null) expect(code).toMatch(/^[0-9]{6}$/)
    }),
  )
})
