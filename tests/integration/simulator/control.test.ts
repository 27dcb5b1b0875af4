import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { type Simulator, startSimulator } from '../../simulator/simulator.ts'
import { call, rent, show } from './caller.ts'
import { anyString, containing } from './expectations.ts'

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

it('sets and clears faults', async () => {
  await control('POST', 'faults', [{ kind: '503', path: '/api/v0/users/*', times: 5 }])
  expect((await call(simulator, 'GET', '/api/v0/users/current/')).status).toBe(503)
  await control('DELETE', 'faults')
  expect((await call(simulator, 'GET', '/api/v0/users/current/')).status).toBe(200)
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

it('has an outbox, empty for now', async () => {
  expect((await control('GET', 'outbox')).body).toEqual([])
})

it.each([
  ['POST', 'clock', { advance_seconds: '5' }, 400],
  ['POST', 'clock', { advance_seconds: -5 }, 400],
  ['POST', 'faults', { kind: '500' }, 400],
  ['POST', 'faults', [{ kind: 'earthquake' }], 400],
  ['POST', 'account', { name: 'nobody' }, 400],
  ['POST', 'instances/1/fate', { actual_status: 'exited' }, 404],
  ['GET', 'clock', undefined, 404],
])('refuses %s %s %j', async (method, path, body, status) => {
  expect(await control(method, path, body)).toMatchObject({
    status,
    body: { error: anyString },
  })
})
