import { expect } from 'vitest'
import type { Simulator } from '../../../simulator/simulator.ts'
import { settle } from '../../../support/fake-clock.ts'
import { refuseOnce } from '../../../support/refuse-once.ts'
import { createPerson, createTotpPerson, createTotpSmsPerson } from '../../simulator/two-factor-person.ts'
import { choiceOf, enrollmentOf, methodId, refusal, verifying } from '../procedures.ts'
import { startWorld, until } from '../world.ts'
import type { TwoFactorCauses } from './two-factor-cause.ts'

/** What keeps a code from being sent. */
export const sendingCauses: TwoFactorCauses = {
  email_not_verified: async (service) => {
    const { world, guidedFlow, person } = await verifying(service, createTotpSmsPerson(service))
    guidedFlow.verifier.choose('email')
    service.twoFactor.happenTo(person.key, { email_verified: false })
    await guidedFlow.verifier.send()
    expect(refusal(world)).toBe('email_not_verified')
    const blocked = world.step('verify').choices.filter(({ block }) => block?.kind === 'email-not-verified')
    expect(blocked.map(({ channel }) => channel).toSorted()).toEqual(['email', 'sms'])
    service.twoFactor.happenTo(person.key, { email_verified: true })
    await world.twoFactor.refresh()
    await until(() => world.step('verify').choices.every(({ block }) => block === null))
  },
  missing_email: async (service) => {
    const person = createPerson(service, 'default', { email: '', twoFactorMethods: [{ method: 'totp' }] })
    const { world } = await verifying(service, person)
    const email = world.step('verify').choices.find(({ id }) => id === 'email')
    expect(email?.block).toEqual({ kind: 'missing-email' })
    const first = await startWorld(service, createPerson(service, 'default', { email: '' }))
    first.mark()
    await expect(first.begin({ kind: 'add', method: 'totp' })).rejects.toMatchObject({
      problem: { code: 'missing_email' },
    })
    expect(first.requests()).toEqual([])
  },
  missing_phone_number: async (service) => {
    const { world, guidedFlow } = await verifying(service, createPerson(service, 'legacy'))
    refuseOnce(service, 'POST', 'tfa/sms/', 'missing_phone_number')
    await guidedFlow.verifier.send()
    expect(refusal(world)).toBe('missing_phone_number')
    expect(world.step('verify').needsNumber).toBe(true)
    guidedFlow.sender.setNumber('+12025550123')
    await guidedFlow.verifier.send()
    expect(world.step('verify').sent).not.toBeNull()
    // Another number is another code: the one under way is not sent to it again.
    world.mark()
    guidedFlow.sender.setNumber('+12025550124')
    expect(world.step('verify').sent).toBeNull()
    await guidedFlow.verifier.send()
    expect(refusal(world)).toBeNull()
    expect(world.requests()).toEqual(['POST tfa/sms/'])
  },
  tfa_challenge_exists: async (service) => {
    const { world, guidedFlow, person } = await verifying(service, createTotpSmsPerson(service))
    // Sent by another program, whose secret nobody here knows.
    await person.ask('POST', 'sms/', { tfa_method_id: methodId(person, 'sms') })
    guidedFlow.verifier.choose(choiceOf(person, 'sms'))
    world.mark()
    await guidedFlow.verifier.send()
    expect(world.requests()).toEqual(['POST tfa/sms/', 'POST tfa/sms/resend/'])
    expect(world.flow().refusal).toBeNull()
    await guidedFlow.verifier.submit(person.lastCode('sms'))
    expect(world.step('done').outcome.kind).toBe('logged-in')
  },
  sms_provider_error: async (service) => {
    const { world, guidedFlow, person } = await verifying(service, createTotpSmsPerson(service))
    guidedFlow.verifier.choose(choiceOf(person, 'sms'))
    service.twoFactor.setCarrier('down')
    world.mark()
    await guidedFlow.verifier.send()
    expect(refusal(world)).toBe('sms_provider_error')
    expect(world.step('verify').resendAt).toBeNull()
    expect(world.requests()).toEqual(['POST tfa/sms/'])
  },
  sms_provider_rate_limited: async (service) => {
    const { world, guidedFlow, person } = await verifying(service, createTotpSmsPerson(service))
    guidedFlow.verifier.choose(choiceOf(person, 'sms'))
    service.twoFactor.setCarrier('busy')
    world.mark()
    const sending = guidedFlow.verifier.send()
    await until(() => world.flow().busy?.kind === 'retrying')
    expect(world.flow().busy).toMatchObject({ code: 'sms_provider_rate_limited', attempt: 1, of: 1 })
    guidedFlow.run.cancelWait()
    await sending
    expect(world.requests()).toEqual(['POST tfa/sms/'])
    const again = guidedFlow.verifier.send()
    await until(() => world.flow().busy?.kind === 'retrying')
    service.twoFactor.setCarrier('up')
    await world.pass(31)
    await again
    expect(world.step('verify').sent).not.toBeNull()
    expect(world.requests()).toHaveLength(3)
  },
  sms_rate_limited: async (service) => {
    const { world, guidedFlow, person } = await verifying(service, createTotpSmsPerson(service))
    guidedFlow.verifier.choose(choiceOf(person, 'sms'))
    for (let sent = 0; sent < 5; sent += 1) {
      await guidedFlow.verifier.send()
      await world.pass(31)
    }
    for (const seconds of [60, 120, 300]) {
      await guidedFlow.verifier.send()
      expect(refusal(world)).toBe('sms_rate_limited')
      expect(world.step('verify').resendAt).toBeCloseTo(service.clock.now() + seconds * 1000, -4)
      await expect(guidedFlow.verifier.send()).rejects.toMatchObject({ problem: { field: 'resendAt' } })
      await world.pass(seconds + 1)
    }
  },
  preauth_phone_cap: (service) => refusesNumber(service, '+12025550179', 'preauth_phone_cap'),
  sms_blocked_number: (service) => refusesNumber(service, '+12025550192', 'sms_blocked_number'),
  sms_fraud_detected: async (service) => {
    const { world, guidedFlow, person } = await verifying(service, createTotpSmsPerson(service))
    guidedFlow.verifier.choose(choiceOf(person, 'sms'))
    service.twoFactor.happenTo(person.key, { sms_fraud: true })
    await guidedFlow.verifier.send()
    expect(refusal(world)).toBe('sms_fraud_detected')
    const again = await world.restart()
    expect(again.known().sms).toBe('disabled')
    await expect(again.begin({ kind: 'add', method: 'sms' })).rejects.toMatchObject({
      problem: { code: 'sms_fraud_detected' },
    })
    await again.twoFactor.allowSms()
    await settle()
    expect(again.known().sms).toBe('available')
  },
  challenge_creation_failed: async (service) => {
    const world = await startWorld(service, createPerson(service))
    const guidedFlow = await world.begin({ kind: 'add', method: 'totp' })
    service.twoFactor.setStore('authorization-challenges', 'down')
    world.mark()
    const sending = guidedFlow.verifier.send()
    await until(() => world.flow().busy?.kind === 'retrying')
    await world.pass(2)
    await sending
    expect(refusal(world)).toBe('challenge_creation_failed')
    expect(world.requests()).toHaveLength(2)
  },
}

/** A number that the service refuses is not sent to it a second time. */
async function refusesNumber(service: Simulator, number: string, code: string): Promise<void> {
  // Ten codes for it within a day, asked for by others.
  if (code === 'preauth_phone_cap')
    for (let asked = 0; asked < 10; asked += 1)
      await createPerson(service).ask('POST', 'sms/', { phone_number: number })
  const person = createTotpPerson(service)
  const world = await startWorld(service, person)
  const guidedFlow = await enrollmentOf(world, person, 'sms')
  guidedFlow.sender.setNumber(number)
  await guidedFlow.sender.send()
  expect(refusal(world)).toBe(code)
  world.mark()
  guidedFlow.sender.setNumber(number)
  expect(refusal(world)).toEqual({ kind: 'number-refused' })
  expect(world.requests()).toEqual([])
  expect(world.step('enrol-sms').resendAt).toBeNull()
}
