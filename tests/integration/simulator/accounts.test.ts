import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Simulator, startSimulator } from '../../simulator/simulator.ts'
import { call, rent, search } from './caller.ts'
import { anyNumber, anyString, containing } from './expectations.ts'

let simulator: Simulator

beforeAll(async () => {
  simulator = await startSimulator({ offers: 20, instances: 3, sshKey: 'ssh-ed25519 AAAA me', seed: 7 })
})
afterAll(() => simulator.close())

describe('the account endpoint', () => {
  it('answers with the user of the key', async () => {
    expect(await call(simulator, 'GET', '/api/v0/users/current/')).toMatchObject({
      status: 200,
      body: {
        id: anyNumber,
        email: containing('@'),
        full_name: anyString,
        credit: anyNumber,
        ssh_key: 'ssh-ed25519 AAAA me',
        tfa_status: 'disabled',
        email_verified_at: anyNumber,
        is_admin: false,
      },
    })
  })

  it('shows what sets the fixtures apart', async () => {
    const user = async (fixture: 'unverified' | 'admin' | 'legacy'): Promise<unknown> =>
      (await call(simulator, 'GET', '/api/v0/users/current/', simulator.account(fixture))).body
    expect(await user('unverified')).toMatchObject({ email_verified_at: null })
    expect(await user('admin')).toMatchObject({ is_admin: true })
    expect(await user('legacy')).toMatchObject({ tfa_status: 'legacy' })
    const methods = simulator.account('legacy', { tfaMethods: [{ method: 'totp' }] })
    expect((await call(simulator, 'GET', '/api/v0/users/current/', methods)).body).toMatchObject({
      tfa_status: 'legacy',
    })
  })

  it.each([
    ['no header', undefined, 'no key'],
    ['another scheme', 'Basic abc', 'not of the form'],
    ['a wrong key', 'Bearer abc', 'wrong or was revoked'],
  ])('answers 401 to %s', async (_what, header, reason) => {
    const headers = header === undefined ? {} : { Authorization: header }
    const reply = await fetch(`${simulator.baseUrl}/api/v0/users/current/`, { headers })
    expect(reply.status).toBe(401)
    expect(await reply.json()).toMatchObject({
      error: 'unauthorized',
      msg: containing(reason),
    })
  })

  it('takes the name of the scheme in either case', async () => {
    const headers = { Authorization: `bearer ${simulator.key}` }
    expect((await fetch(`${simulator.baseUrl}/api/v0/users/current/`, { headers })).status).toBe(200)
  })

  it('answers 401 to a revoked key', async () => {
    const answer = await call(simulator, 'GET', '/api/v0/users/current/', simulator.account('revoked'))
    expect(answer.status).toBe(401)
  })
})

describe('a scoped key', () => {
  it('reads, and may not rent, stop or destroy', async () => {
    const { key } = simulator.account('scoped-read', { instances: 1 })
    const [offer] = await search(simulator, { limit: 1 })
    const status = async (method: string, path: string, body?: object): Promise<number> =>
      (await call(simulator, method, path, body === undefined ? { key } : { key, body })).status
    expect(await status('GET', '/api/v0/users/current/')).toBe(200)
    expect(await status('GET', '/api/v0/instances/')).toBe(200)
    expect(await status('POST', '/api/v0/bundles/', {})).toBe(403)
    expect(await status('PUT', `/api/v0/asks/${String(offer?.id)}/`, { image: 'a' })).toBe(403)
    expect(await status('PUT', '/api/v0/instances/7100004/', { state: 'stopped' })).toBe(403)
    expect(await status('DELETE', '/api/v0/instances/7100004/')).toBe(403)
  })

  it('may do what its categories say', async () => {
    const { key } = simulator.account('scoped-read', { categories: ['misc'] })
    expect((await call(simulator, 'POST', '/api/v0/bundles/', { key, body: { limit: 1 } })).status).toBe(200)
    const refusal = await call(simulator, 'GET', '/api/v0/instances/', { key })
    expect(refusal).toMatchObject({
      status: 403,
      body: { msg: containing('instance_read') },
    })
  })
})

describe("an instance's own key", () => {
  it('stops and destroys that instance, nothing else, and ends with it', async () => {
    const mine = await rent(simulator)
    const other = await rent(simulator)
    const key = mine.instanceKey
    const path = `/api/v0/instances/${String(mine.id)}/`
    expect((await call(simulator, 'GET', path, { key })).status).toBe(403)
    expect((await call(simulator, 'DELETE', `/api/v0/instances/${String(other.id)}/`, { key })).status).toBe(
      403,
    )
    expect((await call(simulator, 'PUT', path, { key, body: { state: 'stopped' } })).status).toBe(200)
    expect((await call(simulator, 'DELETE', path, { key })).status).toBe(200)
    expect((await call(simulator, 'DELETE', path, { key })).status).toBe(401)
  })
})

it('keeps accounts apart', async () => {
  const { key } = simulator.account('default')
  expect(await call(simulator, 'GET', '/api/v0/instances/', { key })).toMatchObject({
    body: { instances_found: 0, instances: [] },
  })
  const { id } = await rent(simulator)
  expect((await call(simulator, 'GET', `/api/v0/instances/${String(id)}/`, { key })).status).toBe(404)
})
