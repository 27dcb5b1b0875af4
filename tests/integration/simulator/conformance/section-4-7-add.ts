import { expect } from 'vitest'
import { anyString } from '../expectations.ts'
import {
  authorizeByEmail,
  confirmTotp,
  createPerson,
  createTotpPerson,
  createTotpSmsPerson,
  freshTotp,
  secretOf,
} from '../two-factor-person.ts'
import type { Row } from './row.ts'

const setup = '4.7 TOTP setup'
const start = '4.7 Authorize new method, step 1'
const finish = '4.7 Authorize new method, step 2'

/** Setting up and authorizing a new method. */
export const rows: readonly Row[] = [
  {
    section: setup,
    says: '**TOTP setup: `POST /api/v0/tfa/totp-setup/`**.',
    async check(simulator) {
      const person = createPerson(simulator)
      expect((await person.ask('POST', 'totp-setup/')).status).toBe(200)
    },
  },
  {
    section: setup,
    says: 'No body.',
    async check(simulator) {
      const { body } = await createPerson(simulator).ask('POST', 'totp-setup/', { label: 'Mine' })
      expect(body).toMatchObject({ error: 'bad_request' })
    },
  },
  {
    section: setup,
    says: 'Response `{secret: <base32 secret>, provisioning_uri: <otpauth URI>}`.',
    async check(simulator) {
      const { body } = await createPerson(simulator).ask('POST', 'totp-setup/')
      expect(Object.keys(body)).toEqual(['secret', 'provisioning_uri'])
      expect(body['secret']).toMatch(/^[A-Z2-7]{32}$/)
    },
  },
  {
    section: setup,
    says: 'The URI uses the `otpauth://totp/` form with `secret` and `issuer` query parameters.',
    async check(simulator) {
      const { body } = await createPerson(simulator).ask('POST', 'totp-setup/')
      const uri = new URL(String(body['provisioning_uri']))
      expect(uri.href).toMatch(/^otpauth:\/\/totp\/./)
      expect(uri.searchParams.get('secret')).toBe(body['secret'])
      expect(uri.searchParams.get('issuer')).toMatch(/./)
    },
  },
  {
    section: setup,
    says: 'No image is produced; the client renders a QR code.',
    async check(simulator) {
      const { headers, body } = await createPerson(simulator).ask('POST', 'totp-setup/')
      expect(headers.get('Content-Type')).toMatch(/^application\/json/)
      expect(JSON.stringify(body)).not.toMatch(/data:|svg|png/)
    },
  },
  {
    section: setup,
    says: 'This call checks no authorization and adds no method; the method is added by confirm-new.',
    async check(simulator) {
      const person = createPerson(simulator)
      expect((await person.status()).new_method_authorized).toBe(false)
      expect((await person.ask('POST', 'totp-setup/')).status).toBe(200)
      expect((await person.status()).methods).toEqual([])
      await authorizeByEmail(person)
      await confirmTotp(simulator, person)
      expect((await person.status()).methods).toMatchObject([{ method: 'totp' }])
    },
  },
  {
    section: start,
    says: '**Authorize new method, step 1: `POST /api/v0/tfa/authorize-new-method/`**',
    async check(simulator) {
      const person = createTotpSmsPerson(simulator)
      await person.ask('POST', 'authorize-new-method/', { tfa_method: 'sms' })
      expect(person.lastCode('sms')).toMatch(/^\d{6}$/)
    },
  },
  {
    section: start,
    says: '| tfa_method | string | verification method; forced to `email` when the user has no method',
    async check(simulator) {
      const nobody = createPerson(simulator)
      expect((await nobody.ask('POST', 'authorize-new-method/', { tfa_method: 'totp' })).status).toBe(200)
      expect(nobody.lastCode('email')).toMatch(/^\d{6}$/)
      const person = createTotpSmsPerson(simulator)
      expect((await person.ask('POST', 'authorize-new-method/', {})).body).toMatchObject({
        error: 'bad_request',
      })
      const byId = { tfa_method_id: person.twoFactor.methods[1]?.id }
      expect((await person.ask('POST', 'authorize-new-method/', byId)).status).toBe(200)
      expect(person.lastCode('sms')).toMatch(/^\d{6}$/)
    },
  },
  {
    section: start,
    says: '| tfa_method_id | integer | needed when several methods of the same type exist |',
    async check(simulator) {
      const person = createPerson(simulator, 'multi-sms')
      const body = { tfa_method: 'sms' }
      expect((await person.ask('POST', 'authorize-new-method/', body)).body).toMatchObject({
        error: 'bad_request',
      })
      const tfa_method_id = person.twoFactor.methods[1]?.id
      expect((await person.ask('POST', 'authorize-new-method/', { ...body, tfa_method_id })).status).toBe(200)
      expect(simulator.twoFactor.outbox().at(-1)).toMatchObject({
        to: person.twoFactor.methods[1]?.phone_number,
      })
    },
  },
  {
    section: start,
    says: '| backup_code | string | authorizes directly |',
    async check(simulator) {
      const person = createTotpPerson(simulator)
      const body = { backup_code: person.twoFactor.backup_codes[0] }
      expect((await person.ask('POST', 'authorize-new-method/', body)).status).toBe(200)
      expect(await person.status()).toMatchObject({ new_method_authorized: true, backup_codes_remaining: 9 })
    },
  },
  {
    section: start,
    says: 'Response for the code flow `{success, secret}`; for the backup code flow `{success, msg}`.',
    async check(simulator) {
      const person = createTotpPerson(simulator)
      const byCode = await person.ask('POST', 'authorize-new-method/', { tfa_method: 'totp' })
      expect(byCode.body).toEqual({ success: true, secret: anyString })
      const body = { backup_code: person.twoFactor.backup_codes[0] }
      const byBackupCode = await person.ask('POST', 'authorize-new-method/', body)
      expect(byBackupCode.body).toEqual({ success: true, msg: anyString })
    },
  },
  {
    section: finish,
    says: '**Authorize new method, step 2: `PUT /api/v0/tfa/authorize-new-method/`**.',
    async check(simulator) {
      const person = createTotpPerson(simulator)
      const secret = secretOf(await person.ask('POST', 'authorize-new-method/', { tfa_method: 'totp' }))
      const body = { code: await freshTotp(simulator, person), secret }
      expect((await person.ask('PUT', 'authorize-new-method/', body)).status).toBe(200)
    },
  },
  {
    section: finish,
    says: 'Body `{code: string, secret: string}`.',
    async check(simulator) {
      const person = createPerson(simulator)
      const secret = secretOf(await person.ask('POST', 'authorize-new-method/', {}))
      const code = person.lastCode('email')
      for (const body of [{ code }, { secret }, {}])
        expect((await person.ask('PUT', 'authorize-new-method/', body)).body).toMatchObject({
          error: 'missing_params',
        })
      expect((await person.ask('PUT', 'authorize-new-method/', { code, secret })).status).toBe(200)
    },
  },
  {
    section: finish,
    says: 'Response `{success, msg}`.',
    async check(simulator) {
      const person = createPerson(simulator)
      const secret = secretOf(await person.ask('POST', 'authorize-new-method/', {}))
      const body = { code: person.lastCode('email'), secret }
      expect((await person.ask('PUT', 'authorize-new-method/', body)).body).toEqual({
        success: true,
        msg: anyString,
      })
    },
  },
  {
    section: finish,
    says: 'Opens the 30-minute window.',
    async check(simulator) {
      const person = createPerson(simulator)
      await authorizeByEmail(person)
      await simulator.clock.advance(30 * 60 - 1)
      expect((await person.status()).new_method_authorized).toBe(true)
      await simulator.clock.advance(1)
      expect((await person.status()).new_method_authorized).toBe(false)
    },
  },
]
