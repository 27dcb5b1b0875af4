import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Simulator, startSimulator } from '../../simulator/simulator.ts'
import {
  authorizeByEmail,
  backupCodesOf,
  confirmSms,
  confirmTotp,
  createPerson,
  freshTotp,
  moveToFreshStep,
  otherThan,
  type Person,
  secretOf,
  totp,
} from './two-factor-person.ts'

/** It stands, and is moved by hand: a second more or less decides here. */
const standingMs = Date.now()

let simulator: Simulator
beforeAll(async () => {
  simulator = await startSimulator({ offers: 1, machineNow: () => standingMs })
})
afterAll(() => simulator.close())

const withTotp = (): Person => createPerson(simulator, 'default', { twoFactorMethods: [{ method: 'totp' }] })
const secretOfTotp = ({ twoFactor }: Person): string => twoFactor.methods[0]?.secret ?? ''

describe('one-time passwords', () => {
  it('are good once, and not those before the last one either', async () => {
    const person = withTotp()
    await moveToFreshStep(simulator)
    const [earlier, now] = [-1, 0].map((steps) => totp(simulator, secretOfTotp(person), steps))
    const login = (code?: string): ReturnType<Person['ask']> =>
      person.ask('POST', '', { tfa_method: 'totp', code })
    expect((await login(now)).status).toBe(200)
    expect((await login(now)).body).toMatchObject({ error: '2fa_login_failed' })
    expect((await login(earlier)).body).toMatchObject({ error: '2fa_login_failed' })
  })

  it('may come from the step before or after, no further', async () => {
    await moveToFreshStep(simulator)
    const answers = [-2, -1, 1, 2].map(async (steps) => {
      const person = withTotp()
      const code = totp(simulator, secretOfTotp(person), steps)
      return (await person.ask('POST', '', { tfa_method: 'totp', code })).status
    })
    expect(await Promise.all(answers)).toEqual([400, 200, 200, 400])
  })

  it('are used up by the confirmation, too', async () => {
    const person = createPerson(simulator)
    await authorizeByEmail(person)
    const { secret } = await confirmTotp(simulator, person)
    const login = { tfa_method: 'totp', code: totp(simulator, secret) }
    expect((await person.ask('POST', '', login)).body).toMatchObject({ error: '2fa_login_failed' })
  })
})

describe('times', () => {
  it('a method is locked for 14:59 and not for 15:00, and then the count begins anew', async () => {
    const person = withTotp()
    const other = withTotp()
    const fail = async (): Promise<unknown> => {
      const code = otherThan(await freshTotp(simulator, person))
      return (await person.ask('DELETE', '', { tfa_method: 'totp', code })).body
    }
    for (let failures = 1; failures < 5; failures += 1)
      expect(await fail()).toMatchObject({ fail_count: failures, locked_until: null })
    const lockedUntil = Number(((await fail()) as { locked_until: unknown }).locked_until)
    expect(lockedUntil - simulator.clock.now() / 1000).toBeCloseTo(15 * 60, 0)
    expect((await person.status()).methods).toMatchObject([{ fail_count: 5, locked_until: lockedUntil }])
    expect((await other.status()).methods).toMatchObject([{ fail_count: 0, locked_until: null }])

    const untilEndSeconds = lockedUntil - simulator.clock.now() / 1000
    await simulator.clock.advance(untilEndSeconds - 1)
    const login = { tfa_method: 'totp', code: totp(simulator, secretOfTotp(person)) }
    expect((await person.ask('POST', '', login)).body).toMatchObject({ error: 'tfa_locked', fail_count: 5 })
    await simulator.clock.advance(1)
    expect((await person.status()).methods).toMatchObject([{ fail_count: 0, locked_until: null }])
    expect((await person.ask('POST', '', login)).status).toBe(200)
  })

  it('ten minutes after its SMS an account may have another', async () => {
    const person = createPerson(simulator, 'legacy')
    await person.ask('POST', 'sms/', {})
    for (let resends = 0; resends < 4; resends += 1) await person.ask('POST', 'sms/resend/', {})
    expect((await person.ask('POST', 'sms/resend/', {})).status).toBe(429)
    await simulator.clock.advance(10 * 60)
    expect((await person.ask('POST', 'sms/', {})).status).toBe(200)
  })
})

describe('legacy accounts', () => {
  it('are enabled once they have a method of their own', async () => {
    const person = createPerson(simulator, 'legacy')
    await authorizeByEmail(person)
    const { answer } = await confirmTotp(simulator, person)
    expect(backupCodesOf(answer)).toHaveLength(10)
    expect(await person.user()).toMatchObject({ tfa_status: 'enabled' })
  })

  it('verify by the number on file, which is enough for nobody else', async () => {
    const person = createPerson(simulator, 'default', {
      phoneNumber: '+12025550146',
      twoFactorMethods: [{ method: 'totp' }],
    })
    const secret = secretOf(await person.ask('POST', 'sms/', {}))
    const login = { code: person.lastCode('sms'), secret }
    expect((await person.ask('POST', '', login)).body).toMatchObject({ error: '2fa_login_failed' })
  })
})

describe('authorizations', () => {
  it('are good once, and so are their secrets', async () => {
    const person = withTotp()
    const begin = async (): Promise<string> =>
      secretOf(await person.ask('POST', 'authorize-new-method/', { tfa_method: 'totp' }))
    const finish = async (secret: string): ReturnType<Person['ask']> => {
      const code = await freshTotp(simulator, person)
      return await person.ask('PUT', 'authorize-new-method/', { code, secret })
    }
    const secret = await begin()
    expect((await finish(secret)).status).toBe(200)
    const other = secretOf(await person.ask('POST', 'email/', {}))
    expect((await finish(other)).body).toMatchObject({ error: 'no_pending_authorization' })
    const next = await begin()
    expect((await finish(secret)).body).toMatchObject({ error: 'challenge_not_found' })
    expect((await finish(next)).status).toBe(200)
  })
})

describe('methods', () => {
  it('several of a type: a request has to say which', async () => {
    const person = createPerson(simulator, 'multi-sms')
    for (const [method, path, body] of [
      ['POST', 'sms/', {}],
      ['PUT', 'update/', { tfa_method: 'sms', label: 'Mine' }],
      ['POST', 'authorize-new-method/', { tfa_method: 'sms' }],
      ['POST', '', { code: '123456', secret: 'abc' }],
    ] as const) {
      const { body: refusal } = await person.ask(method, path, body)
      expect(refusal['msg']).toContain('body.tfa_method_id: needed')
    }
  })

  it('the same number is not added twice, another one is', async () => {
    const person = createPerson(simulator, 'multi-sms')
    await person.ask('POST', 'authorize-new-method/', { backup_code: person.twoFactor.backup_codes[0] })
    expect((await confirmSms(person, '+12025550101')).body).toMatchObject({ error: 'duplicate_tfa_method' })
    expect((await confirmSms(person, '+12025550149')).body).toMatchObject({ success: true })
    expect((await person.status()).methods).toHaveLength(3)
  })

  it('when the primary one goes, the oldest takes over', async () => {
    const person = createPerson(simulator, 'multi-sms')
    const [first, second] = person.twoFactor.methods
    const removal = { backup_code: person.twoFactor.backup_codes[0], target_id: first?.id }
    expect((await person.ask('DELETE', '', removal)).body).toMatchObject({ remaining_methods: 1 })
    expect((await person.status()).methods).toMatchObject([{ id: second?.id, is_primary: true }])
  })

  it('a refused change costs no backup code', async () => {
    const person = createPerson(simulator, 'multi-sms')
    const [backup_code] = person.twoFactor.backup_codes
    expect((await person.ask('DELETE', '', { backup_code })).status).toBe(400)
    expect((await person.ask('DELETE', '', { backup_code, target_id: 1 })).status).toBe(404)
    expect((await person.status()).backup_codes_remaining).toBe(10)
  })
})
