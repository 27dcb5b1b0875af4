import { expect } from 'vitest'
import { anyString } from '../expectations.ts'
import {
  backupCodesOf,
  createPerson,
  createTotpPerson,
  createTotpSmsPerson,
  freshTotp,
  secretOf,
} from '../two-factor-person.ts'
import type { Row } from './row.ts'

const update = '4.7 Update a method'
const regenerate = '4.7 Regenerate backup codes'

/** Changing a method, and replacing the backup codes. */
export const rows: readonly Row[] = [
  {
    section: update,
    says: '**Update a method: `PUT /api/v0/tfa/update/`**.',
    async check(simulator) {
      const person = createTotpPerson(simulator)
      expect((await person.ask('PUT', 'update/', { tfa_method: 'totp', label: 'Mine' })).status).toBe(200)
      expect((await person.status()).methods).toMatchObject([{ label: 'Mine' }])
    },
  },
  {
    section: update,
    says: 'Body: `tfa_method_id` (integer; needed when several methods of a type exist)',
    seen: 'the id is needed when there are several',
    async check(simulator) {
      const person = createPerson(simulator, 'multi-sms')
      const body = { tfa_method: 'sms', label: 'Second' }
      expect((await person.ask('PUT', 'update/', body)).body).toMatchObject({ error: 'bad_request' })
      const tfa_method_id = person.twoFactor.methods[1]?.id
      expect((await person.ask('PUT', 'update/', { ...body, tfa_method_id })).status).toBe(200)
      expect((await person.status()).methods[1]).toMatchObject({ label: 'Second' })
    },
  },
  {
    section: update,
    says: '`label` (string, max 30), `is_primary` (boolean)',
    seen: 'the length of the label, and one primary method at a time or none',
    async check(simulator) {
      const person = createTotpSmsPerson(simulator)
      const long = { tfa_method: 'sms', label: 'x'.repeat(31) }
      expect((await person.ask('PUT', 'update/', long)).body).toMatchObject({ error: 'bad_request' })
      expect((await person.ask('PUT', 'update/', { ...long, label: 'x'.repeat(30) })).status).toBe(200)
      await person.ask('PUT', 'update/', { tfa_method: 'sms', is_primary: true })
      expect((await person.status()).methods.map((method) => method.is_primary)).toEqual([false, true])
      const answer = await person.ask('PUT', 'update/', { tfa_method: 'sms', is_primary: false })
      expect(answer).toMatchObject({ status: 200, body: { method: { is_primary: false } } })
      expect((await person.status()).methods.map((method) => method.is_primary)).toEqual([false, false])
    },
  },
  {
    section: update,
    says: 'Not applicable to email.',
    async check(simulator) {
      const body = { tfa_method: 'email', label: 'Mail' }
      const answer = await createTotpPerson(simulator).ask('PUT', 'update/', body)
      expect(answer.body).toMatchObject({ error: 'invalid_tfa_method' })
    },
  },
  {
    section: update,
    says: 'Response `{success, msg, method: <2FA method>}`.',
    async check(simulator) {
      const person = createTotpSmsPerson(simulator)
      const { body } = await person.ask('PUT', 'update/', { tfa_method: 'sms', label: 'Phone' })
      const [, method] = (await person.status()).methods
      expect(body).toEqual({ success: true, msg: anyString, method })
      expect(method).toMatchObject({ label: 'Phone', phone_number: '********0148' })
    },
  },
  {
    section: regenerate,
    says: '**Regenerate backup codes: `PUT /api/v0/tfa/regen-backup-codes/`**.',
    async check(simulator) {
      const person = createTotpPerson(simulator)
      const body = { tfa_method: 'totp', code: await freshTotp(simulator, person) }
      expect((await person.ask('PUT', 'regen-backup-codes/', body)).status).toBe(200)
    },
  },
  {
    section: regenerate,
    says: 'Body: `tfa_method`, `code`, `secret` (for sms and email only), `tfa_method_id`, `backup_code`',
    async check(simulator) {
      const person = createTotpSmsPerson(simulator)
      const ask = async (body: object): ReturnType<typeof person.ask> =>
        await person.ask('PUT', 'regen-backup-codes/', body)
      const secret = secretOf(await person.ask('POST', 'sms/', {}))
      const tfa_method_id = person.twoFactor.methods[1]?.id
      const bySms = { tfa_method: 'sms', code: person.lastCode('sms'), tfa_method_id }
      expect((await ask(bySms)).body).toMatchObject({ error: 'missing_params' })
      expect((await ask({ ...bySms, secret })).status).toBe(200)
      const byTotp = { tfa_method: 'totp', code: await freshTotp(simulator, person) }
      expect((await ask({ ...byTotp, secret })).body).toMatchObject({ error: 'bad_request' })
      const [backup_code] = backupCodesOf(await ask(byTotp))
      expect((await ask({ backup_code })).status).toBe(200)
      expect((await ask({})).body).toMatchObject({ error: 'missing_auth_value' })
    },
  },
  {
    section: regenerate,
    says: 'Replaces all codes with 10 new ones.',
    async check(simulator) {
      const person = createTotpPerson(simulator)
      const [first, ...others] = person.twoFactor.backup_codes
      const fresh = backupCodesOf(await person.ask('PUT', 'regen-backup-codes/', { backup_code: first }))
      expect(new Set(fresh).size).toBe(10)
      expect(fresh.filter((code) => others.includes(code))).toEqual([])
      expect((await person.ask('POST', '', { backup_code: others[0] })).status).toBe(401)
      expect((await person.ask('POST', '', { backup_code: fresh[0] })).status).toBe(200)
    },
  },
  {
    section: regenerate,
    says: 'Response `{msg, backup_codes: array}`.',
    async check(simulator) {
      const person = createTotpPerson(simulator)
      const body = { backup_code: person.twoFactor.backup_codes[0] }
      const answer = await person.ask('PUT', 'regen-backup-codes/', body)
      expect(Object.keys(answer.body)).toEqual(['msg', 'backup_codes'])
      expect(backupCodesOf(answer)).toHaveLength(10)
    },
  },
]
