import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CodeRequest, TypedCode } from '#services/two-factor/signed-out-codes.ts'
import { SignedOutLogin } from '#services/two-factor/signed-out-login.ts'
import { systemClock } from '../../../src-main/app/system-clock.ts'
import { type Simulator, startSimulator } from '../../simulator/simulator.ts'
import {
  createPerson,
  createTotpPerson,
  createTotpSmsPerson,
  freshTotp,
  OWN_NUMBER,
  type Person,
} from '../simulator/two-factor-person.ts'
import { backupCode } from './procedures.ts'

let service: Simulator
beforeAll(async () => {
  service = await startSimulator({ offers: 1 })
})
afterAll(() => service.close())

const bySms: CodeRequest = { channel: 'sms', phoneNumber: '', methodId: null, again: false }
const byEmail: CodeRequest = { ...bySms, channel: 'email' }
const typed = (channel: TypedCode['channel'], code: string, again = false): TypedCode => ({
  channel,
  code,
  methodId: null,
  again,
})

/** Somebody without a key here, whose login at the service waits for its second step. */
function openLogin(person: Person, fetch = globalThis.fetch) {
  const from = service.journal().length
  const remembered = new Set<string>()
  const login = new SignedOutLogin({
    fetch,
    clock: { now: () => service.clock.now(), sleep: systemClock.sleep },
    random: () => 0,
    toLocal: (trueMs) => trueMs,
    remember: (secret) => void remembered.add(secret),
    signal: new AbortController().signal,
  })
  const { tfa_secret: secret } = service.twoFactor.login(person.key)
  login.begin({ serviceAddress: service.baseUrl, secret })
  return {
    login,
    secret,
    remembered,
    waiting: () => {
      if (login.state.value.kind !== 'waiting') throw new Error(`it is ${login.state.value.kind}`)
      return login.state.value
    },
    requests: () =>
      service
        .journal()
        .slice(from)
        .filter(({ path }) => path.startsWith('/api/v0/tfa/'))
        .map(({ method, path }) => `${method} ${path.replace('/api/v0/', '')}`),
  }
}

/** The request reaches the service, and its reply never comes: the first time. */
function losingFirst(): typeof globalThis.fetch {
  let lost = false
  return async (...request) => {
    const reply = await fetch(...request)
    if (lost) return reply
    lost = true
    throw new TypeError('fetch failed', { cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }) })
  }
}

const refusedBy = (code: string) => ({ problem: { kind: 'tfa-refused', code } })
const invalid = (field: string) => ({ problem: { kind: 'invalid-input', field } })

describe('a login is completed by its secret, without a key', () => {
  test('by e-mail, and the secret is in no state', async () => {
    const person = createTotpPerson(service)
    const { login, secret, remembered, waiting, requests } = openLogin(person)
    await login.send(byEmail)
    expect(waiting().email.sent).not.toBeNull()
    expect(JSON.stringify(login.state.value)).not.toContain(secret)
    await login.submit(typed('email', person.lastCode('email')))
    const { email } = await person.user()
    expect(login.state.value).toMatchObject({ kind: 'accepted', email, codesLeft: null, isLegacy: false })
    expect(requests()).toEqual(['POST tfa/email/', 'POST tfa/'])
    expect(
      service
        .journal()
        .filter(({ path }) => path === '/api/v0/tfa/')
        .at(-1),
    ).toMatchObject({ session: null })
    expect(remembered).toContain(secret)
    await expect(login.send(byEmail)).rejects.toMatchObject(invalid('login'))
  })

  test('by SMS: the second one is a resend, and not before half a minute has gone', async () => {
    const person = createTotpSmsPerson(service)
    const { login, waiting, requests } = openLogin(person)
    await login.send(bySms)
    expect(waiting().sms.resendAt).not.toBeNull()
    await expect(login.send(bySms)).rejects.toMatchObject(invalid('resendAt'))
    await service.clock.advance(31)
    await login.send(bySms)
    await login.submit(typed('sms', ` ${person.lastCode('sms')} `))
    expect(login.state.value.kind).toBe('accepted')
    expect(requests()).toEqual(['POST tfa/sms/', 'POST tfa/sms/resend/', 'POST tfa/'])
  })

  test('by an authenticator; by a backup code, which tells how many are left; of a legacy account', async () => {
    const person = createTotpPerson(service)
    const byTotp = openLogin(person).login
    await byTotp.submit(typed('totp', await freshTotp(service, person)))
    expect(byTotp.state.value).toMatchObject({ kind: 'accepted', codesLeft: null })
    const byCode = openLogin(person).login
    await byCode.submit(typed('backup-code', backupCode(person).toLowerCase()))
    expect(byCode.state.value).toMatchObject({ kind: 'accepted', codesLeft: 9 })
    const legacy = createPerson(service, 'legacy')
    const ofLegacy = openLogin(legacy).login
    await ofLegacy.send(bySms)
    await ofLegacy.submit(typed('sms', legacy.lastCode('sms')))
    expect(ofLegacy.state.value).toMatchObject({ kind: 'accepted', isLegacy: true })
  })
})

describe('what is refused', () => {
  test('a secret of no login, a code of another shape, and a wrong one, which may be typed again', async () => {
    const person = createTotpPerson(service)
    const { login, requests } = openLogin(person)
    await expect(login.submit(typed('totp', '12345'))).rejects.toMatchObject(invalid('code'))
    expect(requests()).toEqual([])
    await expect(login.submit(typed('totp', '000000'))).rejects.toMatchObject(refusedBy('2fa_login_failed'))
    await login.submit(typed('totp', await freshTotp(service, person)))
    expect(login.state.value.kind).toBe('accepted')
    login.begin({ serviceAddress: service.baseUrl, secret: 'of nothing' })
    await expect(login.send(byEmail)).rejects.toMatchObject(refusedBy('challenge_not_found'))
    expect(() => login.begin({ serviceAddress: 'http://example.com', secret: 'x' })).toThrow()
  })

  test('a locked method is not tried before its time', async () => {
    const person = createTotpPerson(service)
    const { login, requests } = openLogin(person)
    const fail = () => login.submit(typed('totp', '000000')).catch((error: unknown) => error)
    let refusal: unknown
    for (let tries = 0; tries < 10; tries += 1) {
      refusal = await fail()
      if (refusal instanceof Error && JSON.stringify(refusal).includes('tfa_locked')) break
    }
    expect(refusal).toMatchObject(refusedBy('tfa_locked'))
    const before = requests().length
    expect(await fail()).toMatchObject(refusedBy('tfa_locked'))
    expect(requests()).toHaveLength(before)
    await service.clock.advance(15 * 60)
    expect(await fail()).not.toMatchObject(refusedBy('tfa_locked'))
    expect(requests()).toHaveLength(before + 1)
  })

  test('a number that is none is not sent, and SMS are not asked for again once the account is flagged', async () => {
    const person = createTotpSmsPerson(service)
    const { login, requests } = openLogin(person)
    await expect(login.send({ ...bySms, phoneNumber: '555' })).rejects.toMatchObject(invalid('phoneNumber'))
    service.twoFactor.happenTo(person.key, { sms_fraud: true })
    await expect(login.send(bySms)).rejects.toMatchObject(refusedBy('sms_fraud_detected'))
    await expect(login.send(bySms)).rejects.toMatchObject(refusedBy('sms_fraud_detected'))
    expect(requests()).toEqual(['POST tfa/sms/'])
  })
})

describe('rate limits of the service hold here, too', () => {
  const refuse = (path: string, error: string, status: number) =>
    service.faults.add({ kind: 'refused', path: `/api/v0/tfa/${path}`, error, status })

  test('too many text messages: a minute, then two; e-mail goes on', async () => {
    const person = createTotpSmsPerson(service)
    const { login, waiting, requests } = openLogin(person)
    for (const seconds of [60, 120]) {
      refuse('sms/', 'sms_rate_limited', 429)
      const before = service.clock.now()
      await expect(login.send(bySms)).rejects.toMatchObject(refusedBy('sms_rate_limited'))
      const resendAt = waiting().sms.resendAt ?? 0
      expect(resendAt).toBeGreaterThanOrEqual(before + seconds * 1000)
      expect(resendAt).toBeLessThanOrEqual(service.clock.now() + seconds * 1000)
      await service.clock.advance(seconds - 5)
      await expect(login.send(bySms)).rejects.toMatchObject(invalid('resendAt'))
      await service.clock.advance(5)
    }
    await login.send(byEmail)
    expect(requests()).toEqual(['POST tfa/sms/', 'POST tfa/sms/', 'POST tfa/email/'])
  })

  test.each(['preauth_phone_cap', 'sms_blocked_number'])(
    'a number that %s refuses is not asked for again',
    async (code) => {
      const person = createTotpSmsPerson(service)
      const { login, requests } = openLogin(person)
      const asked = { ...bySms, phoneNumber: OWN_NUMBER }
      refuse('sms/', code, code === 'preauth_phone_cap' ? 429 : 400)
      await expect(login.send(asked)).rejects.toMatchObject(refusedBy(code))
      await expect(login.send(asked)).rejects.toMatchObject(invalid('phoneNumber'))
      expect(requests()).toEqual(['POST tfa/sms/'])
      // The account's own number is another one, as far as it's known here.
      refuse('sms/', code, code === 'preauth_phone_cap' ? 429 : 400)
      await expect(login.send(bySms)).rejects.toMatchObject(refusedBy(code))
      await expect(login.send(bySms)).rejects.toMatchObject(invalid('phoneNumber'))
      expect(requests()).toEqual(['POST tfa/sms/', 'POST tfa/sms/'])
    },
  )

  test('what the service calls passing is not tried again by itself', async () => {
    const person = createTotpSmsPerson(service)
    const { login, requests } = openLogin(person)
    refuse('email/', 'service_unavailable', 503)
    await expect(login.send(byEmail)).rejects.toMatchObject(refusedBy('service_unavailable'))
    refuse('sms/', 'sms_provider_rate_limited', 429)
    await expect(login.send(bySms)).rejects.toMatchObject(refusedBy('sms_provider_rate_limited'))
    service.faults.add({ kind: '429', path: '/api/v0/tfa/email/', retry_after: 1 })
    await expect(login.send(byEmail)).rejects.toMatchObject({ problem: { kind: 'rate-limited' } })
    expect(requests()).toEqual(['POST tfa/email/', 'POST tfa/sms/', 'POST tfa/email/'])
  })
})

describe.each(['reset-after', '502-html', 'malformed-json', 'truncated'] as const)(
  'whatever becomes of a reply (%s)',
  (kind) => {
    test('a code is sent once, and given once', async () => {
      const person = createTotpPerson(service)
      const { login, waiting, requests } = openLogin(person)
      service.faults.add({
        kind,
        path: '/api/v0/tfa/email/',
        ...(kind === '502-html' && { after_work: true }),
      })
      await expect(login.send(byEmail)).rejects.toThrow()
      expect(waiting()).toMatchObject({ busy: null, email: { sent: null, isLost: true } })
      await expect(login.send(byEmail)).rejects.toMatchObject(invalid('again'))
      await login.submit(typed('email', person.lastCode('email')))
      expect(login.state.value.kind).toBe('accepted')
      expect(requests()).toEqual(['POST tfa/email/', 'POST tfa/'])
    })
  },
)

describe('after a lost reply nothing is sent a second time without being asked for', () => {
  test('a text message', async () => {
    const person = createTotpSmsPerson(service)
    const { login, waiting, requests } = openLogin(person, losingFirst())
    await expect(login.send(bySms)).rejects.toMatchObject({ problem: { kind: 'unreachable' } })
    expect(waiting().sms).toMatchObject({ sent: null, isLost: true })
    await expect(login.send(bySms)).rejects.toMatchObject(invalid('again'))
    expect(requests()).toEqual(['POST tfa/sms/'])
    // The service has sent it: another is a resend, once that is known.
    await expect(login.send({ ...bySms, again: true })).rejects.toMatchObject(
      refusedBy('tfa_challenge_exists'),
    )
    expect(waiting().sms.isLost).toBe(false)
    await login.submit(typed('sms', person.lastCode('sms')))
    expect(login.state.value.kind).toBe('accepted')
    expect(requests()).toEqual(['POST tfa/sms/', 'POST tfa/sms/', 'POST tfa/'])
  })

  test('a code', async () => {
    const person = createTotpPerson(service)
    const { login, waiting, requests } = openLogin(person, losingFirst())
    const code = backupCode(person)
    await expect(login.submit(typed('backup-code', code))).rejects.toMatchObject({
      problem: { kind: 'unreachable' },
    })
    expect(waiting().isCodeLost).toBe(true)
    await expect(login.submit(typed('backup-code', code))).rejects.toMatchObject(invalid('again'))
    expect(requests()).toEqual(['POST tfa/'])
    // It was used up, and the login is over.
    await expect(login.submit(typed('backup-code', code, true))).rejects.toMatchObject(
      refusedBy('challenge_not_found'),
    )
    expect(requests()).toEqual(['POST tfa/', 'POST tfa/'])
  })
})

test('a login goes with the last page that watches it, and what is under way with the login', async () => {
  const person = createTotpPerson(service)
  const signals: (AbortSignal | null | undefined)[] = []
  const { login, waiting } = openLogin(person, (_, init) => {
    signals.push(init?.signal)
    return new Promise((_resolve, reject) =>
      init?.signal?.addEventListener('abort', () => reject(new Error('aborted'))),
    )
  })
  const pages = [new AbortController(), new AbortController()] as const
  const watches = pages.map(async ({ signal }) => {
    const kinds: string[] = []
    for await (const { kind } of login.watch(signal)) kinds.push(kind)
    return kinds
  })
  const sending = login.send(byEmail)
  pages[0].abort()
  await watches[0]
  expect(waiting().busy).toBe('sending')
  pages[1].abort()
  const [kinds] = await Promise.all([watches[1], sending])
  expect(kinds).toContain('waiting')
  expect(login.state.value).toEqual({ kind: 'none' })
  expect(signals.map((signal) => signal?.aborted)).toEqual([true])
})

test('a login that was left is forgotten, also by a reply that comes later', async () => {
  const person = createTotpPerson(service)
  const { login } = openLogin(person)
  const sending = login.send(byEmail)
  login.end()
  await sending
  expect(login.state.value).toEqual({ kind: 'none' })
})
