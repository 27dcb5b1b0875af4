import { expect } from 'vitest'
import {
  authorizeByEmail,
  backupCodesOf,
  confirmTotp,
  createPerson,
  createTotpPerson,
  createTotpSmsPerson,
  freshTotp,
  otherThan,
  secretOf,
} from '../two-factor-person.ts'
import type { Row } from './row.ts'

/** States of 2FA, of the window for adding methods, and of challenges. */
export const rows: readonly Row[] = [
  {
    section: '3.2',
    says: '| no method | confirm-new succeeds | first method | `tfa_enabled` true |',
    async check(simulator) {
      const person = createPerson(simulator)
      expect(await person.status()).toMatchObject({ tfa_enabled: false, methods: [] })
      await authorizeByEmail(person)
      expect(backupCodesOf((await confirmTotp(simulator, person)).answer)).toHaveLength(10)
      expect((await person.status()).tfa_enabled).toBe(true)
      expect(await person.user()).toMatchObject({ tfa_status: 'enabled' })
    },
  },
  {
    section: '3.2',
    says: '| enabled | DELETE a method | other methods remain | enabled |',
    async check(simulator) {
      const person = createTotpSmsPerson(simulator)
      const body = { tfa_method: 'totp', code: await freshTotp(simulator, person) }
      expect((await person.ask('DELETE', '', body)).body).toMatchObject({ remaining_methods: 1 })
      expect(await person.status()).toMatchObject({ tfa_enabled: true, methods: [{ method: 'sms' }] })
    },
  },
  {
    section: '3.2',
    says: '| enabled | DELETE the last method | | `tfa_enabled` false |',
    async check(simulator) {
      const person = createTotpPerson(simulator)
      const body = { tfa_method: 'totp', code: await freshTotp(simulator, person) }
      expect((await person.ask('DELETE', '', body)).status).toBe(200)
      expect(await person.status()).toMatchObject({ tfa_enabled: false, backup_codes_remaining: 0 })
      expect(await person.user()).toMatchObject({ tfa_status: 'disabled' })
      const login = { backup_code: person.twoFactor.backup_codes[0] }
      expect((await person.ask('POST', '', login)).body).toMatchObject({ error: 'invalid_backup_code' })
    },
  },
  {
    section: '3.2',
    says: '| legacy | DELETE | legacy account | disabled message returned |',
    async check(simulator) {
      const person = createPerson(simulator, 'legacy')
      expect((await person.status()).backup_codes_remaining).toBe(0)
      const secret = secretOf(await person.ask('POST', 'sms/', {}))
      const body = { tfa_method: 'sms', code: person.lastCode('sms'), secret }
      expect((await person.ask('DELETE', '', body)).body).toEqual({ msg: '2FA Successfully Disabled' })
      expect(await person.user()).toMatchObject({ tfa_status: 'disabled' })
    },
  },
  {
    section: '3.2',
    says: '| legacy, `tfa_enabled` true with no method rows | regenerate backup codes |',
    async check(simulator) {
      const person = createPerson(simulator, 'legacy')
      expect(await person.status()).toMatchObject({ tfa_enabled: true, methods: [] })
      expect(await person.user()).toMatchObject({ tfa_status: 'legacy' })
      const secret = secretOf(await person.ask('POST', 'sms/', {}))
      const body = { tfa_method: 'sms', code: person.lastCode('sms'), secret }
      expect(backupCodesOf(await person.ask('PUT', 'regen-backup-codes/', body))).toHaveLength(10)
      expect(await person.user()).toMatchObject({ tfa_status: 'enabled' })
      const { methods, backup_codes_remaining: left } = await person.status()
      expect(methods).toMatchObject([{ method: 'sms', phone_number: '********0123' }])
      expect(left).toBe(10)
    },
  },
  {
    section: '3.3',
    says: '| unauthorized | POST authorize-new-method | backup code given | authorized |',
    async check(simulator) {
      const person = createPerson(simulator, 'multi-sms')
      expect((await person.status()).new_method_authorized).toBe(false)
      const body = { backup_code: person.twoFactor.backup_codes[0] }
      const answer = await person.ask('POST', 'authorize-new-method/', body)
      expect(answer.body).toEqual({ success: true, msg: 'Authorization successful.' })
      expect((await person.status()).new_method_authorized).toBe(true)
    },
  },
  {
    section: '3.3',
    says: '| unauthorized | POST authorize-new-method (code flow) then PUT authorize-new-method | code valid |',
    async check(simulator) {
      const person = createTotpPerson(simulator)
      const secret = secretOf(await person.ask('POST', 'authorize-new-method/', { tfa_method: 'totp' }))
      const right = await freshTotp(simulator, person)
      const wrong = await person.ask('PUT', 'authorize-new-method/', { code: otherThan(right), secret })
      expect(wrong.body).toMatchObject({ error: '2fa_verification_failed' })
      expect((await person.status()).new_method_authorized).toBe(false)
      expect((await person.ask('PUT', 'authorize-new-method/', { code: right, secret })).status).toBe(200)
      await simulator.clock.advance(30 * 60 - 1)
      expect((await person.status()).new_method_authorized).toBe(true)
    },
  },
  {
    section: '3.3',
    says: '| authorized | 30 minutes pass | | unauthorized |',
    async check(simulator) {
      const person = createPerson(simulator)
      await authorizeByEmail(person)
      await simulator.clock.advance(30 * 60)
      expect((await person.status()).new_method_authorized).toBe(false)
      expect((await confirmTotp(simulator, person)).answer.body).toMatchObject({
        error: 'authorization_required',
      })
    },
  },
  {
    section: '3.3',
    says: 'The first-method setup is authorized by the e-mail channel',
    async check(simulator) {
      const person = createPerson(simulator)
      const secret = secretOf(await person.ask('POST', 'authorize-new-method/', { tfa_method: 'sms' }))
      const body = { code: person.lastCode('email'), secret }
      expect((await person.ask('PUT', 'authorize-new-method/', body)).status).toBe(200)
    },
  },
  {
    section: '3.4',
    says: '| challenge created | send-code endpoints | valid for 10 minutes | returns a `secret` |',
    async check(simulator) {
      for (const path of ['sms/', 'email/', 'authorize-new-method/']) {
        const person = createPerson(simulator, 'legacy')
        const secret = secretOf(await person.ask('POST', path, {}))
        await simulator.clock.advance(9 * 60 + 58)
        const tfa_method = path === 'sms/' ? 'sms' : 'email'
        const body = { tfa_method, code: person.lastCode(tfa_method), secret }
        expect((await person.ask('POST', '', body)).status).toBe(200)
      }
    },
  },
  {
    section: '3.4',
    says: '| challenge valid | 10 minutes pass | expired | `2fa_expired` |',
    async check(simulator) {
      const person = createPerson(simulator, 'legacy')
      const secret = secretOf(await person.ask('POST', 'sms/', {}))
      await simulator.clock.advance(10 * 60)
      const body = { tfa_method: 'sms', code: person.lastCode('sms'), secret }
      expect((await person.ask('POST', '', body)).body).toMatchObject({ error: '2fa_expired' })
    },
  },
  {
    section: '3.4',
    says: '| method unlocked | too many failed verifications | method locked for 15 minutes',
    seen: 'the one method is locked, the other is not, and the lock ends',
    async check(simulator) {
      const person = createTotpSmsPerson(simulator)
      const code = await freshTotp(simulator, person)
      const login = { tfa_method: 'totp', code }
      for (let failures = 0; failures < 5; failures += 1)
        await person.ask('POST', '', { ...login, code: otherThan(code) })
      const locked = await person.ask('POST', '', login)
      expect(locked.body).toMatchObject({ error: 'tfa_locked', fail_count: 5 })
      const lockedUntil = Number(locked.body['locked_until'])
      expect(lockedUntil - simulator.clock.now() / 1000).toBeGreaterThan(14 * 60)

      const secret = secretOf(await person.ask('POST', 'sms/', {}))
      expect((await person.ask('POST', '', { code: person.lastCode('sms'), secret })).status).toBe(200)

      await simulator.clock.advance(15 * 60)
      const later = { tfa_method: 'totp', code: await freshTotp(simulator, person) }
      expect((await person.ask('POST', '', later)).status).toBe(200)
    },
  },
]
