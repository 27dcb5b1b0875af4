import { expect } from 'vitest'
import {
  createPerson,
  createTotpPerson,
  createTotpSmsPerson,
  freshTotp,
  secretOf,
} from '../two-factor-person.ts'
import type { Row } from './row.ts'

const section = '4.7 Remove a method'

/** `DELETE /api/v0/tfa/`. */
export const rows: readonly Row[] = [
  {
    section,
    says: '**Remove a method: `DELETE /api/v0/tfa/`**',
    async check(simulator) {
      const person = createTotpPerson(simulator)
      const body = { tfa_method: 'totp', code: await freshTotp(simulator, person) }
      expect((await person.ask('DELETE', '', body)).status).toBe(200)
      expect((await person.status()).methods).toEqual([])
    },
  },
  {
    section,
    says: '| tfa_method | string | verification method; not needed with `backup_code` |',
    async check(simulator) {
      const person = createTotpSmsPerson(simulator)
      expect((await person.ask('DELETE', '', { code: '123456' })).body).toMatchObject({
        error: 'bad_request',
      })
      const body = {
        backup_code: person.twoFactor.backup_codes[0],
        target_id: person.twoFactor.methods[1]?.id,
      }
      expect((await person.ask('DELETE', '', body)).status).toBe(200)
    },
  },
  {
    section,
    says: '| code | string | required unless `backup_code` |',
    async check(simulator) {
      const person = createTotpPerson(simulator)
      const body = { tfa_method: 'totp' }
      expect((await person.ask('DELETE', '', body)).body).toMatchObject({ error: 'missing_auth_value' })
    },
  },
  {
    section,
    says: '| secret | string | required for `sms` and `email` verification |',
    async check(simulator) {
      const person = createTotpSmsPerson(simulator)
      const target_id = person.twoFactor.methods[0]?.id
      const secret = secretOf(await person.ask('POST', 'email/', {}))
      const body = { tfa_method: 'email', code: person.lastCode('email'), target_id }
      expect((await person.ask('DELETE', '', body)).body).toMatchObject({ error: 'missing_params' })
      expect((await person.ask('DELETE', '', { ...body, secret })).body).toMatchObject({
        remaining_methods: 1,
      })
      const ofSms = secretOf(await person.ask('POST', 'sms/', {}))
      const last = { tfa_method: 'sms', code: person.lastCode('sms') }
      expect((await person.ask('DELETE', '', last)).body).toMatchObject({ error: 'missing_params' })
      expect((await person.ask('DELETE', '', { ...last, secret: ofSms })).status).toBe(200)
    },
  },
  {
    section,
    says: '| tfa_method_id | integer | verification method id when ambiguous |',
    async check(simulator) {
      const person = createPerson(simulator, 'multi-sms')
      const tfa_method_id = person.twoFactor.methods[0]?.id
      const secret = secretOf(await person.ask('POST', 'sms/', { tfa_method_id }))
      const body = { tfa_method: 'sms', code: person.lastCode('sms'), secret }
      expect((await person.ask('DELETE', '', body)).body).toMatchObject({ error: 'bad_request' })
      expect((await person.ask('DELETE', '', { ...body, tfa_method_id })).status).toBe(200)
    },
  },
  {
    section,
    says: '| target_id | integer | id of the method to remove',
    seen: 'by default the verifying method goes, else the one that is named',
    async check(simulator) {
      const named = createTotpSmsPerson(simulator)
      const body = { tfa_method: 'totp', code: await freshTotp(simulator, named) }
      await named.ask('DELETE', '', { ...body, target_id: named.twoFactor.methods[1]?.id })
      expect((await named.status()).methods).toMatchObject([{ method: 'totp' }])
      const unnamed = createTotpSmsPerson(simulator)
      await unnamed.ask('DELETE', '', { tfa_method: 'totp', code: await freshTotp(simulator, unnamed) })
      expect((await unnamed.status()).methods).toMatchObject([{ method: 'sms' }])
    },
  },
  {
    section,
    says: '| backup_code | string | requires `target_id` |',
    async check(simulator) {
      const person = createTotpPerson(simulator)
      const [backup_code] = person.twoFactor.backup_codes
      expect((await person.ask('DELETE', '', { backup_code })).body).toMatchObject({ error: 'bad_request' })
      const body = { backup_code, target_id: person.twoFactor.methods[0]?.id }
      expect((await person.ask('DELETE', '', body)).status).toBe(200)
    },
  },
  {
    section,
    says: 'Response: `{msg, remaining_methods: integer}`',
    async check(simulator) {
      const person = createTotpSmsPerson(simulator)
      const [first, second] = person.twoFactor.backup_codes
      const [totp, sms] = person.twoFactor.methods
      const one = await person.ask('DELETE', '', { backup_code: first, target_id: sms?.id })
      expect(one.body).toEqual({ msg: expect.any(String), remaining_methods: 1 })
      const last = await person.ask('DELETE', '', { backup_code: second, target_id: totp?.id })
      expect(last.body).toEqual({ msg: '2FA Successfully Disabled' })
    },
  },
]
