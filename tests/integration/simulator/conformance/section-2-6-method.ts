import { expect } from 'vitest'
import { anyNumber, anyString } from '../expectations.ts'
import {
  confirmSms,
  createPerson,
  createTotpPerson,
  createTotpSmsPerson,
  freshTotp,
  otherThan,
} from '../two-factor-person.ts'
import type { Row } from './row.ts'

const section = '2.6'

/** The 2FA method. */
export const rows: readonly Row[] = [
  {
    section,
    says: '| id | integer |',
    async check(simulator) {
      const person = createTotpSmsPerson(simulator)
      const { methods } = await person.status()
      const ids = methods.map(({ id }) => id)
      expect(ids.every(Number.isInteger)).toBe(true)
      expect(new Set(ids).size).toBe(2)
      const body = { tfa_method_id: ids[1], label: 'Second' }
      expect((await person.ask('PUT', 'update/', body)).body).toMatchObject({ method: { id: ids[1] } })
    },
  },
  {
    section,
    says: '| user_id | integer |',
    async check(simulator) {
      const person = createTotpPerson(simulator)
      expect((await person.status()).methods).toMatchObject([{ user_id: (await person.user())['id'] }])
    },
  },
  {
    section,
    says: '| method | string |',
    async check(simulator) {
      const person = createTotpSmsPerson(simulator)
      expect((await person.status()).methods).toMatchObject([{ method: 'totp' }, { method: 'sms' }])
    },
  },
  {
    section,
    says: 'is never stored as a method',
    seen: 'e-mail verifies, and no method comes of it',
    async check(simulator) {
      const person = createPerson(simulator)
      const body = { tfa_method: 'email', code: '123456', secret: 'abc' }
      expect((await person.ask('POST', 'confirm-new/', body)).body).toMatchObject({
        error: 'invalid_tfa_method',
      })
      expect((await person.status()).methods).toEqual([])
    },
  },
  {
    section,
    says: '| label | string |',
    async check(simulator) {
      const person = createPerson(simulator, 'multi-sms')
      await person.ask('POST', 'authorize-new-method/', { backup_code: person.twoFactor.backup_codes[0] })
      const label = 'é'.repeat(30)
      expect((await confirmSms(person, '+12025550144', { label })).status).toBe(200)
      expect((await person.status()).methods.at(-1)).toMatchObject({ label })
    },
  },
  {
    section,
    says: '| phone_number | string |',
    seen: 'masked for SMS, absent for TOTP, and no TOTP secret anywhere',
    async check(simulator) {
      const person = createTotpSmsPerson(simulator)
      const { methods } = await person.status()
      expect(methods[0]).not.toHaveProperty('phone_number')
      expect(methods[1]).toMatchObject({ phone_number: '********0148' })
      expect(JSON.stringify(methods)).not.toContain(person.twoFactor.methods[0]?.secret)
      expect(Object.keys(methods[0] ?? {})).not.toContain('secret')
    },
  },
  {
    section,
    says: '| is_primary | boolean |',
    async check(simulator) {
      const person = createPerson(simulator, 'multi-sms')
      expect((await person.status()).methods.map((method) => method.is_primary)).toEqual([true, false])
    },
  },
  {
    section,
    says: '| fail_count | integer |',
    async check(simulator) {
      const person = createTotpPerson(simulator)
      const code = await freshTotp(simulator, person)
      await person.ask('POST', '', { tfa_method: 'totp', code: otherThan(code) })
      expect((await person.status()).methods).toMatchObject([{ fail_count: 1 }])
      await person.ask('POST', '', { tfa_method: 'totp', code })
      expect((await person.status()).methods).toMatchObject([{ fail_count: 0 }])
    },
  },
  {
    section,
    says: '| locked_until | number or null |',
    async check(simulator) {
      const person = createTotpPerson(simulator)
      expect((await person.status()).methods).toMatchObject([{ locked_until: null }])
      const code = otherThan(await freshTotp(simulator, person))
      for (let failures = 0; failures < 5; failures += 1)
        await person.ask('POST', '', { tfa_method: 'totp', code })
      const [method] = (await person.status()).methods
      expect(Number(method?.['locked_until']) - simulator.clock.now() / 1000).toBeCloseTo(15 * 60, -1)
    },
  },
  {
    section,
    says: '| created_at | number |',
    async check(simulator) {
      const before = simulator.clock.now() / 1000
      const [method] = (await createTotpPerson(simulator).status()).methods
      expect(method).toMatchObject({ created_at: anyNumber, label: anyString })
      expect(Number(method?.['created_at'])).toBeGreaterThanOrEqual(before)
      expect(Number(method?.['created_at'])).toBeLessThanOrEqual(simulator.clock.now() / 1000)
    },
  },
  {
    section,
    says: '| last_used | number |',
    async check(simulator) {
      const person = createTotpPerson(simulator)
      const code = await freshTotp(simulator, person)
      const before = simulator.clock.now() / 1000
      await person.ask('POST', '', { tfa_method: 'totp', code })
      const [method] = (await person.status()).methods
      expect(Number(method?.['last_used'])).toBeGreaterThanOrEqual(before)
    },
  },
]
