import { expect } from 'vitest'
import { anyString } from '../expectations.ts'
import {
  authorizeByEmail,
  backupCodesOf,
  confirmSms,
  confirmTotp,
  createPerson,
  createTotpPerson,
  type Person,
  secretOf,
} from '../two-factor-person.ts'
import type { Simulator } from '../../../simulator/simulator.ts'
import type { Row } from './row.ts'

const section = '4.7 Confirm and activate'
const NUMBER = '+12025550155'

/** Somebody who may add a method. */
async function createAuthorized(simulator: Simulator): Promise<Person> {
  const person = createPerson(simulator)
  await authorizeByEmail(person)
  return person
}

/** `POST /api/v0/tfa/confirm-new/`. */
export const rows: readonly Row[] = [
  {
    section,
    says: '**Confirm and activate: `POST /api/v0/tfa/confirm-new/`**',
    async check(simulator) {
      const person = await createAuthorized(simulator)
      expect((await confirmSms(person, NUMBER)).status).toBe(200)
      expect((await person.status()).methods).toMatchObject([{ phone_number: '********0155' }])
    },
  },
  {
    section,
    says: '| tfa_method | string | yes | `sms` or `totp` only |',
    async check(simulator) {
      const person = await createAuthorized(simulator)
      const body = { code: '123456', secret: 'abc' }
      const confirm = async (further: object): Promise<unknown> =>
        (await person.ask('POST', 'confirm-new/', { ...body, ...further })).body
      expect(await confirm({})).toMatchObject({ error: 'bad_request' })
      expect(await confirm({ tfa_method: 'email' })).toMatchObject({ error: 'invalid_tfa_method' })
      expect((await confirmTotp(simulator, person)).answer.status).toBe(200)
      expect((await confirmSms(person, NUMBER)).status).toBe(200)
    },
  },
  {
    section,
    says: '| code | string | yes | 6-digit code |',
    async check(simulator) {
      const person = await createAuthorized(simulator)
      const { answer } = await confirmTotp(simulator, person, { code: '1234567' })
      expect(answer.body).toMatchObject({ error: 'bad_request' })
      const without = await confirmTotp(simulator, person, { code: undefined })
      expect(without.answer.body).toMatchObject({ error: 'bad_request' })
    },
  },
  {
    section,
    says: '| secret | string | yes | SMS challenge secret, or the base32 TOTP secret |',
    async check(simulator) {
      const person = await createAuthorized(simulator)
      const other = secretOf(await person.ask('POST', 'email/', {}))
      const { answer } = await confirmTotp(simulator, person, { secret: other })
      expect(answer.body).toMatchObject({ error: 'challenge_not_found' })
      const unsent = await confirmSms(person, NUMBER, { secret: other })
      expect(unsent.body).toMatchObject({ error: 'no_challenge_found' })
      const without = await confirmTotp(simulator, person, { secret: undefined })
      expect(without.answer.body).toMatchObject({ error: 'bad_request' })
      expect((await confirmTotp(simulator, person)).answer.status).toBe(200)
    },
  },
  {
    section,
    says: '| phone_number | string | SMS only | E.164 |',
    async check(simulator) {
      const person = await createAuthorized(simulator)
      const totp = await confirmTotp(simulator, person, { phone_number: NUMBER })
      expect(totp.answer.body).toMatchObject({ error: 'bad_request' })
      const secret = secretOf(await person.ask('POST', 'sms/', { phone_number: NUMBER }))
      const body = { tfa_method: 'sms', code: person.lastCode('sms'), secret }
      const confirm = async (further: object): Promise<unknown> =>
        (await person.ask('POST', 'confirm-new/', { ...body, ...further })).body
      expect(await confirm({})).toMatchObject({ error: 'missing_phone_number' })
      expect(await confirm({ phone_number: '2025550155' })).toMatchObject({ error: 'bad_request' })
      expect(await confirm({ phone_number: '+12025550156' })).toMatchObject({
        error: 'phone_number_mismatch',
      })
      expect(await confirm({ phone_number: NUMBER })).toMatchObject({ success: true })
    },
  },
  {
    section,
    says: '| label | string | no | at most 30 characters |',
    async check(simulator) {
      const person = await createAuthorized(simulator)
      const long = await confirmTotp(simulator, person, { label: 'x'.repeat(31) })
      expect(long.answer.body).toMatchObject({ error: 'bad_request' })
      await confirmTotp(simulator, person, { label: 'x'.repeat(30) })
      expect((await person.status()).methods).toMatchObject([{ label: 'x'.repeat(30) }])
    },
  },
  {
    section,
    says: 'Response `{success, msg}`; the message names the method type.',
    async check(simulator) {
      const person = createTotpPerson(simulator)
      await person.ask('POST', 'authorize-new-method/', { backup_code: person.twoFactor.backup_codes[0] })
      const { body } = await confirmSms(person, NUMBER)
      expect(body).toEqual({ success: true, msg: anyString })
      expect(body['msg']).toMatch(/sms/i)
    },
  },
  {
    section,
    says: 'For the first method the body also has `backup_codes` (array of 10).',
    async check(simulator) {
      const person = await createAuthorized(simulator)
      expect(backupCodesOf(await confirmSms(person, NUMBER))).toHaveLength(10)
      expect((await confirmTotp(simulator, person)).answer.body).not.toHaveProperty('backup_codes')
    },
  },
]
