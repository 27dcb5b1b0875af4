import { authorizeByEmail, createPerson, freshTotp, secretOf } from '../two-factor-person.ts'
import type { Causes } from './cause.ts'

const DAY_SECONDS = 24 * 60 * 60

/** Who asks, and in what shape. */
export const credentialCauses: Causes = {
  bad_request: {
    when: 'tfa_method is outside sms, totp and email',
    happen: (simulator) =>
      createPerson(simulator).ask('POST', '', { tfa_method: 'fax', code: '123456', secret: 'abc' }),
  },
  auth_error: {
    when: 'the session has expired',
    async happen(simulator) {
      const person = createPerson(simulator, 'default', { twoFactorMethods: [{ method: 'totp' }] })
      const login = { tfa_method: 'totp', code: await freshTotp(simulator, person) }
      const session = String((await person.ask('POST', '', login)).body['session_key'])
      await simulator.clock.advance(DAY_SECONDS)
      return await person.ask('GET', 'status/', undefined, session)
    },
  },
  missing_auth_value: {
    when: 'a login has neither a code nor a backup code',
    happen: (simulator) => createPerson(simulator).ask('POST', '', { tfa_method: 'totp' }),
  },
  missing_params: {
    when: 'the second step of an authorization comes without code and secret',
    happen: (simulator) => createPerson(simulator).ask('PUT', 'authorize-new-method/', {}),
  },
  email_not_verified: {
    when: 'the e-mail address is unverified',
    happen: (simulator) => createPerson(simulator, 'unverified').ask('POST', 'email/', {}),
  },
  missing_email: {
    when: 'the account has no e-mail address',
    happen: (simulator) => createPerson(simulator, 'default', { email: '' }).ask('POST', 'email/', {}),
  },
  team_user_forbidden: {
    when: 'the key belongs to a team',
    happen: (simulator) => createPerson(simulator, 'team').ask('GET', 'status/'),
  },
  invalid_backup_code: {
    when: 'a backup code is used a second time',
    async happen(simulator) {
      const person = createPerson(simulator, 'multi-sms')
      const login = { backup_code: person.twoFactor.backup_codes[0] }
      await person.ask('POST', '', login)
      return await person.ask('POST', '', login)
    },
  },
  authorization_required: {
    when: 'a method is confirmed after the window of 30 minutes',
    async happen(simulator) {
      const person = createPerson(simulator)
      await authorizeByEmail(person)
      await simulator.clock.advance(30 * 60)
      const secret = secretOf(await person.ask('POST', 'totp-setup/'))
      return await person.ask('POST', 'confirm-new/', { tfa_method: 'totp', code: '123456', secret })
    },
  },
  no_pending_authorization: {
    when: 'the second step of an authorization comes without the first',
    async happen(simulator) {
      const person = createPerson(simulator)
      const secret = secretOf(await person.ask('POST', 'email/', {}))
      const code = person.lastCode('email')
      return await person.ask('PUT', 'authorize-new-method/', { code, secret })
    },
  },
  service_unavailable: {
    when: 'the store of authorizations is down',
    async happen(simulator) {
      const person = createPerson(simulator)
      await authorizeByEmail(person)
      const secret = secretOf(await person.ask('POST', 'totp-setup/'))
      simulator.twoFactor.setStore('authorizations', 'down')
      const body = { tfa_method: 'totp', code: '123456', secret }
      const answer = await person.ask('POST', 'confirm-new/', body)
      simulator.twoFactor.setStore('authorizations', 'up')
      return answer
    },
  },
  challenge_creation_failed: {
    when: 'the challenge that is to authorize a method cannot be stored',
    async happen(simulator) {
      const person = createPerson(simulator)
      simulator.twoFactor.setStore('authorization-challenges', 'down')
      const answer = await person.ask('POST', 'authorize-new-method/', {})
      simulator.twoFactor.setStore('authorization-challenges', 'up')
      return answer
    },
  },
}
