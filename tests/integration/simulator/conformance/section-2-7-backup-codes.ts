import { expect } from 'vitest'
import { authorizeByEmail, backupCodesOf, confirmTotp, createPerson } from '../two-factor-person.ts'
import type { Row } from './row.ts'

const section = '2.7'

/** Backup codes. */
export const rows: readonly Row[] = [
  {
    section,
    says: 'One-time codes of the shape `XXXX-XXXX-XXXX`.',
    async check(simulator) {
      const person = createPerson(simulator)
      await authorizeByEmail(person)
      const codes = backupCodesOf((await confirmTotp(simulator, person)).answer)
      for (const code of codes) expect(code).toMatch(/^[A-Z0-9]{4}-[A-Z0-9]{4}-[A-Z0-9]{4}$/)
      const login = { backup_code: codes[0] }
      expect((await person.ask('POST', '', login)).status).toBe(200)
      expect((await person.ask('POST', '', login)).status).toBe(401)
    },
  },
  {
    section,
    says: 'A set has 10 codes.',
    async check(simulator) {
      const person = createPerson(simulator)
      await authorizeByEmail(person)
      const codes = backupCodesOf((await confirmTotp(simulator, person)).answer)
      expect(new Set(codes).size).toBe(10)
    },
  },
  {
    section,
    says: 'returned in plaintext once only',
    async check(simulator) {
      const person = createPerson(simulator)
      await authorizeByEmail(person)
      const codes = backupCodesOf((await confirmTotp(simulator, person)).answer)
      const later = JSON.stringify([await person.status(), await person.user()])
      expect(codes.filter((code) => later.includes(code))).toEqual([])
    },
  },
  {
    section,
    says: 'The count of unused codes is `backup_codes_remaining`.',
    async check(simulator) {
      const person = createPerson(simulator, 'multi-sms')
      expect((await person.status()).backup_codes_remaining).toBe(10)
      await person.ask('POST', '', { backup_code: person.twoFactor.backup_codes[0] })
      expect((await person.status()).backup_codes_remaining).toBe(9)
    },
  },
]
