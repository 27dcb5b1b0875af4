import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type Simulator, startSimulator } from '../../simulator/simulator.ts'
import { call, search } from './caller.ts'
import { containing } from './expectations.ts'

/** No other list here has as many. */
const OFFERS = 23

let simulator: Simulator
let offerPath: string

beforeAll(async () => {
  simulator = await startSimulator({ offers: OFFERS })
  offerPath = `/api/v0/asks/${String((await search(simulator, { limit: 1 }))[0]?.id)}/`
})
afterAll(() => simulator.close())

describe('paths and methods', () => {
  it.each([
    ['GET', '/api/v0/users/current', 404, 'not_found', 'end with a slash'],
    ['GET', '/api/v0/nothing/', 404, 'not_found', '/api/v0/nothing/'],
    ['GET', '/api/v0//instances/', 404, 'not_found', '/api/v0//instances/'],
    ['PUT', '/api/v0/users/current/', 405, 'method_not_allowed', 'GET'],
    ['PATCH', '/api/v0/instances/1/', 405, 'method_not_allowed', 'GET, PUT, DELETE'],
    ['GET', '/api/v0/asks/1/', 405, 'method_not_allowed', 'PUT, POST'],
    ['PATCH', '/api/v0/template/', 405, 'method_not_allowed', 'GET, POST, PUT, DELETE'],
    ['GET', '/api/v0/template', 404, 'not_found', 'end with a slash'],
    ['GET', '/api/v0/users/cloud', 404, 'not_found', 'end with a slash'],
    ['GET', '/api/v0/instances/one/', 400, 'bad_request', 'path.instance_id'],
    ['GET', '/api/v0/instances/?owner=me', 400, 'bad_request', 'query: Unrecognized key: "owner"'],
  ])('refuses %s %s', async (method, path, status, error, reason) => {
    const answer = await call(simulator, method, path)
    expect(answer).toMatchObject({ status, body: { error, msg: containing(reason) } })
  })

  it('refuses HEAD, which the API does not name', async () => {
    expect((await call(simulator, 'HEAD', '/api/v0/users/current/')).status).toBe(405)
  })

  it.each(['HEAD', 'PATCH'])('tells who sends %s which methods there are', async (method) => {
    const { headers } = await call(simulator, method, '/api/v0/instances/1/')
    expect(headers.get('Allow')).toBe('GET, PUT, DELETE')
  })

  it('cuts what it says of what was sent', async () => {
    const { body } = await call(simulator, 'POST', '/api/v0/bundles/', { body: { ['x'.repeat(9000)]: {} } })
    expect(JSON.stringify(body).length).toBeLessThan(600)
  })
})

describe('bodies', () => {
  it.each([
    ['a body that is no JSON', { text: 'image=ubuntu' }, 'not valid JSON'],
    ['no body', {}, 'body.image: required'],
    ['an array', { body: [] }, 'body: '],
    ['no image', { body: { disk: 10 } }, 'body.image: required'],
    ['a disk that no machine has', { body: { image: 'a', disk: 1e9 } }, 'body.disk: '],
    ['a port range', { body: { image: 'a', env: { '-p 80-90:80-90': '1' } } }, 'body.env.-p 80-90:80-90: '],
    [
      'a port beyond the last',
      { body: { image: 'a', env: { '-p 80:65536': '1' } } },
      'expected "-p <host_port>',
    ],
    ['a port with another value', { body: { image: 'a', env: { '-p 80:80': 'yes' } } }, 'has the value "1"'],
  ])('refuses %s in a create request', async (_what, request, reason) => {
    expect(await call(simulator, 'PUT', offerPath, request)).toMatchObject({
      status: 400,
      body: { error: 'bad_request', msg: containing(reason) },
    })
  })

  it.each([
    ['POST', '/api/v0/bundles/', 200],
    ['POST', '/api/v0/tfa/totp-setup/', 200],
    ['DELETE', '/api/v0/instances/1/', 404],
  ])('takes no body and an empty object alike: %s %s', async (method, path, status) => {
    expect((await call(simulator, method, path)).status).toBe(status)
    expect((await call(simulator, method, path, { body: {} })).status).toBe(status)
  })

  it.each([
    ['POST', '/api/v0/bundles/', { body: { color: { eq: 'red' } } }, 'body.color: there is no such field'],
    ['POST', '/api/v0/bundles/', { body: { num_gpus: { in: 4 } } }, 'body.num_gpus.in: expected an array'],
    ['POST', '/api/v0/bundles/', { body: { verified: { gt: false } } }, 'body.verified.gt: '],
  ])('refuses %s %s with %j', async (method, path, request, reason) => {
    expect(await call(simulator, method, path, request)).toMatchObject({
      status: 400,
      body: { error: 'bad_request', msg: containing(reason) },
    })
  })

  it('refuses an order by very many fields before it sorts by any', async () => {
    const sort = vi.spyOn(Array.prototype, 'sort')
    onTestFinished(() => sort.mockRestore())
    const timesSorted = (): number =>
      sort.mock.contexts.filter((sorted) => Array.isArray(sorted) && sorted.length === OFFERS).length
    const search = (pairs: number): ReturnType<typeof call> =>
      call(simulator, 'POST', '/api/v0/bundles/', { body: { order: Array(pairs).fill(['score', 'asc']) } })
    expect(await search(40_000)).toMatchObject({
      status: 400,
      body: { error: 'bad_request', msg: containing('body.order: ') },
    })
    expect(timesSorted()).toBe(0)
    expect((await search(2)).status).toBe(200)
    expect(timesSorted()).toBe(2)
  })
})
