import { expect } from 'vitest'
import type { Simulator } from '../../../simulator/simulator.ts'
import {
  authorizeByEmail,
  confirmTotp,
  createPerson,
  createTotpPerson,
  createTotpSmsPerson,
  freshTotp,
  type Person,
  secretOf,
} from '../two-factor-person.ts'
import type { Row } from './row.ts'

const section = '5'

/** Without any credential, and with the secret of a login only, these paths are refused. */
async function expectBearerOnly(
  simulator: Simulator,
  requests: readonly (readonly [string, string])[],
): Promise<void> {
  const person = createTotpPerson(simulator)
  const { tfa_secret: secret } = simulator.twoFactor.login(person.key)
  for (const [method, path] of requests)
    for (const body of method === 'GET' ? [undefined] : [{}, { secret }])
      expect(await person.askLoggedOut(method, path, body)).toMatchObject({
        status: 403,
        body: { error: 'auth_error' },
      })
}

const loginByTotp = async (simulator: Simulator, person: Person): Promise<object> => ({
  tfa_method: 'totp',
  code: await freshTotp(simulator, person),
})

/** Which credentials each 2FA endpoint takes. */
export const rows: readonly Row[] = [
  {
    section,
    says: '2FA endpoints accept different credentials per flow:',
    seen: 'the same secret is enough for the one, and not for the other',
    async check(simulator) {
      const person = createTotpPerson(simulator)
      const { tfa_secret: secret } = simulator.twoFactor.login(person.key)
      expect((await person.askLoggedOut('POST', 'email/', { secret })).status).toBe(200)
      expect((await person.askLoggedOut('PUT', 'authorize-new-method/', { secret })).status).toBe(403)
    },
  },
  {
    section,
    says: '| POST tfa (login) | yes | yes (returns `session_key`) | |',
    async check(simulator) {
      const person = createTotpPerson(simulator)
      const { tfa_secret: secret } = simulator.twoFactor.login(person.key)
      const loggedOut = { ...(await loginByTotp(simulator, person)), secret }
      const byCookie = await person.askLoggedOut('POST', '', loggedOut)
      expect(byCookie.status).toBe(200)
      expect(byCookie.body).not.toHaveProperty('session_key')
      const { body } = await person.ask('POST', '', await loginByTotp(simulator, person))
      expect(body).toHaveProperty('session_key')
    },
  },
  {
    section,
    says: '| POST tfa/email, POST tfa/sms | yes | yes | |',
    async check(simulator) {
      for (const path of ['email/', 'sms/']) {
        const person = createTotpSmsPerson(simulator)
        const { tfa_secret: secret } = simulator.twoFactor.login(person.key)
        expect((await person.askLoggedOut('POST', path, { secret })).body).toMatchObject({ secret })
        expect((await person.ask('POST', path, {})).status).toBe(200)
      }
    },
  },
  {
    section,
    says: '| POST tfa/sms/resend | yes | yes (a missing secret is recovered) | |',
    async check(simulator) {
      const person = createTotpSmsPerson(simulator)
      const { tfa_secret: secret } = simulator.twoFactor.login(person.key)
      await person.askLoggedOut('POST', 'sms/', { secret })
      expect((await person.askLoggedOut('POST', 'sms/resend/', { secret })).body).toMatchObject({ secret })
      await person.ask('POST', 'sms/', {})
      const recovered = secretOf(await person.ask('POST', 'sms/resend/', {}))
      const login = { code: person.lastCode('sms'), secret: recovered }
      expect((await person.ask('POST', '', login)).status).toBe(200)
    },
  },
  {
    section,
    says: '| GET tfa/status, POST tfa/totp-setup, PUT tfa/update | | yes | |',
    async check(simulator) {
      const person = createTotpPerson(simulator)
      expect((await person.ask('GET', 'status/')).status).toBe(200)
      expect((await person.ask('POST', 'totp-setup/')).status).toBe(200)
      expect((await person.ask('PUT', 'update/', { tfa_method: 'totp', label: 'A' })).status).toBe(200)
      await expectBearerOnly(simulator, [
        ['GET', 'status/'],
        ['POST', 'totp-setup/'],
        ['PUT', 'update/'],
      ])
    },
  },
  {
    section,
    says: '| POST authorize-new-method | | yes | |',
    async check(simulator) {
      expect((await createPerson(simulator).ask('POST', 'authorize-new-method/', {})).status).toBe(200)
      await expectBearerOnly(simulator, [['POST', 'authorize-new-method/']])
    },
  },
  {
    section,
    says: '| PUT authorize-new-method | | | yes |',
    async check(simulator) {
      await authorizeByEmail(createPerson(simulator))
      await expectBearerOnly(simulator, [['PUT', 'authorize-new-method/']])
      const body = { code: '123456' }
      expect((await createPerson(simulator).ask('PUT', 'authorize-new-method/', body)).body).toMatchObject({
        error: 'missing_params',
      })
    },
  },
  {
    section,
    says: '| POST confirm-new | | | yes (secret always) |',
    async check(simulator) {
      const person = createPerson(simulator)
      await authorizeByEmail(person)
      const without = await confirmTotp(simulator, person, { secret: undefined })
      expect(without.answer.body).toMatchObject({ error: 'bad_request' })
      expect((await confirmTotp(simulator, person)).answer.status).toBe(200)
      await expectBearerOnly(simulator, [['POST', 'confirm-new/']])
    },
  },
  {
    section,
    says: '| DELETE tfa, PUT regen-backup-codes | | | secret only for sms or email verification |',
    async check(simulator) {
      for (const [method, path] of [
        ['PUT', 'regen-backup-codes/'],
        ['DELETE', ''],
      ] as const) {
        const person = createTotpSmsPerson(simulator)
        const secret = secretOf(await person.ask('POST', 'sms/', {}))
        const byTotp = await loginByTotp(simulator, person)
        expect((await person.ask(method, path, { ...byTotp, secret })).body).toMatchObject({
          error: 'bad_request',
        })
        expect((await person.ask(method, path, byTotp)).status).toBe(200)
        const bySms = { tfa_method: 'sms', code: person.lastCode('sms'), secret }
        expect((await person.ask(method, path, bySms)).status).toBe(200)
      }
      await expectBearerOnly(simulator, [
        ['DELETE', ''],
        ['PUT', 'regen-backup-codes/'],
      ])
    },
  },
  {
    section,
    says: 'A logged-out caller authenticates with the `tfa_secret` from the login response.',
    seen: 'and with no other secret',
    async check(simulator) {
      const person = createTotpSmsPerson(simulator)
      const { tfa_secret: secret } = simulator.twoFactor.login(person.key)
      await person.askLoggedOut('POST', 'sms/', { secret })
      const code = person.lastCode('sms')
      const ofKey = secretOf(await person.ask('POST', 'email/', {}))
      const login = { tfa_method: 'email', code: person.lastCode('email'), secret: ofKey }
      expect((await person.askLoggedOut('POST', '', login)).body).toMatchObject({ error: 'auth_error' })
      expect((await person.askLoggedOut('POST', '', { code, secret: 'guessed' })).body).toMatchObject({
        error: 'challenge_not_found',
      })
      expect((await person.askLoggedOut('POST', '', { code, secret })).status).toBe(200)
    },
  },
  {
    section,
    says: 'When neither Bearer token nor `tfa_secret` is present, the request is rejected',
    async check(simulator) {
      const person = createPerson(simulator)
      for (const path of ['', 'email/', 'sms/', 'sms/resend/', 'test/', 'resend/'])
        expect(await person.askLoggedOut('POST', path, {})).toMatchObject({
          status: 401,
          body: { error: 'missing_auth_value' },
        })
      expect(await person.askLoggedOut('GET', 'status/')).toMatchObject({
        status: 403,
        body: { error: 'auth_error' },
      })
    },
  },
]
