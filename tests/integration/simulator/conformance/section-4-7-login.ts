import { expect } from 'vitest'
import {
  createPerson,
  createTotpPerson,
  createTotpSmsPerson,
  freshTotp,
  otherThan,
  secretOf,
} from '../two-factor-person.ts'
import type { Row } from './row.ts'

const section = '4.7 Complete login'

/** `POST /api/v0/tfa/`. */
export const rows: readonly Row[] = [
  {
    section,
    says: '**Complete login: `POST /api/v0/tfa/`**',
    async check(simulator) {
      const person = createTotpPerson(simulator)
      const body = { tfa_method: 'totp', code: await freshTotp(simulator, person) }
      expect((await person.ask('POST', '', body)).status).toBe(200)
    },
  },
  {
    section,
    says: '| tfa_method | string | default `sms`',
    seen: 'without it the code is one by SMS',
    async check(simulator) {
      const person = createTotpSmsPerson(simulator)
      const secret = secretOf(await person.ask('POST', 'sms/', {}))
      expect((await person.ask('POST', '', { code: person.lastCode('sms'), secret })).status).toBe(200)
    },
  },
  {
    section,
    says: '| tfa_method | string | default `sms`',
    seen: 'a backup code needs none',
    async check(simulator) {
      const person = createTotpPerson(simulator)
      expect((await person.ask('POST', '', { backup_code: person.twoFactor.backup_codes[0] })).status).toBe(
        200,
      )
    },
  },
  {
    section,
    says: '| code | string | 6-digit code',
    async check(simulator) {
      const person = createTotpPerson(simulator)
      const login = (body: object): ReturnType<typeof person.ask> =>
        person.ask('POST', '', { tfa_method: 'totp', ...body })
      expect((await login({ code: '12345' })).body).toMatchObject({ error: 'bad_request' })
      expect((await login({})).body).toMatchObject({ error: 'missing_auth_value' })
      expect((await login({ code: otherThan(await freshTotp(simulator, person)) })).body).toMatchObject({
        error: '2fa_login_failed',
      })
      expect((await login({ code: await freshTotp(simulator, person) })).status).toBe(200)
    },
  },
  {
    section,
    says: '| secret | string | required for `sms` and `email`; not for `totp` or `backup_code` |',
    async check(simulator) {
      const person = createTotpSmsPerson(simulator)
      for (const tfa_method of ['sms', 'email']) {
        const secret = secretOf(await person.ask('POST', `${tfa_method}/`, {}))
        const login = { tfa_method, code: person.lastCode(tfa_method === 'sms' ? 'sms' : 'email') }
        expect((await person.ask('POST', '', login)).body).toMatchObject({ error: 'missing_params' })
        expect((await person.ask('POST', '', { ...login, secret })).status).toBe(200)
      }
      const login = { tfa_method: 'totp', code: await freshTotp(simulator, person) }
      expect((await person.ask('POST', '', login)).status).toBe(200)
      expect((await person.ask('POST', '', { backup_code: person.twoFactor.backup_codes[0] })).status).toBe(
        200,
      )
    },
  },
  {
    section,
    says: '| tfa_method_id | integer | needed when the user has several methods of the same type |',
    async check(simulator) {
      const person = createPerson(simulator, 'multi-sms')
      const id = person.twoFactor.methods[1]?.id
      const secret = secretOf(await person.ask('POST', 'sms/', { tfa_method_id: id }))
      const login = { code: person.lastCode('sms'), secret }
      expect((await person.ask('POST', '', login)).body).toMatchObject({ error: 'bad_request' })
      const first = { ...login, tfa_method_id: person.twoFactor.methods[0]?.id }
      expect((await person.ask('POST', '', first)).body).toMatchObject({ error: 'phone_number_mismatch' })
      expect((await person.ask('POST', '', { ...login, tfa_method_id: id })).status).toBe(200)
    },
  },
  {
    section,
    says: '| backup_code | string | one-time code',
    async check(simulator) {
      const person = createTotpPerson(simulator)
      const login = { backup_code: person.twoFactor.backup_codes[0] }
      expect((await person.ask('POST', '', login)).status).toBe(200)
      expect((await person.ask('POST', '', login)).body).toMatchObject({ error: 'invalid_backup_code' })
    },
  },
  {
    section,
    says: '| admin | boolean | request an admin session; default false |',
    async check(simulator) {
      const admin = createPerson(simulator, 'admin', { twoFactorMethods: [{ method: 'totp' }] })
      const sessions = []
      for (const [index, further] of [{}, { admin: true }].entries()) {
        const body = { backup_code: admin.twoFactor.backup_codes[index], ...further }
        const session = String((await admin.ask('POST', '', body)).body['session_key'])
        await admin.ask('GET', 'status/', undefined, session)
        sessions.push(simulator.journal().at(-1)?.session)
      }
      expect(sessions).toEqual(['user', 'admin'])
      const person = createTotpPerson(simulator)
      const body = { backup_code: person.twoFactor.backup_codes[0], admin: true }
      expect((await person.ask('POST', '', body)).status).toBe(403)
      expect((await person.status()).backup_codes_remaining).toBe(10)
    },
  },
  {
    section,
    says: 'Response: the user object (2.5) plus:',
    async check(simulator) {
      const person = createTotpPerson(simulator)
      const body = { tfa_method: 'totp', code: await freshTotp(simulator, person) }
      expect((await person.ask('POST', '', body)).body).toEqual({
        ...(await person.user()),
        session_key: expect.any(String),
      })
    },
  },
  {
    section,
    says: '`session_key` in the body when the caller authenticated with an API key as Bearer',
    seen: 'and it is good as a Bearer value',
    async check(simulator) {
      const person = createTotpPerson(simulator)
      const { body } = await person.ask('POST', '', { backup_code: person.twoFactor.backup_codes[0] })
      const session = String(body['session_key'])
      expect(session).not.toBe(person.key)
      expect((await person.ask('GET', 'status/', undefined, session)).body).toMatchObject({
        backup_codes_remaining: 9,
      })
      expect(simulator.journal().at(-1)).toMatchObject({ key: 'default', session: 'user' })
    },
  },
  {
    section,
    says: 'In the logged-out UI flow the session is established by cookie or header',
    async check(simulator) {
      const person = createTotpPerson(simulator)
      const { tfa_secret: secret } = simulator.twoFactor.login(person.key)
      const login = { tfa_method: 'totp', code: await freshTotp(simulator, person), secret }
      const { status, headers, body } = await person.askLoggedOut('POST', '', login)
      expect(status).toBe(200)
      expect(body).not.toHaveProperty('session_key')
      const session = /^session=([^;]+);/.exec(headers.get('Set-Cookie') ?? '')?.[1]
      expect((await person.ask('GET', 'status/', undefined, session)).status).toBe(200)
    },
  },
  {
    section,
    says: '`backup_codes_remaining`: present only when a backup code was used',
    async check(simulator) {
      const person = createTotpPerson(simulator)
      const seen = []
      for (const backup_code of person.twoFactor.backup_codes)
        seen.push((await person.ask('POST', '', { backup_code })).body['backup_codes_remaining'])
      expect(seen).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, undefined])
      const login = { tfa_method: 'totp', code: await freshTotp(simulator, person) }
      expect((await person.ask('POST', '', login)).body).not.toHaveProperty('backup_codes_remaining')
    },
  },
  {
    section,
    says: '`legacy_tfa_user: true`: present only for legacy accounts, otherwise omitted.',
    async check(simulator) {
      const legacy = createPerson(simulator, 'legacy')
      const secret = secretOf(await legacy.ask('POST', 'sms/', {}))
      const login = { code: legacy.lastCode('sms'), secret }
      expect((await legacy.ask('POST', '', login)).body).toMatchObject({ legacy_tfa_user: true })
      const other = createTotpPerson(simulator)
      const { body } = await other.ask('POST', '', { backup_code: other.twoFactor.backup_codes[0] })
      expect(body).not.toHaveProperty('legacy_tfa_user')
    },
  },
]
