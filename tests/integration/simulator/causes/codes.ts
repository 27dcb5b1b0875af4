import { createPerson, freshTotp, otherThan, secretOf } from '../two-factor-person.ts'
import type { Causes } from './cause.ts'

/** Codes, the challenges that they belong to, and methods. */
export const codeCauses: Causes = {
  '2fa_expired': {
    when: 'a code is used 10 minutes after it was sent',
    async happen(simulator) {
      const person = createPerson(simulator)
      const secret = secretOf(await person.ask('POST', 'email/', {}))
      await simulator.clock.advance(10 * 60)
      return await person.ask('POST', '', { tfa_method: 'email', code: person.lastCode('email'), secret })
    },
  },
  challenge_not_found: {
    when: 'a code is used a second time, when its challenge is gone',
    async happen(simulator) {
      const person = createPerson(simulator)
      const secret = secretOf(await person.ask('POST', 'email/', {}))
      const login = { tfa_method: 'email', code: person.lastCode('email'), secret }
      await person.ask('POST', '', login)
      return await person.ask('POST', '', login)
    },
  },
  no_challenge_found: {
    when: 'a code is to be sent again that was never sent',
    happen: (simulator) => createPerson(simulator, 'legacy').ask('POST', 'sms/resend/', {}),
  },
  untracked_2fa_found: {
    when: 'a legacy account calls the deprecated test-submit path',
    happen: (simulator) =>
      createPerson(simulator, 'legacy').ask('POST', 'test-submit/', {
        tfa_method: 'sms',
        code: '123456',
        secret: 'abc',
        phone_number: '+12025550140',
      }),
  },
  invalid_tfa_method: {
    when: 'e-mail is to become a method',
    happen: (simulator) =>
      createPerson(simulator).ask('POST', 'confirm-new/', {
        tfa_method: 'email',
        code: '123456',
        secret: 'abc',
      }),
  },
  duplicate_tfa_method: {
    when: 'TOTP is set up a second time',
    async happen(simulator) {
      const person = createPerson(simulator, 'default', { twoFactorMethods: [{ method: 'totp' }] })
      await person.ask('POST', 'authorize-new-method/', { backup_code: person.twoFactor.backup_codes[0] })
      const secret = secretOf(await person.ask('POST', 'totp-setup/'))
      return await person.ask('POST', 'confirm-new/', { tfa_method: 'totp', code: '123456', secret })
    },
  },
  not_found: {
    when: 'tfa_method_id is that of somebody else',
    happen(simulator) {
      const other = createPerson(simulator, 'multi-sms')
      const tfa_method_id = other.twoFactor.methods[0]?.id
      return createPerson(simulator).ask('PUT', 'update/', { tfa_method_id, label: 'Mine' })
    },
  },
  tfa_method_not_configured: {
    when: 'the TOTP secret can no longer be decrypted',
    async happen(simulator) {
      const person = createPerson(simulator, 'default', { twoFactorMethods: [{ method: 'totp' }] })
      simulator.twoFactor.happenTo(person.key, { totp_secret: 'unreadable' })
      return await person.ask('POST', '', { tfa_method: 'totp', code: await freshTotp(simulator, person) })
    },
  },
  '2fa_login_failed': {
    when: 'a login has the wrong code',
    async happen(simulator) {
      const person = createPerson(simulator, 'default', { twoFactorMethods: [{ method: 'totp' }] })
      const code = otherThan(await freshTotp(simulator, person))
      return await person.ask('POST', '', { tfa_method: 'totp', code })
    },
  },
  '2fa_verification_failed': {
    when: 'a removal has the wrong code',
    async happen(simulator) {
      const person = createPerson(simulator, 'default', { twoFactorMethods: [{ method: 'totp' }] })
      const code = otherThan(await freshTotp(simulator, person))
      return await person.ask('DELETE', '', { tfa_method: 'totp', code })
    },
  },
  tfa_locked: {
    when: 'the right code comes after five wrong ones',
    async happen(simulator) {
      const person = createPerson(simulator, 'default', { twoFactorMethods: [{ method: 'totp' }] })
      const code = await freshTotp(simulator, person)
      for (let failures = 0; failures < 5; failures += 1)
        await person.ask('POST', '', { tfa_method: 'totp', code: otherThan(code) })
      return await person.ask('POST', '', { tfa_method: 'totp', code })
    },
  },
}
