import { expect } from 'vitest'
import {
  createPerson,
  createTotpPerson,
  createTotpSmsPerson,
  freshTotp,
  otherThan,
} from '../../simulator/two-factor-person.ts'
import { refuseOnce } from '../../../support/refuse-once.ts'
import { choiceOf, methodId, lockTotp, refusal, stoppedBy, verifying } from '../procedures.ts'
import { startWorld, until } from '../world.ts'
import type { TwoFactorCauses } from './two-factor-cause.ts'

/** What is wrong with a code, or with what it belongs to. */
export const verifyingCauses: TwoFactorCauses = {
  bad_request: async (service) => {
    const person = createTotpSmsPerson(service)
    const world = await startWorld(service, person)
    await expect(world.twoFactor.updateMethod(methodId(person, 'sms'), {})).rejects.toMatchObject({
      problem: { kind: 'tfa-refused', code: 'bad_request' },
    })
    expect(world.requests().filter((each) => each === 'PUT tfa/update/')).toHaveLength(1)
  },
  invalid_tfa_method: async (service) => {
    const { world, guidedFlow, person } = await verifying(service, createTotpPerson(service))
    refuseOnce(service, 'POST', 'tfa/', 'invalid_tfa_method')
    world.mark()
    await guidedFlow.verifier.submit(await freshTotp(service, person))
    expect(refusal(world)).toBe('invalid_tfa_method')
    expect(world.requests().toSorted()).toEqual(['GET tfa/status/', 'GET users/current/', 'POST tfa/'])
  },
  missing_auth_value: async (service) => {
    const { world, guidedFlow, person } = await verifying(service, createTotpPerson(service))
    refuseOnce(service, 'POST', 'tfa/', 'missing_auth_value')
    world.mark()
    await guidedFlow.verifier.submit('12 34')
    expect(refusal(world)).toEqual({ kind: 'shape', expected: 'six-digits' })
    expect(world.requests()).toEqual([])
    await guidedFlow.verifier.submit(await freshTotp(service, person))
    expect(refusal(world)).toBe('missing_auth_value')
    expect(world.requests()).toEqual(['POST tfa/'])
    // With 401 it is the key that was missing, not the code.
    refuseOnce(service, 'POST', 'tfa/', 'missing_auth_value', 401)
    await guidedFlow.verifier.submit(await freshTotp(service, person))
    expect(stoppedBy(world)).toBe('auth_error')
  },
  missing_params: async (service) => {
    const { world, guidedFlow, person } = await verifying(service, createTotpSmsPerson(service))
    refuseOnce(service, 'POST', 'tfa/', 'missing_params')
    guidedFlow.verifier.choose(choiceOf(person, 'sms'))
    await guidedFlow.verifier.send()
    await guidedFlow.verifier.submit(person.lastCode('sms'))
    expect(refusal(world)).toBe('missing_params')
    expect(world.step('verify').sent).toBeNull()
  },
  '2fa_expired': async (service) => {
    const { world, guidedFlow, person } = await verifying(service, createTotpSmsPerson(service))
    guidedFlow.verifier.choose('email')
    await guidedFlow.verifier.send()
    await world.pass(10 * 60)
    await guidedFlow.verifier.submit(person.lastCode('email'))
    expect(refusal(world)).toBe('2fa_expired')
    expect(world.step('verify')).toMatchObject({ chosen: 'email', sent: null, resendAt: null })
    world.mark()
    await guidedFlow.verifier.send()
    expect(world.requests()).toEqual(['POST tfa/email/'])
  },
  challenge_not_found: async (service) => {
    const { world, guidedFlow, person } = await verifying(service, createTotpSmsPerson(service))
    guidedFlow.verifier.choose(choiceOf(person, 'sms'))
    await guidedFlow.verifier.send()
    // Another program has it sent again, which gives the challenge another secret.
    await person.ask('POST', 'sms/resend/', { tfa_method_id: methodId(person, 'sms') })
    await guidedFlow.verifier.submit(person.lastCode('sms'))
    expect(refusal(world)).toBe('challenge_not_found')
    expect(world.step('verify').sent).toBeNull()
  },
  no_challenge_found: async (service) => {
    const { world, guidedFlow, person } = await verifying(service, createTotpSmsPerson(service))
    guidedFlow.verifier.choose(choiceOf(person, 'sms'))
    world.mark()
    await guidedFlow.verifier.submit('123456')
    expect(refusal(world)).toBe('no_challenge_found')
    expect(world.requests()).toEqual([])
  },
  phone_number_mismatch: async (service) => {
    const { world, guidedFlow, person } = await verifying(service, createTotpSmsPerson(service))
    refuseOnce(service, 'POST', 'tfa/', 'phone_number_mismatch')
    guidedFlow.verifier.choose(choiceOf(person, 'sms'))
    await guidedFlow.verifier.send()
    await guidedFlow.verifier.submit(person.lastCode('sms'))
    expect(refusal(world)).toBe('phone_number_mismatch')
    expect(world.step('verify').sent).toBeNull()
  },
  invalid_backup_code: async (service) => {
    const { world, guidedFlow } = await verifying(service, createTotpPerson(service))
    guidedFlow.verifier.choose('backup-code')
    await guidedFlow.verifier.submit('AAAA-BBBB-CCCC')
    expect(refusal(world)).toBe('invalid_backup_code')
    expect(world.step('verify').chosen).toBe('backup-code')
    // Nobody is logged out by it.
    expect(world.known().problem).toBeNull()
  },
  untracked_2fa_found: async (service) => {
    const { world, guidedFlow, person } = await verifying(service, createTotpPerson(service))
    refuseOnce(service, 'POST', 'tfa/', 'untracked_2fa_found')
    await guidedFlow.verifier.submit(await freshTotp(service, person))
    expect(stoppedBy(world)).toBe('untracked_2fa_found')
    expect(world.flow().suggestions).toEqual([{ kind: 'regenerate' }])
    expect(world.requests()).not.toContainEqual(expect.stringContaining('test-submit'))
  },
  '2fa_login_failed': async (service) => {
    const person = createTotpSmsPerson(service)
    const { world, guidedFlow } = await verifying(service, person, { aheadMs: 20_000 })
    const code = otherThan(await freshTotp(service, person))
    await guidedFlow.verifier.submit(code)
    expect(refusal(world)).toBe('2fa_login_failed')
    // The clock is named, as it may be why.
    expect(world.flow().clockOffMs).toBeGreaterThan(18_000)
    world.mark()
    await guidedFlow.verifier.submit(code)
    expect(refusal(world)).toEqual({ kind: 'same-code' })
    expect(world.requests()).toEqual([])
  },
  '2fa_verification_failed': async (service) => {
    const person = createTotpSmsPerson(service)
    const world = await startWorld(service, person)
    const guidedFlow = await world.begin({ kind: 'regenerate' })
    guidedFlow.proceed('')
    for (const [index, wrong] of ['000000', '000001'].entries()) {
      const failures = index + 1
      await guidedFlow.verifier.submit(wrong)
      expect(refusal(world)).toBe('2fa_verification_failed')
      expect(world.step('verify')).toMatchObject({ failures, suggestSwitch: failures >= 2 })
    }
    expect(world.flow()).toMatchObject({ refusal: { problem: { failCount: 2 } }, clockOffMs: null })
  },
  tfa_locked: async (service) => {
    const { world, guidedFlow, person } = await verifying(service, createTotpSmsPerson(service))
    const id = choiceOf(person, 'totp')
    await lockTotp(service, person)
    await guidedFlow.verifier.submit(await freshTotp(service, person))
    expect(refusal(world)).toBe('tfa_locked')
    const locked = world.step('verify').choices.filter(({ block }) => block !== null)
    expect(locked).toMatchObject([{ id, block: { kind: 'locked', failCount: 5 } }])
    expect(() => guidedFlow.verifier.choose(id)).toThrow()
    await world.pass(15 * 60 + 2)
    await until(() => world.step('verify').choices.every(({ block }) => block === null))
  },
  tfa_method_not_configured: async (service) => {
    const { world, guidedFlow, person } = await verifying(service, createTotpSmsPerson(service))
    service.twoFactor.happenTo(person.key, { totp_secret: 'unreadable' })
    await guidedFlow.verifier.submit(await freshTotp(service, person))
    expect(refusal(world)).toBe('tfa_method_not_configured')
    expect(world.step('verify').choices[0]?.block).toEqual({ kind: 'not-configured' })
    const again = { kind: 'remove', methodId: methodId(person, 'totp'), thenAdd: 'totp' }
    expect(world.flow().suggestions).toEqual([again])
  },
  not_found: async (service) => {
    const person = createTotpSmsPerson(service)
    const world = await startWorld(service, person)
    const target = methodId(person, 'sms')
    const guidedFlow = await world.begin({ kind: 'remove', methodId: target, thenAdd: null })
    guidedFlow.proceed('')
    await person.ask('DELETE', '', { target_id: target, backup_code: person.twoFactor.backup_codes[0] })
    guidedFlow.verifier.choose(choiceOf(person, 'totp'))
    await guidedFlow.verifier.submit(await freshTotp(service, person))
    expect(stoppedBy(world)).toBe('not_found')
    expect(world.known().methods).toMatchObject([{ kind: 'totp' }])
  },
  auth_error: async (service) => {
    const { world, guidedFlow: login, person } = await verifying(service, createTotpPerson(service))
    await login.verifier.submit(await freshTotp(service, person))
    const guidedFlow = await world.begin({ kind: 'regenerate' })
    guidedFlow.proceed('')
    await world.pass(24 * 60 * 60)
    world.mark()
    await guidedFlow.verifier.submit(await freshTotp(service, person))
    expect(stoppedBy(world)).toBe('auth_error')
    expect(world.flow().suggestions).toEqual([{ kind: 'log-in', admin: false }, { kind: 'regenerate' }])
    expect(world.known().session).toBeNull()
    expect(world.requests()).toContain('GET users/current/')
    expect(world.requests().filter((each) => each.startsWith('PUT'))).toHaveLength(1)
  },
  team_user_forbidden: async (service) => {
    const world = await startWorld(service, createPerson(service, 'team'))
    expect(world.twoFactor.state.value.account.kind).toBe('team')
    await expect(world.begin({ kind: 'regenerate' })).rejects.toMatchObject({
      problem: { code: 'team_user_forbidden' },
    })
    expect(world.requests()).toEqual([])
  },
}
