import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type Simulator, startSimulator } from '../../simulator/simulator.ts'
import { call, search } from './caller.ts'
import { anyNumber, anyString } from './expectations.ts'

const USER = '/api/v0/users/current/'
let simulator: Simulator

beforeAll(async () => {
  simulator = await startSimulator({ offers: 20 })
})
beforeEach(() => simulator.faults.clear())
afterAll(() => simulator.close())

const user = (): Promise<Response> =>
  fetch(simulator.baseUrl + USER, { headers: { Authorization: `Bearer ${simulator.key}` } })

/** Rents whatever is free, in one request. */
async function rentOnce(): Promise<Response> {
  const [offer] = await search(simulator, { rentable: { eq: true }, limit: 1 })
  return await fetch(`${simulator.baseUrl}/api/v0/asks/${String(offer?.id)}/`, {
    method: 'PUT',
    headers: { Authorization: `Bearer ${simulator.key}` },
    body: '{"image":"ubuntu"}',
  })
}

async function countInstances(): Promise<number> {
  const { body } = await call(simulator, 'GET', '/api/v0/instances/')
  return z.object({ instances_found: z.number() }).parse(body).instances_found
}

describe('each kind of fault', () => {
  it('delay: the true reply, later', async () => {
    simulator.faults.add({ kind: 'delay', ms: 300 })
    const startMs = performance.now()
    expect((await user()).status).toBe(200)
    expect(performance.now() - startMs).toBeGreaterThan(290)
  })

  it('reset-before: no reply and no work', async () => {
    const before = await countInstances()
    simulator.faults.add({ kind: 'reset-before', method: 'PUT' })
    await expect(rentOnce()).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } })
    expect(await countInstances()).toBe(before)
  })

  it('reset-after: no reply, but the machine is rented', async () => {
    simulator.faults.add({ kind: 'reset-after', method: 'PUT', path: '/api/v0/asks/*' })
    const before = await countInstances()
    await expect(rentOnce()).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } })
    expect(await countInstances()).toBe(before + 1)
    expect(simulator.journal().findLast(({ method }) => method === 'PUT')).toMatchObject({
      status: null,
      fault: 'reset-after',
    })
  })

  it.each([
    ['api', { error: 'rate_limited', msg: 'API requests too frequent' }],
    ['detail', { detail: 'API requests too frequent' }],
    ['text', 'API requests too frequent'],
  ] as const)('429 in the shape %s', async (shape, expected) => {
    simulator.faults.add({ kind: '429', shape, retry_after: 3 }, { kind: '429', shape })
    const first = await user()
    expect([first.status, first.headers.get('Retry-After')]).toEqual([429, '3'])
    const text = await first.text()
    expect(shape === 'text' ? text : JSON.parse(text)).toEqual(expected)
    expect((await user()).headers.has('Retry-After')).toBe(false)
  })

  it('500 and 503 in the shape of the API, 502 as HTML', async () => {
    simulator.faults.add({ kind: '500' }, { kind: '503' }, { kind: '502-html' })
    const replies = [await user(), await user(), await user()]
    expect(replies.map(({ status }) => status)).toEqual([500, 503, 502])
    expect(await replies[0]?.json()).toMatchObject({ error: 'internal_error' })
    expect(await replies[1]?.json()).toMatchObject({ error: 'service_unavailable' })
    expect(replies[2]?.headers.get('Content-Type')).toBe('text/html')
    expect(await replies[2]?.text()).toContain('<html>')
  })

  it('refused: with the code and the status that are given', async () => {
    simulator.faults.add({ kind: 'refused', error: 'preauth_phone_cap', status: 429 })
    const reply = await user()
    expect(reply.status).toBe(429)
    expect(await reply.json()).toEqual({ error: 'preauth_phone_cap', msg: anyString })
  })

  it('a refusal after the work: 502, but the machine is rented', async () => {
    const [offer] = await search(simulator, { rentable: { eq: true }, limit: 1 })
    simulator.faults.add({ kind: '502-html', method: 'PUT', after_work: true })
    expect((await rentOnce()).status).toBe(502)
    expect(await search(simulator, { id: { eq: offer?.id } })).toMatchObject([{ rented: true }])
  })

  it('malformed-json', async () => {
    simulator.faults.add({ kind: 'malformed-json' })
    const reply = await user()
    expect(reply.status).toBe(200)
    await expect(reply.json()).rejects.toThrow(SyntaxError)
  })

  it('wrong-types, of all fields or of some', async () => {
    simulator.faults.add({ kind: 'wrong-types' }, { kind: 'wrong-types', fields: ['credit'] })
    expect(await (await user()).json()).toMatchObject({
      id: anyString,
      email: anyNumber,
      is_admin: { was: false },
    })
    expect(await (await user()).json()).toMatchObject({
      id: anyNumber,
      credit: anyString,
    })
  })

  it('missing-fields: the true reply without these fields, wherever they are', async () => {
    simulator.faults.add({ kind: 'missing-fields', fields: ['credit', 'creator_id'], times: 2 })
    const account: unknown = await (await user()).json()
    expect(account).toMatchObject({ id: anyNumber, email: anyString })
    expect(account).not.toHaveProperty('credit')
    const { body } = await call(simulator, 'GET', '/api/v0/template/')
    expect(body).toHaveProperty('templates.0.id', anyNumber)
    expect(JSON.stringify(body)).not.toContain('creator_id')
  })

  it('truncated: the connection ends in the middle of the body', async () => {
    simulator.faults.add({ kind: 'truncated' })
    const reply = await user()
    expect(reply.status).toBe(200)
    await expect(reply.text()).rejects.toThrow()
  })

  it('endless: the work is done, and its reply never ends', async () => {
    simulator.faults.add({ kind: 'endless' })
    const { body } = await user()
    let length = 0
    for await (const piece of body ?? []) {
      length += piece.length
      if (length > 100_000_000) break
    }
    expect(length).toBeGreaterThan(100_000_000)
  })

  it('deep: the true reply with a field of many levels', async () => {
    simulator.faults.add({ kind: 'deep' })
    let value: unknown = ((await (await user()).json()) as Record<string, unknown>)['deep']
    let levels = 0
    for (; Array.isArray(value); value = value[0]) levels += 1
    expect(levels).toBe(100_000)
  })

  it('slow-drip: the true reply in pieces', async () => {
    simulator.faults.add({ kind: 'slow-drip', ms: 50, pieces: 5 })
    const startMs = performance.now()
    expect(await (await user()).json()).toMatchObject({ tfa_status: 'disabled' })
    expect(performance.now() - startMs).toBeGreaterThan(190)
  })
})

describe('which requests a fault hits', () => {
  it('only those of its method and path, and only so many', async () => {
    simulator.faults.add({ kind: '503', method: 'GET', path: '/api/v0/users/*', times: 2 })
    expect((await call(simulator, 'GET', '/api/v0/instances/')).status).toBe(200)
    expect([(await user()).status, (await user()).status, (await user()).status]).toEqual([503, 503, 200])
  })

  it('takes one fault for a request, in the order of their coming', async () => {
    simulator.faults.add({ kind: '500' }, { kind: '503' })
    expect([(await user()).status, (await user()).status]).toEqual([500, 503])
  })

  it('spares HEAD, which is refused anyway', async () => {
    simulator.faults.add({ kind: 'reset-before' })
    expect((await call(simulator, 'HEAD', USER)).status).toBe(405)
    await expect(user()).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } })
  })

  it('spares the control endpoints', async () => {
    simulator.faults.add({ kind: '500', times: 9 })
    expect((await fetch(`${simulator.baseUrl}/_simulator/journal`)).status).toBe(200)
  })
})
