import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CATEGORIES } from '../../simulator/accounts.ts'
import { type Simulator, startSimulator } from '../../simulator/simulator.ts'
import { call, rent } from './caller.ts'
import { containing } from './expectations.ts'
import { createPerson, freshTotp, secretOf } from './two-factor-person.ts'

let simulator: Simulator
beforeAll(async () => {
  simulator = await startSimulator({ offers: 1, bootSeconds: [1e6, 1e6] })
})
afterAll(() => simulator.close())

const WITH_BODY = [
  ['POST', ''],
  ['DELETE', ''],
  ['POST', 'email/'],
  ['POST', 'sms/'],
  ['POST', 'sms/resend/'],
  ['POST', 'authorize-new-method/'],
  ['PUT', 'authorize-new-method/'],
  ['POST', 'confirm-new/'],
  ['PUT', 'update/'],
  ['PUT', 'regen-backup-codes/'],
  ['POST', 'test/'],
  ['POST', 'resend/'],
  ['POST', 'test-submit/'],
] as const
/** The simplest body that a request of this method may have. */
const bodyOf = (method: string): object | undefined => (method === 'GET' ? undefined : {})
const ALL = [...WITH_BODY, ['GET', 'status/'], ['POST', 'totp-setup/']] as const

describe.each(WITH_BODY)('%s /api/v0/tfa/%s', (method, path) => {
  it.each([
    ['a field that is not described', { body: { color: 'red' } }, 'Unrecognized key: "color"'],
    ['a body that is no object', { body: [] }, 'body: '],
    ['a body that is no JSON', { text: 'code=123456' }, 'not valid JSON'],
  ])('refuses %s', async (_what, request, reason) => {
    const { key } = simulator.account('default')
    expect(await call(simulator, method, `/api/v0/tfa/${path}`, { key, ...request })).toMatchObject({
      status: 400,
      body: { error: 'bad_request', msg: containing(reason) },
    })
  })
})

describe('every 2FA endpoint', () => {
  it.each(ALL)('%s %s refuses a query', async (method, path) => {
    const { status, body } = await call(simulator, method, `/api/v0/tfa/${path}?a=b`)
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { error: 'bad_request', msg: containing('query') },
    })
  })

  it.each(ALL)('%s %s refuses a wrong key, and one that is no Bearer token', async (method, path) => {
    const person = createPerson(simulator)
    expect(await person.ask(method, path, bodyOf(method), 'wrong')).toMatchObject({
      status: 403,
      body: { error: 'auth_error' },
    })
    const headers = { Authorization: 'Basic YTpi' }
    expect((await fetch(`${simulator.baseUrl}/api/v0/tfa/${path}`, { method, headers })).status).toBe(403)
  })

  it.each(ALL)('%s %s refuses a revoked key', async (method, path) => {
    const revoked = createPerson(simulator, 'revoked')
    expect(await revoked.ask(method, path, bodyOf(method))).toMatchObject({
      status: 403,
      body: { error: 'auth_error' },
    })
  })

  it("refuses an instance's own key", async () => {
    const { instanceKey } = await rent(simulator)
    for (const [method, path] of ALL) {
      const answer = await createPerson(simulator).ask(method, path, bodyOf(method), instanceKey)
      expect(answer).toMatchObject({ status: 403, body: { error: 'forbidden' } })
    }
  })

  it.each(ALL)('%s %s takes no scoped key for more than reading', async (method, path) => {
    for (const missing of CATEGORIES) {
      const categories = CATEGORIES.filter((each) => each !== missing)
      const { status, body } = await createPerson(simulator, 'default', { categories }).ask(
        method,
        path,
        bodyOf(method),
      )
      if (path === 'status/' && missing !== 'user_read') expect(status).toBe(200)
      else expect([status, body]).toMatchObject([403, { error: 'forbidden' }])
    }
    const { body } = await createPerson(simulator).ask(method, path, bodyOf(method))
    expect(body).not.toMatchObject({ error: 'forbidden' })
  })

  it.each(['status', 'sms', 'sms/resend', 'confirm-new'])('is not at %s without its slash', async (path) => {
    expect((await createPerson(simulator).ask('POST', path, {})).status).toBe(404)
  })

  it.each([
    ['PUT', ''],
    ['POST', 'status/'],
    ['GET', 'sms/'],
    ['DELETE', 'authorize-new-method/'],
    ['POST', 'update/'],
    ['POST', 'regen-backup-codes/'],
  ])('does not know %s %s', async (method, path) => {
    expect((await createPerson(simulator).ask(method, path)).body).toMatchObject({
      error: 'method_not_allowed',
    })
  })
})

describe('fields', () => {
  const confirm = { tfa_method: 'sms', code: '123456', secret: 'abc', phone_number: '+12025550140' }
  it.each([
    ['POST', '', { code: '12345' }, 'body.code: expected a code of 6 digits'],
    ['POST', '', { code: '123 456' }, 'body.code: '],
    ['POST', '', { code: 123456 }, 'body.code: '],
    ['POST', '', { code: '123456', tfa_method_id: '5' }, 'body.tfa_method_id: '],
    ['POST', '', { code: '123456', admin: 'yes' }, 'body.admin: '],
    [
      'POST',
      '',
      { tfa_method: 'email', code: '123456', secret: 'a', tfa_method_id: 5 },
      'body.tfa_method_id: ',
    ],
    ['POST', '', { tfa_method: 'totp', code: '123456', secret: 'a' }, 'body.secret: only for'],
    ['POST', '', { backup_code: 'ABCD-EFGH-JKLM', secret: 'a' }, 'body.secret: only for'],
    ['DELETE', '', { backup_code: 'ABCD-EFGH-JKLM' }, 'body.target_id: required with backup_code'],
    [
      'DELETE',
      '',
      { tfa_method: 'email', code: '123456', secret: 'a' },
      'body.target_id: required with email',
    ],
    ['DELETE', '', { tfa_method: 'totp', code: '123456', secret: 'a' }, 'body.secret: only for'],
    ['DELETE', '', { code: '123456' }, 'body.tfa_method: required'],
    ['POST', 'email/', { secret: 5 }, 'body.secret: '],
    ['POST', 'sms/', { phone_number: '2025550140' }, 'body.phone_number: expected a phone number in E.164'],
    ['POST', 'sms/', { phone_number: '+1 202 555 0140' }, 'body.phone_number: '],
    ['POST', 'sms/', { phone_number: '+1202555014' }, 'body.phone_number: '],
    ['POST', 'sms/', { phone_number: '+9991234567890' }, 'body.phone_number: '],
    ['POST', 'sms/', { phone_number: '+12025550140', secret: 'abc' }, 'body.secret: omitted with an API key'],
    ['POST', 'totp-setup/', { label: 'Mine' }, 'takes no body'],
    ['PUT', 'authorize-new-method/', { code: 'abcdef', secret: 'abc' }, 'body.code: '],
    ['POST', 'confirm-new/', { tfa_method: 'totp' }, 'body.code: '],
    ['POST', 'confirm-new/', { ...confirm, label: 'x'.repeat(31) }, 'body.label: longer than 30 characters'],
    ['POST', 'confirm-new/', { ...confirm, tfa_method: 'totp' }, 'body.phone_number: for sms only'],
    ['PUT', 'update/', { tfa_method: 'sms' }, 'nothing to change'],
    ['PUT', 'update/', { label: 'Mine' }, 'body.tfa_method_id: needed'],
    ['PUT', 'update/', { tfa_method: 'sms', label: 'x'.repeat(31) }, 'body.label: '],
    ['PUT', 'update/', { tfa_method: 'sms', is_primary: 1 }, 'body.is_primary: '],
    ['PUT', 'regen-backup-codes/', { backup_code: 'A', secret: 'a' }, 'body.secret: only for'],
  ])('%s %s refuses %j', async (method, path, body, reason) => {
    expect(await createPerson(simulator).ask(method, path, body)).toMatchObject({
      status: 400,
      body: { error: 'bad_request', msg: containing(reason) },
    })
  })

  it('a method of another type than the one named is refused', async () => {
    const person = createPerson(simulator, 'multi-sms')
    const body = { tfa_method: 'totp', tfa_method_id: person.twoFactor.methods[0]?.id, code: '123456' }
    expect((await person.ask('POST', '', body)).body['msg']).toContain('is sms, not totp')
  })
})

it('the secrets of 2FA are in no journal', async () => {
  const person = createPerson(simulator, 'admin', {
    twoFactorMethods: [{ method: 'totp' }, { method: 'sms', phone_number: '+12025550140' }],
  })
  const [first, second] = person.twoFactor.backup_codes
  const code = await freshTotp(simulator, person)
  const login = await person.ask('POST', '', { tfa_method: 'totp', code })
  const session = String(login.body['session_key'])
  const secret = secretOf(await person.ask('POST', 'sms/', { phone_number: '+12025550140' }, session))
  const sms = person.lastCode('sms')
  await person.ask('POST', '', { code: sms, secret }, session)
  await person.ask('POST', '', { backup_code: first })
  const { tfa_secret } = simulator.twoFactor.login(person.key)
  await person.askLoggedOut('POST', '', { secret: tfa_secret, backup_code: second })
  await person.askLoggedOut('POST', '', { tfa_secret, session_key: session, key: person.key })
  await person.ask('POST', 'totp-setup/', { session_key: session }, session)

  const journal = JSON.stringify(simulator.journal())
  const canaries = [
    code,
    session,
    secret,
    sms,
    first,
    second,
    tfa_secret,
    person.key,
    person.twoFactor.methods[0]?.secret,
  ]
  expect(canaries.filter((canary) => canary === undefined || journal.includes(canary))).toEqual([])
  expect(journal).toContain('+12025550140')
  expect(
    simulator
      .journal()
      .slice(-8)
      .map((entry) => entry.session),
  ).toContain('user')
})
