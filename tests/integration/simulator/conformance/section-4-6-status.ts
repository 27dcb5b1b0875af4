import { expect } from 'vitest'
import { authorizeByEmail, createPerson, createTotpSmsPerson } from '../two-factor-person.ts'
import type { Row } from './row.ts'

const section = '4.6'

/** 2FA status. */
export const rows: readonly Row[] = [
  {
    section,
    says: '`GET /api/v0/tfa/status/` returns:',
    async check(simulator) {
      const { status, body } = await createPerson(simulator).ask('GET', 'status/')
      expect(status).toBe(200)
      expect(body).toEqual({
        success: true,
        tfa_enabled: false,
        methods: [],
        backup_codes_remaining: 0,
        new_method_authorized: false,
      })
    },
  },
  {
    section,
    says: '| success | boolean |',
    async check(simulator) {
      expect((await createPerson(simulator).ask('GET', 'status/')).body).toMatchObject({ success: true })
    },
  },
  {
    section,
    says: '| tfa_enabled | boolean |',
    async check(simulator) {
      const enabled = createTotpSmsPerson(simulator)
      const legacy = createPerson(simulator, 'legacy')
      expect(await Promise.all([enabled.status(), legacy.status()])).toMatchObject([
        { tfa_enabled: true },
        { tfa_enabled: true },
      ])
      expect(await Promise.all([enabled.user(), legacy.user()])).toMatchObject([
        { tfa_status: 'enabled' },
        { tfa_status: 'legacy' },
      ])
    },
  },
  {
    section,
    says: '| methods | array |',
    async check(simulator) {
      const { methods } = await createTotpSmsPerson(simulator).status()
      expect(methods.map((method) => Object.keys(method).toSorted())).toEqual([
        METHOD_FIELDS.filter((name) => name !== 'phone_number'),
        METHOD_FIELDS,
      ])
    },
  },
  {
    section,
    says: '| backup_codes_remaining | integer |',
    async check(simulator) {
      const person = createTotpSmsPerson(simulator)
      expect((await person.status()).backup_codes_remaining).toBe(10)
      await person.ask('POST', '', { backup_code: person.twoFactor.backup_codes[3] })
      expect((await person.status()).backup_codes_remaining).toBe(9)
    },
  },
  {
    section,
    says: '| new_method_authorized | boolean |',
    async check(simulator) {
      const person = createPerson(simulator)
      expect((await person.status()).new_method_authorized).toBe(false)
      await authorizeByEmail(person)
      expect((await person.status()).new_method_authorized).toBe(true)
    },
  },
]

const METHOD_FIELDS = [
  'created_at',
  'fail_count',
  'id',
  'is_primary',
  'label',
  'last_used',
  'locked_until',
  'method',
  'phone_number',
  'user_id',
]
