import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Simulator, startSimulator } from '../../simulator/simulator.ts'
import { createPerson, otherThan, type Person, secretOf } from './two-factor-person.ts'

let simulator: Simulator
beforeAll(async () => {
  simulator = await startSimulator({ offers: 1 })
})
afterAll(() => simulator.close())

describe('codes by SMS', () => {
  it('are not sent for a method that is locked', async () => {
    const person = createPerson(simulator, 'multi-sms')
    const [locked, other] = person.twoFactor.methods
    const secret = secretOf(await person.ask('POST', 'sms/', { tfa_method_id: locked?.id }))
    const wrong = { tfa_method_id: locked?.id, code: otherThan(person.lastCode('sms')), secret }
    for (let failures = 0; failures < 5; failures += 1) await person.ask('POST', '', wrong)
    expect((await person.ask('POST', '', wrong)).body).toMatchObject({ error: 'tfa_locked' })
    for (const path of ['sms/resend/', 'authorize-new-method/'])
      expect((await person.ask('POST', path, { tfa_method_id: locked?.id })).body).toMatchObject({
        error: 'tfa_locked',
        fail_count: 5,
      })
    expect((await person.ask('POST', 'sms/', { tfa_method_id: other?.id })).status).toBe(200)
  })

  it('logged out, go to no number but those of the account', async () => {
    const person = createPerson(simulator, 'multi-sms')
    const { tfa_secret: secret } = simulator.twoFactor.login(person.key)
    const body = { secret, phone_number: '+12025550143' }
    expect((await person.askLoggedOut('POST', 'sms/', body)).body).toMatchObject({
      error: 'phone_number_mismatch',
    })
    const own = { secret, phone_number: '+12025550102' }
    expect((await person.askLoggedOut('POST', 'sms/', own)).status).toBe(200)
  })

  it('a failed delivery leaves nothing behind, so that the next request sends', async () => {
    const person = createPerson(simulator, 'legacy')
    simulator.twoFactor.setCarrier('down')
    expect((await person.ask('POST', 'sms/', {})).body).toMatchObject({ error: 'sms_provider_error' })
    simulator.twoFactor.setCarrier('up')
    expect((await person.ask('POST', 'sms/', {})).status).toBe(200)
  })

  it('a code that was sent again replaces the one before', async () => {
    const person = createPerson(simulator, 'multi-sms')
    const [method] = person.twoFactor.methods
    const sent = await person.ask('POST', 'sms/', { tfa_method_id: method?.id })
    const first = person.lastCode('sms')
    const secret = secretOf(await person.ask('POST', 'sms/resend/', { secret: secretOf(sent) }))
    const login = (code: string): ReturnType<Person['ask']> =>
      person.ask('POST', '', { tfa_method_id: method?.id, code, secret })
    const second = person.lastCode('sms')
    if (first !== second) expect((await login(first)).body).toMatchObject({ error: '2fa_login_failed' })
    expect((await login(second)).status).toBe(200)
  })

  it('a recovered challenge has a new secret, and the old one is unknown', async () => {
    const person = createPerson(simulator, 'legacy')
    const old = secretOf(await person.ask('POST', 'sms/', {}))
    const recovered = secretOf(await person.ask('POST', 'sms/resend/', {}))
    const code = person.lastCode('sms')
    expect((await person.ask('POST', '', { code, secret: old })).body).toMatchObject({
      error: 'challenge_not_found',
    })
    expect((await person.ask('POST', '', { code, secret: recovered })).status).toBe(200)
  })

  it("somebody else's secret is as good as none", async () => {
    const person = createPerson(simulator)
    const secret = secretOf(await person.ask('POST', 'email/', {}))
    const login = { tfa_method: 'email', code: person.lastCode('email'), secret }
    expect((await createPerson(simulator).ask('POST', '', login)).body).toMatchObject({
      error: 'challenge_not_found',
    })
  })

  it.each([
    ['+12025550190', 'sms_provider_error'],
    ['+12025550191', 'sms_provider_rate_limited'],
    ['+12025550192', 'sms_blocked_number'],
  ])('%s: %s', async (phone_number, error) => {
    expect((await createPerson(simulator).ask('POST', 'sms/', { phone_number })).body).toMatchObject({
      error,
    })
  })

  it('support clears a flagged account', async () => {
    const person = createPerson(simulator, 'legacy')
    simulator.twoFactor.happenTo(person.key, { sms_fraud: true })
    expect((await person.ask('POST', 'sms/', {})).status).toBe(403)
    simulator.twoFactor.happenTo(person.key, { sms_fraud: false })
    expect((await person.ask('POST', 'sms/', {})).status).toBe(200)
  })
})
