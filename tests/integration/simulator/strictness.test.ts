import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Simulator, startSimulator } from '../../simulator/simulator.ts'
import { call, search } from './caller.ts'
import { containing } from './expectations.ts'

let simulator: Simulator
let offerPath: string

beforeAll(async () => {
  simulator = await startSimulator({ offers: 20 })
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
    ['an unknown field', { body: { image: 'a', label: 'x' } }, 'Unrecognized key: "label"'],
    ['no image', { body: { disk: 10 } }, 'body.image: required'],
    ['a disk that is no number', { body: { image: 'a', disk: '10' } }, 'body.disk: '],
    ['a disk of nothing', { body: { image: 'a', disk: 0 } }, 'body.disk: '],
    ['a disk that no machine has', { body: { image: 'a', disk: 1e9 } }, 'body.disk: '],
    [
      'a long start script',
      { body: { image: 'a', onstart: 'x'.repeat(4049) } },
      'body.onstart: longer than 4048',
    ],
    ['a numeric template id', { body: { template_hash_id: 12 } }, 'body.template_hash_id: '],
    ['a number in env', { body: { image: 'a', env: { A: 1 } } }, 'body.env.A: '],
    ['env as flags', { body: { image: 'a', env: '-e A=1' } }, 'body.env: '],
    ['a port range', { body: { image: 'a', env: { '-p 80-90:80-90': '1' } } }, 'body.env.-p 80-90:80-90: '],
    [
      'a port beyond the last',
      { body: { image: 'a', env: { '-p 80:65536': '1' } } },
      'expected "-p <host_port>',
    ],
    ['a port with another value', { body: { image: 'a', env: { '-p 80:80': 'yes' } } }, 'has the value "1"'],
    [
      'half a volume',
      { body: { image: 'a', volume_info: { create_new: true } } },
      'body.volume_info.volume_id: ',
    ],
    [
      'a new volume without a size',
      { body: { image: 'a', volume_info: { create_new: true, volume_id: 1, mount_path: '/data' } } },
      'body.volume_info.size: required when create_new is true',
    ],
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

  it('refuses a template that does not exist', async () => {
    expect(await call(simulator, 'PUT', offerPath, { body: { template_hash_id: 'abc' } })).toMatchObject({
      status: 404,
      body: { error: 'no_such_template' },
    })
  })

  it.each([
    ['PUT', '/api/v0/instances/1/', { body: { state: 'running' } }, 'body.state: '],
    ['PUT', '/api/v0/instances/1/', { body: { state: 'stopped', force: true } }, '"force"'],
    ['DELETE', '/api/v0/instances/1/', { body: { force: true } }, 'takes no body'],
    ['POST', '/api/v0/bundles/', { body: { color: { eq: 'red' } } }, 'body.color: there is no such field'],
    ['POST', '/api/v0/bundles/', { body: { num_gpus: 4 } }, 'body.num_gpus: '],
    ['POST', '/api/v0/bundles/', { body: { num_gpus: {} } }, 'body.num_gpus: expected an operator'],
    [
      'POST',
      '/api/v0/bundles/',
      { body: { num_gpus: { about: 4 } } },
      'body.num_gpus.about: unknown operator',
    ],
    ['POST', '/api/v0/bundles/', { body: { num_gpus: { eq: '4' } } }, 'body.num_gpus.eq: expected integer'],
    ['POST', '/api/v0/bundles/', { body: { num_gpus: { in: 4 } } }, 'body.num_gpus.in: expected an array'],
    ['POST', '/api/v0/bundles/', { body: { verified: { gt: false } } }, 'body.verified.gt: '],
    ['POST', '/api/v0/bundles/', { body: { type: 'bid' } }, 'body.type: '],
    ['POST', '/api/v0/bundles/', { body: { limit: 2.5 } }, 'body.limit: '],
    ['POST', '/api/v0/bundles/', { body: { order: [['score', 'down']] } }, 'body.order.0.1: '],
    ['POST', '/api/v0/bundles/', { body: { order: Array(40_000).fill(['score', 'asc']) } }, 'body.order: '],
    ['POST', '/api/v0/bundles/', { body: { order: [['colour', 'asc']] } }, 'body.order.0: there is no field'],
  ])('refuses %s %s with %j', async (method, path, request, reason) => {
    expect(await call(simulator, method, path, request)).toMatchObject({
      status: 400,
      body: { error: 'bad_request', msg: containing(reason) },
    })
  })

  it('accepts 4048 characters of start script, a volume, and ports', async () => {
    const body = {
      image: 'ubuntu',
      disk: 0.5,
      onstart: `#${'é'.repeat(4047)}`,
      env: { A: '', '-p 65535:65535': '1', '-p 53:53/udp': '1' },
      volume_info: { create_new: false, volume_id: 3, mount_path: '/data' },
    }
    expect(await call(simulator, 'PUT', offerPath, { body })).toMatchObject({
      status: 200,
      body: { success: true },
    })
  })
})
