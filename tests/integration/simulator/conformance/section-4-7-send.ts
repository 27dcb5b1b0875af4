import { expect } from 'vitest'
import { anyString } from '../expectations.ts'
import {
  createPerson,
  createTotpPerson,
  createTotpSmsPerson,
  OWN_NUMBER,
  secretOf,
} from '../two-factor-person.ts'
import type { Row } from './row.ts'

const email = '4.7 Send e-mail code'
const sms = '4.7 Send SMS code'
const resend = '4.7 Resend SMS code'

/** `POST /api/v0/tfa/email/`, `/sms/` and `/sms/resend/`. */
export const rows: readonly Row[] = [
  {
    section: email,
    says: '**Send e-mail code: `POST /api/v0/tfa/email/`**.',
    async check(simulator) {
      const person = createPerson(simulator)
      expect((await person.ask('POST', 'email/', {})).status).toBe(200)
    },
  },
  {
    section: email,
    says: 'Body `{secret?: string}`.',
    async check(simulator) {
      const person = createPerson(simulator)
      const secret = secretOf(await person.ask('POST', 'email/', {}))
      expect((await person.ask('POST', 'email/', { secret })).body).toMatchObject({ secret })
      expect((await person.ask('POST', 'email/', { secret: 5 })).body).toMatchObject({ error: 'bad_request' })
    },
  },
  {
    section: email,
    says: 'Response `{success, msg, secret}`.',
    async check(simulator) {
      const { body } = await createPerson(simulator).ask('POST', 'email/', {})
      expect(body).toEqual({ success: true, msg: anyString, secret: anyString })
    },
  },
  {
    section: email,
    says: 'Sends a 6-digit code to the verified e-mail address.',
    async check(simulator) {
      const person = createPerson(simulator)
      const { body } = await person.ask('POST', 'email/', {})
      const entry = simulator.twoFactor.outbox().at(-1)
      expect(entry).toMatchObject({ channel: 'email', to: (await person.user())['email'] })
      expect(entry?.code).toMatch(/^\d{6}$/)
      expect(JSON.stringify(body)).not.toContain(entry?.code)
    },
  },
  {
    section: email,
    says: 'With a Bearer token and no `secret`, a fresh challenge and secret are created on every call.',
    async check(simulator) {
      const person = createPerson(simulator)
      const first = {
        secret: secretOf(await person.ask('POST', 'email/', {})),
        code: person.lastCode('email'),
      }
      const second = {
        secret: secretOf(await person.ask('POST', 'email/', {})),
        code: person.lastCode('email'),
      }
      expect(second.secret).not.toBe(first.secret)
      for (const challenge of [first, second])
        expect((await person.ask('POST', '', { tfa_method: 'email', ...challenge })).status).toBe(200)
    },
  },
  {
    section: email,
    says: 'The returned `secret` is passed back on the endpoint that completes verification',
    async check(simulator) {
      const person = createTotpSmsPerson(simulator)
      const proof = async (): Promise<object> => {
        const secret = secretOf(await person.ask('POST', 'email/', {}))
        return { tfa_method: 'email', code: person.lastCode('email'), secret }
      }
      expect((await person.ask('POST', '', await proof())).status).toBe(200)
      expect((await person.ask('PUT', 'regen-backup-codes/', await proof())).status).toBe(200)
      await person.ask('POST', 'authorize-new-method/', { tfa_method: 'email' })
      const { tfa_method: _channel, ...step } = { tfa_method: '', ...(await proof()) }
      expect((await person.ask('PUT', 'authorize-new-method/', step)).status).toBe(200)
      const removal = { ...(await proof()), target_id: person.twoFactor.methods[0]?.id }
      expect((await person.ask('DELETE', '', removal)).status).toBe(200)
    },
  },
  {
    section: sms,
    says: '**Send SMS code: `POST /api/v0/tfa/sms/`**',
    async check(simulator) {
      const person = createPerson(simulator)
      await person.ask('POST', 'sms/', { phone_number: '+12025550151' })
      expect(simulator.twoFactor.outbox().at(-1)).toMatchObject({ channel: 'sms', to: '+12025550151' })
      expect(person.lastCode('sms')).toMatch(/^\d{6}$/)
    },
  },
  {
    section: sms,
    says: '| phone_number | string | E.164; required if no `tfa_method_id` and no number on the account |',
    async check(simulator) {
      const person = createPerson(simulator)
      expect((await person.ask('POST', 'sms/', {})).body).toMatchObject({ error: 'missing_phone_number' })
      const national = { phone_number: '(202) 555-0152' }
      expect((await person.ask('POST', 'sms/', national)).body).toMatchObject({ error: 'bad_request' })
      const onFile = createPerson(simulator, 'default', { phoneNumber: '+12025550152' })
      expect((await onFile.ask('POST', 'sms/', {})).status).toBe(200)
      expect(simulator.twoFactor.outbox().at(-1)).toMatchObject({ to: '+12025550152' })
    },
  },
  {
    section: sms,
    says: '| tfa_method_id | integer | existing SMS method; its number is used |',
    async check(simulator) {
      const person = createPerson(simulator, 'multi-sms')
      await person.ask('POST', 'sms/', { tfa_method_id: person.twoFactor.methods[1]?.id })
      expect(simulator.twoFactor.outbox().at(-1)).toMatchObject({
        to: person.twoFactor.methods[1]?.phone_number,
      })
      const totp = createTotpPerson(simulator)
      const body = { tfa_method_id: totp.twoFactor.methods[0]?.id }
      expect((await totp.ask('POST', 'sms/', body)).body).toMatchObject({ error: 'bad_request' })
    },
  },
  {
    section: sms,
    says: '| secret | string | `tfa_secret` from the login response; required without a Bearer token',
    async check(simulator) {
      const person = createTotpSmsPerson(simulator)
      const { tfa_secret: secret } = simulator.twoFactor.login(person.key)
      expect((await person.askLoggedOut('POST', 'sms/', {})).status).toBe(401)
      expect((await person.askLoggedOut('POST', 'sms/', { secret })).body).toMatchObject({ secret })
      expect((await person.ask('POST', 'sms/', { secret })).body).toMatchObject({ error: 'bad_request' })
    },
  },
  {
    section: sms,
    says: 'Response `{msg, secret}`.',
    async check(simulator) {
      const { body } = await createTotpSmsPerson(simulator).ask('POST', 'sms/', {})
      expect(body).toEqual({ msg: anyString, secret: anyString })
    },
  },
  {
    section: sms,
    says: 'If a recent code was already sent: `tfa_challenge_exists` (HTTP 400); use resend.',
    async check(simulator) {
      const person = createTotpSmsPerson(simulator)
      await person.ask('POST', 'sms/', {})
      const again = await person.ask('POST', 'sms/', {})
      expect(again).toMatchObject({ status: 400, body: { error: 'tfa_challenge_exists' } })
      expect((await person.ask('POST', 'sms/resend/', {})).status).toBe(200)
    },
  },
  {
    section: resend,
    says: '**Resend SMS code: `POST /api/v0/tfa/sms/resend/`**',
    async check(simulator) {
      const person = createTotpSmsPerson(simulator)
      const secret = secretOf(await person.ask('POST', 'sms/', {}))
      const sent = simulator.twoFactor.outbox().length
      await person.ask('POST', 'sms/resend/', { secret })
      expect(simulator.twoFactor.outbox().slice(sent)).toMatchObject([{ channel: 'sms', to: OWN_NUMBER }])
      expect((await person.ask('POST', '', { code: person.lastCode('sms'), secret })).status).toBe(200)
    },
  },
  {
    section: resend,
    says: '| phone_number | string | must match the original challenge',
    async check(simulator) {
      const person = createPerson(simulator)
      const body = { phone_number: '+12025550153' }
      const secret = secretOf(await person.ask('POST', 'sms/', body))
      const other = { phone_number: '+12025550154', secret }
      expect((await person.ask('POST', 'sms/resend/', other)).body).toMatchObject({
        error: 'phone_number_mismatch',
      })
      expect((await person.ask('POST', 'sms/resend/', { ...body, secret })).status).toBe(200)
    },
  },
  {
    section: resend,
    says: '| tfa_method_id | integer | SMS method id |',
    async check(simulator) {
      const person = createPerson(simulator, 'multi-sms')
      const [first, second] = person.twoFactor.methods
      await person.ask('POST', 'sms/', { tfa_method_id: first?.id })
      const other = await person.ask('POST', 'sms/resend/', { tfa_method_id: second?.id })
      expect(other.body).toMatchObject({ error: 'phone_number_mismatch' })
      expect((await person.ask('POST', 'sms/resend/', { tfa_method_id: first?.id })).status).toBe(200)
    },
  },
  {
    section: resend,
    says: '| secret | string | required without a Bearer token; with a Bearer token and no secret a new',
    async check(simulator) {
      const person = createTotpSmsPerson(simulator)
      const { tfa_secret: ofLogin } = simulator.twoFactor.login(person.key)
      await person.askLoggedOut('POST', 'sms/', { secret: ofLogin })
      expect((await person.askLoggedOut('POST', 'sms/resend/', {})).status).toBe(401)
      expect((await person.askLoggedOut('POST', 'sms/resend/', { secret: ofLogin })).status).toBe(200)
      const lost = secretOf(await person.ask('POST', 'sms/', {}))
      const secret = secretOf(await person.ask('POST', 'sms/resend/', {}))
      expect(secret).not.toBe(lost)
      expect((await person.ask('POST', '', { code: person.lastCode('sms'), secret })).status).toBe(200)
    },
  },
  {
    section: resend,
    says: 'Response `{msg, secret}`.',
    async check(simulator) {
      const person = createTotpSmsPerson(simulator)
      await person.ask('POST', 'sms/', {})
      expect((await person.ask('POST', 'sms/resend/', {})).body).toEqual({
        msg: anyString,
        secret: anyString,
      })
    },
  },
]
