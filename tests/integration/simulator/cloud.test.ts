import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Simulator, startSimulator } from '../../simulator/simulator.ts'
import { call } from './caller.ts'
import { anyNumber, containing } from './expectations.ts'
import { newAccount } from './template-caller.ts'

let simulator: Simulator
beforeAll(async () => {
  simulator = await startSimulator({ offers: 1 })
})
afterAll(() => simulator.close())

const PATH = '/api/v0/users/cloud/'
const VALID: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  drive: { provider: 'drive', user_given_name: 'D', code: '4/abc' },
  s3: { provider: 's3', user_given_name: 'S', access_key: 'AKIA', secret_access_key: 'x' },
  b2: { provider: 'b2', user_given_name: 'B', application_key: 'K', key_id: '005' },
  filesync: { provider: 'filesync', code: 'abc', state: 'xyz' },
  hf: {
    provider: 'hf',
    user_given_name: 'H',
    access_key: 'HFAK1',
    secret_access_key: 'x',
    namespace: 'my-org_1.0~',
  },
}
const ALL_FIELDS = new Set(Object.values(VALID).flatMap((body) => Object.keys(body)))

it.each(Object.entries(VALID))('links %s, and lists it for its account only', async (provider, body) => {
  const me = newAccount(simulator)
  expect((await call(me, 'GET', PATH)).body).toEqual([])
  expect(await call(me, 'POST', PATH, { body })).toMatchObject({
    status: 200,
    body: { success: true, msg: containing('') },
  })
  const name = body['user_given_name'] ?? 'Files of Robin Default'
  expect((await call(me, 'GET', PATH)).body).toEqual([
    { id: anyNumber, cloud_type: provider, user_given_name: name },
  ])
  expect((await call(newAccount(simulator), 'GET', PATH)).body).toEqual([])
})

const missing = Object.entries(VALID).flatMap(([provider, body]) =>
  Object.keys(body).map((field) => [provider, field] as const),
)
it.each(missing)('refuses %s without %s, with an empty one and with a number', async (provider, field) => {
  for (const value of [undefined, '', 5]) {
    const body = { ...VALID[provider], [field]: value }
    expect(await call(simulator, 'POST', PATH, { body })).toMatchObject({
      status: 400,
      body: { error: 'bad_request', msg: containing(`body.${field}: `) },
    })
  }
})

const foreign = Object.entries(VALID).flatMap(([provider, body]) =>
  [...ALL_FIELDS].filter((field) => !(field in body)).map((field) => [provider, field] as const),
)
it.each(foreign)('refuses %s with %s, which is not its own', async (provider, field) => {
  const body = { ...VALID[provider], [field]: 'HFAK' }
  expect(await call(simulator, 'POST', PATH, { body })).toMatchObject({
    status: 400,
    body: { msg: containing(`Unrecognized key: "${field}"`) },
  })
})

it.each([
  ['hf', { access_key: 'AKIA' }, 'body.access_key: must begin with HFAK'],
  ['hf', { access_key: 'hfak1' }, 'body.access_key: must begin with HFAK'],
  ['hf', { namespace: 'a/b' }, 'body.namespace: '],
  ['hf', { namespace: 'a b' }, 'body.namespace: '],
  ['hf', { namespace: '..' }, 'body.namespace: '],
  ['hf', { namespace: 'a%2Fb' }, 'body.namespace: '],
  ['hf', { namespace: 'é' }, 'body.namespace: '],
  ['hf', { namespace: '' }, 'body.namespace: '],
  ['s3', { provider: 'gcs' }, 'body.provider: '],
])('refuses %s with %j', async (provider, fields, reason) => {
  const body = { ...VALID[provider], ...fields }
  expect(await call(simulator, 'POST', PATH, { body })).toMatchObject({
    status: 400,
    body: { error: 'bad_request', msg: containing(reason) },
  })
})

it('has no other method', async () => {
  expect((await call(simulator, 'DELETE', PATH)).status).toBe(405)
  expect((await call(simulator, 'PUT', PATH)).status).toBe(405)
})

it.each(['s3', 'b2', 'drive', 'filesync'])(
  'says no to %s without an error when the provider does',
  async (provider) => {
    const me = newAccount(simulator)
    const body = { ...VALID[provider] }
    for (const field of ['code', 'key_id', 'access_key']) if (field in body) body[field] = 'abc-refused'
    expect(await call(me, 'POST', PATH, { body })).toMatchObject({ status: 200, body: { success: false } })
    expect((await call(me, 'GET', PATH)).body).toEqual([])
  },
)
