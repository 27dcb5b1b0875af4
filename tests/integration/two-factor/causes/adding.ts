import { expect } from 'vitest'
import {
  createPerson,
  createTotpPerson,
  freshTotp,
  secretOf,
  totp,
} from '../../simulator/two-factor-person.ts'
import { enrollmentOf, methodId, refusal, stoppedBy } from '../procedures.ts'
import { startWorld, until } from '../world.ts'
import type { TwoFactorCauses } from './two-factor-cause.ts'

/** What stands in the way of a new method. */
export const addingCauses: TwoFactorCauses = {
  authorization_required: async (service) => {
    const person = createTotpPerson(service)
    const world = await startWorld(service, person)
    const guidedFlow = await enrollmentOf(world, person, 'sms')
    guidedFlow.sender.setNumber('+12025550178')
    await world.pass(25 * 60)
    await guidedFlow.sender.send()
    await world.pass(5 * 60 + 5)
    await guidedFlow.enrollment.confirm(person.lastCode('sms'), 'Phone', false)
    expect(refusal(world)).toBe('authorization_required')
    expect(world.step('verify').purpose).toBe('authorise')
    world.mark()
    await guidedFlow.verifier.submit(await freshTotp(service, person))
    // The same code, which is still good, goes by itself; nothing is sent to the phone.
    expect(world.step('done').outcome).toEqual({ kind: 'added', method: 'sms', label: 'Phone' })
    expect(world.requests()).not.toContainEqual(expect.stringContaining('tfa/sms'))
  },
  no_pending_authorization: async (service) => {
    const person = createPerson(service)
    const world = await startWorld(service, person)
    const guidedFlow = await world.begin({ kind: 'add', method: 'totp' })
    await guidedFlow.verifier.send()
    const ours = person.lastCode('email')
    // Another program asks for the same permission, and gets it.
    const secret = secretOf(await person.ask('POST', 'authorize-new-method/', { tfa_method: 'email' }))
    await person.ask('PUT', 'authorize-new-method/', { code: person.lastCode('email'), secret })
    world.mark()
    await guidedFlow.verifier.submit(ours)
    expect(refusal(world)).toBe('no_pending_authorization')
    expect(world.requests()).toEqual(['PUT tfa/authorize-new-method/', 'POST tfa/authorize-new-method/'])
    await guidedFlow.verifier.submit(person.lastCode('email'))
    expect(world.flow().step.kind).toBe('enrol-totp')
  },
  service_unavailable: async (service) => {
    const person = createTotpPerson(service)
    const world = await startWorld(service, person)
    const guidedFlow = await world.begin({ kind: 'add', method: 'sms' })
    const code = await freshTotp(service, person)
    service.twoFactor.setStore('authorizations', 'down')
    world.mark()
    const submitting = guidedFlow.verifier.submit(code)
    for (const [index, seconds] of [1, 3, 9].entries()) {
      await until(() => {
        const { busy } = world.flow()
        return busy?.kind === 'retrying' && busy.attempt === index + 1
      })
      if (seconds === 9) service.twoFactor.setStore('authorizations', 'up')
      await world.pass(seconds)
    }
    await submitting
    expect(world.requests().filter((each) => each.startsWith('PUT'))).toHaveLength(4)
    expect(world.flow().step.kind).toBe('enrol-sms')
  },
  duplicate_tfa_method: async (service) => {
    const person = createTotpPerson(service)
    const world = await startWorld(service, person)
    const guidedFlow = await enrollmentOf(world, person, 'totp')
    const { secret } = await guidedFlow.enrollment.secret()
    await guidedFlow.enrollment.confirm(totp(service, secret), 'Another', false)
    expect(stoppedBy(world)).toBe('duplicate_tfa_method')
    const replace = { kind: 'remove', methodId: methodId(person, 'totp'), thenAdd: 'totp' }
    expect(world.flow().suggestions).toEqual([replace])
    expect(world.vault.totpList.listed.value).toMatchObject([{ state: 'orphan' }])
  },
}
