import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { type Simulator, startSimulator } from '../../simulator/simulator.ts'
import { type Answer, call, rent, search, show } from './caller.ts'
import { anyNumber, anyString, containing } from './expectations.ts'

let simulator: Simulator

beforeAll(async () => {
  simulator = await startSimulator({ offers: 20, bootSeconds: [100, 100] })
})
afterAll(() => simulator.close())

const control = (method: string, path: string, body?: unknown): ReturnType<typeof call> =>
  call(simulator, method, `/_simulator/${path}`, { key: 'none', body })

it('keeps a journal of what the service was asked, secrets masked', async () => {
  await call(simulator, 'GET', '/api/v0/users/current/')
  await call(simulator, 'GET', '/api/v0/users/current/', { key: 'wrong' })
  await rent(simulator, { env: { MODEL: 'big', HF_TOKEN: 'hf_abc' } })
  await call(simulator, 'PUT', '/api/v0/asks/1/', { text: 'secret=abc' })
  const journal = (await control('GET', 'journal')).body
  expect(journal).toMatchObject([
    { method: 'GET', path: '/api/v0/users/current/', body: null, status: 200, key: 'default', fault: null },
    { status: 401, key: null },
    { method: 'POST', path: '/api/v0/bundles/', body: { limit: 1 }, status: 200 },
    { method: 'PUT', body: { env: { MODEL: 'big', HF_TOKEN: '***' } }, status: 200 },
    { body: containing('no JSON'), status: 400 },
  ])
  expect(JSON.stringify(journal)).not.toMatch(/hf_abc|secret=abc/)
  expect(journal).toEqual(simulator.journal())
  const [first] = z.array(z.object({ at: z.number() })).parse(journal)
  expect(Math.abs((first?.at ?? 0) * 1000 - simulator.clock.now())).toBeLessThan(60_000)
})

it('moves the clock, and has done what fell due when it answers', async () => {
  const { id } = await rent(simulator)
  const beforeMs = simulator.clock.now()
  await control('POST', 'clock', { advance_seconds: 100 })
  expect(simulator.clock.now() - beforeMs).toBeGreaterThanOrEqual(100_000)
  expect((await show(simulator, id)).actual_status).toBe('loading')
  await control('POST', 'clock', { advance_seconds: 100 })
  expect((await show(simulator, id)).actual_status).toBe('running')
})

it('dates every reply by the simulated clock, also one that a fault cuts short', async () => {
  simulator.faults.add({ kind: 'slow-drip', ms: 1, path: '/api/v0/users/*' })
  await control('POST', 'clock', { advance_seconds: 3600 })
  for (const path of ['/api/v0/users/current/', '/api/v0/nothing/', '/_simulator/outbox']) {
    const { headers } = await call(simulator, 'GET', path)
    const dateMs = Date.parse(headers.get('Date') ?? '')
    expect(Math.abs(dateMs - simulator.clock.now())).toBeLessThan(60_000)
  }
})

it('sets and clears faults', async () => {
  await control('POST', 'faults', [{ kind: '503', path: '/api/v0/users/*', times: 5 }])
  expect((await call(simulator, 'GET', '/api/v0/users/current/')).status).toBe(503)
  await control('DELETE', 'faults')
  expect((await call(simulator, 'GET', '/api/v0/users/current/')).status).toBe(200)
})

it('changes an offer as its host would', async () => {
  const [offer] = await search(simulator, { limit: 1 })
  const id = offer?.id ?? 0
  expect((await control('POST', `offers/${String(id)}`, { dph_total: 9.5, geolocation: null })).status).toBe(
    200,
  )
  expect(await search(simulator, { id: { eq: id } })).toEqual([
    { ...offer, dph_total: 9.5, geolocation: null },
  ])
})

it('makes fresh accounts', async () => {
  const keyReply = z.strictObject({ key: z.string() })
  const order = { name: 'default', instances: 2, ssh_key: 'ssh-ed25519 AAAA' }
  const { key } = keyReply.parse((await control('POST', 'account', order)).body)
  const other = keyReply.parse((await control('POST', 'account', order)).body)
  expect(other.key).not.toBe(key)
  expect((await call(simulator, 'GET', '/api/v0/instances/', { key })).body).toMatchObject({
    instances_found: 2,
  })
  expect((await call(simulator, 'GET', '/api/v0/users/current/', { key })).body).toMatchObject({
    ssh_key: 'ssh-ed25519 AAAA',
  })
})

it('has an outbox of the codes that were sent', async () => {
  const { key } = simulator.account('default')
  await call(simulator, 'POST', '/api/v0/tfa/email/', { key, body: {} })
  const code: unknown = expect.stringMatching(/^\d{6}$/)
  const to = containing('@example.com')
  expect((await control('GET', 'outbox')).body).toEqual([{ channel: 'email', to, code, at: anyNumber }])
})

const methodsReply = z.object({
  key: z.string(),
  tfa: z.object({
    methods: z.tuple([z.object({ secret: z.string() }), z.object({ phone_number: z.string() })]),
    backup_codes: z.array(z.string()).length(10),
  }),
})

it('makes accounts with 2FA, logs them in, and lets things happen to them', async () => {
  const order = {
    name: 'admin',
    email_verified: false,
    phone_number: '+12025550160',
    tfa_methods: [
      { method: 'totp', label: 'Mine' },
      { method: 'sms', phone_number: '+12025550161' },
    ],
  }
  const { key } = methodsReply.parse((await control('POST', 'account', order)).body)
  expect((await control('POST', 'login', { key })).body).toEqual({ tfa_secret: anyString })
  expect((await control('POST', 'login', { key: simulator.key })).status).toBe(400)
  const email = (): Promise<Answer> => call(simulator, 'POST', '/api/v0/tfa/email/', { key, body: {} })
  expect((await email()).body).toMatchObject({ error: 'email_not_verified' })
  await control('POST', 'account/event', {
    key,
    email_verified: true,
    sms_fraud: true,
    totp_secret: 'unreadable',
  })
  expect((await email()).status).toBe(200)
  const sms = (): Promise<Answer> => call(simulator, 'POST', '/api/v0/tfa/sms/', { key, body: {} })
  expect((await sms()).body).toMatchObject({ error: 'sms_fraud_detected' })
  const totp = { tfa_method: 'totp', code: '123456' }
  expect((await call(simulator, 'POST', '/api/v0/tfa/', { key, body: totp })).body).toMatchObject({
    error: 'tfa_method_not_configured',
  })
  await control('POST', 'account/event', { key, sms_fraud: false })
  await control('POST', 'carrier', { state: 'down' })
  expect((await sms()).body).toMatchObject({ error: 'sms_provider_error' })
  await control('POST', 'carrier', { state: 'up' })
  expect((await sms()).status).toBe(200)
  await control('POST', 'store', { name: 'authorization-challenges', state: 'down' })
  const authorize = (): Promise<Answer> =>
    call(simulator, 'POST', '/api/v0/tfa/authorize-new-method/', { key, body: { tfa_method: 'email' } })
  expect((await authorize()).body).toMatchObject({ error: 'challenge_creation_failed' })
  await control('POST', 'store', { name: 'authorization-challenges', state: 'up' })
  expect((await authorize()).status).toBe(200)
})

it.each([
  ['POST', 'clock', { advance_seconds: '5' }, 400],
  ['POST', 'clock', { advance_seconds: -5 }, 400],
  ['POST', 'faults', { kind: '500' }, 400],
  ['POST', 'faults', [{ kind: 'earthquake' }], 400],
  ['POST', 'account', { name: 'nobody' }, 400],
  ['POST', 'instances/1/fate', { actual_status: 'exited' }, 404],
  ['POST', 'account', { name: 'default', tfa_methods: [{ method: 'email' }] }, 400],
  ['POST', 'account', { name: 'default', phone_number: '12' }, 400],
  ['POST', 'login', { key: 'nobody' }, 401],
  ['POST', 'carrier', { state: 'lost' }, 400],
  ['POST', 'store', { name: 'offers', state: 'down' }, 400],
  ['POST', 'account/event', { key: 'nobody' }, 401],
  ['POST', 'offers/1', { dph_total: 1 }, 404],
  ['GET', 'weather', undefined, 404],
])('refuses %s %s %j', async (method, path, body, status) => {
  expect(await control(method, path, body)).toMatchObject({
    status,
    body: { error: anyString },
  })
})

it('makes and revokes keys of an account, as its console does', async () => {
  const limited = await control('POST', 'keys', { of: simulator.key, categories: ['user_read'] })
  const { key } = z.object({ key: z.string() }).parse(limited.body)
  // Not its credit, which instances of other tests spend meanwhile.
  const { body } = await call(simulator, 'GET', '/api/v0/users/current/')
  const { id } = z.object({ id: z.number() }).parse(body)
  expect(await call(simulator, 'GET', '/api/v0/users/current/', { key })).toMatchObject({ body: { id } })
  expect(await call(simulator, 'GET', '/api/v0/instances/', { key })).toMatchObject({ status: 403 })
  await control('DELETE', 'keys', { key })
  expect(await call(simulator, 'GET', '/api/v0/users/current/', { key })).toMatchObject({ status: 401 })
  expect(await control('POST', 'keys', { of: 'none' })).toMatchObject({ status: 400 })
})
