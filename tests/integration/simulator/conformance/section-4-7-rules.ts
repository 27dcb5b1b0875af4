import { expect } from 'vitest'
import {
  authorizeByEmail,
  confirmTotp,
  createPerson,
  createTotpSmsPerson,
  freshTotp,
  secretOf,
  totp,
} from '../two-factor-person.ts'
import type { Row } from './row.ts'

/** Where the statements behind the last titled paragraph stand. */
const section = '4.7 Regenerate backup codes'
const NUMBER = '+12025550157'

/** What holds for several of the 2FA endpoints, and the deprecated ones. */
export const rows: readonly Row[] = [
  {
    section: '4.7',
    says: 'Values of `tfa_method`: `sms`, `totp`, `email`.',
    async check(simulator) {
      const person = createTotpSmsPerson(simulator)
      for (const tfa_method of ['sms', 'totp', 'email'])
        expect((await person.ask('POST', 'authorize-new-method/', { tfa_method })).status).toBe(200)
      const other = await person.ask('POST', 'authorize-new-method/', { tfa_method: 'phone' })
      expect(other.body).toMatchObject({ error: 'bad_request' })
    },
  },
  {
    section: '4.7',
    says: 'A `secret` is the `tfa_secret` returned by a send-code call',
    async check(simulator) {
      const person = createPerson(simulator)
      const sent = secretOf(await person.ask('POST', 'email/', {}))
      const login = { tfa_method: 'email', code: person.lastCode('email'), secret: sent }
      expect((await person.ask('POST', '', login)).status).toBe(200)
      await authorizeByEmail(person)
      const { answer, secret } = await confirmTotp(simulator, person)
      expect(answer.status).toBe(200)
      expect(secret).toMatch(/^[A-Z2-7]+$/)
    },
  },
  {
    section,
    says: 'Deprecated paths, still active',
    seen: 'test/ sends and resend/ sends again',
    async check(simulator) {
      const person = createPerson(simulator)
      const body = { phone_number: NUMBER }
      const sent = await person.ask('POST', 'test/', body)
      expect(Object.keys(sent.body)).toEqual(['msg', 'secret'])
      expect((await person.ask('POST', 'test/', body)).body).toMatchObject({ error: 'tfa_challenge_exists' })
      const again = await person.ask('POST', 'resend/', { ...body, secret: secretOf(sent) })
      expect(again.body).toMatchObject({ secret: secretOf(sent) })
      expect(simulator.twoFactor.outbox().slice(-2)).toMatchObject([{ to: NUMBER }, { to: NUMBER }])
    },
  },
  {
    section,
    says: 'Deprecated paths, still active',
    seen: 'test-submit/ confirms, but not for legacy accounts',
    async check(simulator) {
      const person = createPerson(simulator)
      await authorizeByEmail(person)
      const secret = secretOf(await person.ask('POST', 'totp-setup/'))
      const body = { tfa_method: 'totp', code: totp(simulator, secret), secret }
      expect((await person.ask('POST', 'test-submit/', body)).body['backup_codes']).toHaveLength(10)
      const legacy = createPerson(simulator, 'legacy')
      expect((await legacy.ask('POST', 'test-submit/', body)).body).toMatchObject({
        error: 'untracked_2fa_found',
      })
    },
  },
  {
    section,
    says: 'Prerequisites: a verified e-mail (`email_verified_at` non-null) is required',
    seen: 'on every endpoint that sends codes, and until it is verified',
    async check(simulator) {
      const person = createPerson(simulator, 'unverified')
      for (const [path, body] of [
        ['email/', {}],
        ['sms/', { phone_number: NUMBER }],
        ['test/', { phone_number: NUMBER }],
        ['authorize-new-method/', {}],
        ['confirm-new/', { tfa_method: 'totp', code: '123456', secret: 'abc' }],
      ] as const)
        expect((await person.ask('POST', path, body)).body).toMatchObject({ error: 'email_not_verified' })
      simulator.twoFactor.happenTo(person.key, { email_verified: true })
      expect((await person.user())['email_verified_at']).not.toBeNull()
      await authorizeByEmail(person)
      await person.ask('POST', 'sms/', { phone_number: NUMBER })
      simulator.twoFactor.happenTo(person.key, { email_verified: false })
      for (const path of ['sms/resend/', 'resend/'])
        expect((await person.ask('POST', path, {})).body).toMatchObject({ error: 'email_not_verified' })
    },
  },
  {
    section,
    says: 'Admin users are exempt on `POST /api/v0/tfa/sms/` and `POST /api/v0/tfa/sms/resend/` only.',
    async check(simulator) {
      const admin = createPerson(simulator, 'admin', { emailVerified: false })
      const body = { phone_number: NUMBER }
      for (const [path, further] of [
        ['email/', {}],
        ['test/', body],
        ['authorize-new-method/', {}],
      ] as const)
        expect((await admin.ask('POST', path, further)).body).toMatchObject({ error: 'email_not_verified' })
      expect((await admin.ask('POST', 'sms/', body)).status).toBe(200)
      expect((await admin.ask('POST', 'sms/resend/', {})).status).toBe(200)
      expect((await admin.ask('POST', 'resend/', {})).body).toMatchObject({ error: 'email_not_verified' })
    },
  },
  {
    section,
    says: 'Calls from a team context are refused (`team_user_forbidden`).',
    async check(simulator) {
      const team = createPerson(simulator, 'team', { twoFactorMethods: [{ method: 'totp' }] })
      for (const [method, path] of [
        ['GET', 'status/'],
        ['POST', ''],
        ['DELETE', ''],
        ['POST', 'email/'],
        ['POST', 'sms/'],
        ['POST', 'sms/resend/'],
        ['POST', 'totp-setup/'],
        ['POST', 'authorize-new-method/'],
        ['PUT', 'authorize-new-method/'],
        ['POST', 'confirm-new/'],
        ['PUT', 'update/'],
        ['PUT', 'regen-backup-codes/'],
        ['POST', 'test/'],
        ['POST', 'resend/'],
        ['POST', 'test-submit/'],
      ] as const)
        expect(await team.ask(method, path)).toMatchObject({
          status: 403,
          body: { error: 'team_user_forbidden' },
        })
      const { tfa_secret: secret } = simulator.twoFactor.login(team.key)
      const login = { tfa_method: 'totp', code: await freshTotp(simulator, team), secret }
      expect((await team.askLoggedOut('POST', '', login)).body).toMatchObject({
        error: 'team_user_forbidden',
      })
    },
  },
]
