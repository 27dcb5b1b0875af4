import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createHttp, type Http } from '#services/rental-api/http.ts'
import { createTwoFactorClient } from '#services/rental-api/two-factor.ts'
import { systemClock } from '../../../src-main/app/system-clock.ts'
import { problemOf } from '../../support/problem-of.ts'
import { type Simulator, startSimulator } from '../../simulator/simulator.ts'
import {
  createPerson,
  createTotpPerson,
  createTotpSmsPerson,
  freshTotp,
  moveToFreshStep,
  otherThan,
  OWN_NUMBER,
  totp,
  type Person,
} from '../simulator/two-factor-person.ts'

let service: Simulator
beforeAll(async () => {
  service = await startSimulator({ offers: 1 })
})
afterAll(() => service.close())

const httpWith = (bearer: string): Http =>
  createHttp({
    fetch: globalThis.fetch,
    clock: systemClock,
    random: () => 0,
    credentials: () => Promise.resolve({ serviceAddress: service.baseUrl, bearer }),
  })
const clientOf = ({ key }: Person) => createTwoFactorClient(httpWith(key))
const methodOf = (person: Person, kind: 'sms' | 'totp'): number =>
  person.twoFactor.methods.find(({ method }) => method === kind)?.id ?? 0
const backupCodeOf = ({ twoFactor }: Person, index = 0): string => twoFactor.backup_codes[index] ?? ''

describe('with an API key', () => {
  test('a first method: permission by e-mail, TOTP, backup codes; then a second one by SMS', async () => {
    const person = createPerson(service)
    const client = clientOf(person)
    expect(await client.status()).toMatchObject({ tfa_enabled: false, methods: [] })
    const { secret } = await client.beginAuthorization('email', null)
    await client.finishAuthorization(person.lastCode('email'), secret)
    const setUp = await client.setUpTotp()
    expect(setUp.uri).toContain(setUp.secret)
    const first = await client.confirm({
      method: 'totp',
      code: totp(service, setUp.secret),
      secret: setUp.secret,
      phoneNumber: null,
      label: 'Desk',
    })
    expect(first.backupCodes).toHaveLength(10)
    const sent = await client.sendSms({ phoneNumber: OWN_NUMBER })
    const second = await client.confirm({
      method: 'sms',
      code: person.lastCode('sms'),
      secret: sent.secret,
      phoneNumber: OWN_NUMBER,
      label: '',
    })
    expect(second.backupCodes).toBeNull()
    const { methods, new_method_authorized } = await client.status()
    expect(methods.map(({ method, label }) => [method, label])).toEqual([
      ['totp', 'Desk'],
      ['sms', 'SMS'],
    ])
    expect(new_method_authorized).toBe(true)
  })

  test('permission by a backup code', async () => {
    const person = createTotpPerson(service)
    await clientOf(person).authorizeByBackupCode(backupCodeOf(person))
    expect(await clientOf(person).status()).toMatchObject({
      new_method_authorized: true,
      backup_codes_remaining: 9,
    })
  })

  test('a login gives a session, by which the service takes the other calls', async () => {
    const person = createPerson(service, 'admin', { twoFactorMethods: [{ method: 'totp' }] })
    const code = await freshTotp(service, person)
    const proof = { kind: 'totp', code, methodId: methodOf(person, 'totp') } as const
    const { sessionKey, codesLeft, isLegacy } = await clientOf(person).logIn(proof, true)
    expect({ codesLeft, isLegacy }).toEqual({ codesLeft: null, isLegacy: false })
    await createTwoFactorClient(httpWith(sessionKey ?? '')).status()
    expect(service.journal().at(-1)).toMatchObject({ path: '/api/v0/tfa/status/', session: 'admin' })
  })

  test('a login by backup code says how many are left; by e-mail and SMS it takes the challenge', async () => {
    const person = createTotpSmsPerson(service)
    const client = clientOf(person)
    const byBackup = await client.logIn({ kind: 'backup-code', backupCode: backupCodeOf(person) }, false)
    expect(byBackup.codesLeft).toBe(9)
    const email = await client.sendEmail()
    await client.logIn({ kind: 'email', code: person.lastCode('email'), secret: email.secret }, false)
    const methodId = methodOf(person, 'sms')
    const sms = await client.sendSms({ methodId })
    await client.logIn({ kind: 'sms', code: person.lastCode('sms'), secret: sms.secret, methodId }, false)
  })

  test('sending again keeps a secret that is held, and gives a new one where none is', async () => {
    const person = createTotpSmsPerson(service)
    const client = clientOf(person)
    const methodId = methodOf(person, 'sms')
    const first = await client.sendSms({ methodId })
    expect((await client.resendSms({ methodId }, first.secret)).secret).toBe(first.secret)
    const adopted = await client.resendSms({ methodId }, null)
    expect(adopted.secret).not.toBe(first.secret)
    const code = person.lastCode('sms')
    await client.logIn({ kind: 'sms', code, secret: adopted.secret, methodId }, false)
  })

  test('label and primary, new codes, removal of one and of the last', async () => {
    const person = createTotpSmsPerson(service)
    const client = clientOf(person)
    const [totpId, smsId] = [methodOf(person, 'totp'), methodOf(person, 'sms')]
    await client.update(smsId, { label: 'Pocket', isPrimary: true })
    expect((await client.status()).methods.find(({ id }) => id === smsId)).toMatchObject({
      label: 'Pocket',
      is_primary: true,
    })
    const codes = await client.regenerate({
      kind: 'totp',
      code: await freshTotp(service, person),
      methodId: totpId,
    })
    expect(codes).toHaveLength(10)
    const [one = '', two = ''] = codes
    expect(await client.remove({ kind: 'backup-code', backupCode: one }, smsId)).toBe(1)
    expect(await client.remove({ kind: 'backup-code', backupCode: two }, totpId)).toBe(0)
  })

  test('a legacy account is upgraded, and switched off, without ids', async () => {
    const person = createPerson(service, 'legacy')
    const client = clientOf(person)
    const proof = async () => ({
      kind: 'sms' as const,
      secret: (await client.sendSms({})).secret,
      code: person.lastCode('sms'),
      methodId: null,
    })
    expect((await client.logIn(await proof(), false)).isLegacy).toBe(true)
    expect(await client.regenerate(await proof())).toHaveLength(10)
    const other = createPerson(service, 'legacy')
    const { secret } = await clientOf(other).sendEmail()
    const left = await clientOf(other).remove({ kind: 'email', code: other.lastCode('email'), secret }, null)
    expect(left).toBe(0)
  })
})

describe('refusals', () => {
  test('a wrong code says how often it failed; the fifth one locks, in the service’s time', async () => {
    const person = createTotpPerson(service)
    const client = clientOf(person)
    const methodId = methodOf(person, 'totp')
    await moveToFreshStep(service)
    const wrong = async () =>
      problemOf(
        client.remove(
          { kind: 'totp', code: otherThan(await freshTotp(service, person)), methodId },
          methodId,
        ),
      )
    expect(await wrong()).toMatchObject({
      kind: 'tfa-refused',
      code: '2fa_verification_failed',
      failCount: 1,
      lockedUntilSeconds: null,
    })
    for (let failures = 2; failures < 5; failures += 1) await wrong()
    const fifth = await wrong()
    expect(fifth).toMatchObject({
      failCount: 5,
      lockedUntilSeconds: expect.closeTo(service.clock.now() / 1000 + 900, -1),
    })
    expect(await wrong()).toMatchObject({ code: 'tfa_locked', failCount: 5 })
  })

  test('a team, an unverified address and a wrong backup code are not about the key', async () => {
    const codes = await Promise.all([
      problemOf(clientOf(createPerson(service, 'team')).status()),
      problemOf(clientOf(createPerson(service, 'unverified')).sendEmail()),
      problemOf(clientOf(createTotpPerson(service)).authorizeByBackupCode('AAAA-BBBB-CCCC')),
    ])
    expect(codes).toMatchObject([
      { kind: 'tfa-refused', code: 'team_user_forbidden' },
      { kind: 'tfa-refused', code: 'email_not_verified' },
      { kind: 'tfa-refused', code: 'invalid_backup_code' },
    ])
  })

  test('a request without any credentials is about the session, although its code is that of a missing field', async () => {
    expect(await problemOf(createTwoFactorClient(httpWith('')).sendEmail())).toMatchObject({
      code: 'auth_error',
    })
  })

  test('a code that is spent is sent once, whatever comes back', async () => {
    const person = createTotpPerson(service)
    service.faults.add({ kind: '503', path: '/api/v0/tfa/regen-backup-codes/' })
    const before = service.journal().length
    await problemOf(clientOf(person).regenerate({ kind: 'backup-code', backupCode: backupCodeOf(person) }))
    expect(service.journal()).toHaveLength(before + 1)
  })
})

test('nothing of it was malformed, and no deprecated path was used', () => {
  const requests = service.journal().filter(({ path }) => path.startsWith('/api/v0/tfa/'))
  expect(requests.map(({ path }) => path)).not.toContainEqual(
    expect.stringMatching(/\/tfa\/(test|test-submit|resend)\//),
  )
  expect(requests.length).toBeGreaterThan(40)
})
