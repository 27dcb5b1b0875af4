import { expect } from 'vitest'
import { CATEGORIES, type Category } from '../../../simulator/accounts.ts'
import { call } from '../caller.ts'
import { anyString, containing } from '../expectations.ts'
import { ask, askPath, expectAnswer, expectRefusal, instancePath, tenantOf, withRented } from './asking.ts'
import type { Exempt, Row } from './row.ts'

/** A request for each endpoint of 4.1 to 4.5, and the category that a scoped key needs for it. */
const REQUESTS: readonly (readonly [method: string, path: string, category: Category])[] = [
  ['GET', '/api/v0/users/cloud/', 'user_read'],
  ['POST', '/api/v0/users/cloud/', 'misc'],
  ['GET', '/api/v0/users/current/', 'user_read'],
  ['POST', '/api/v0/bundles/', 'misc'],
  ['PUT', '/api/v0/asks/1/', 'instance_write'],
  ['POST', '/api/v0/asks/1/', 'instance_write'],
  ['GET', '/api/v0/instances/', 'instance_read'],
  ['GET', '/api/v0/instances/1/', 'instance_read'],
  ['PUT', '/api/v0/instances/1/', 'instance_write'],
  ['DELETE', '/api/v0/instances/1/', 'instance_write'],
  ['GET', '/api/v0/template/', 'user_read'],
  ['POST', '/api/v0/template/', 'misc'],
  ['PUT', '/api/v0/template/', 'misc'],
  ['DELETE', '/api/v0/template/', 'misc'],
]
const ACCOUNT = '/api/v0/users/current/'
const LISTS = ['/api/v0/users/cloud/', '/api/v0/instances/', '/api/v0/template/']

const conventionRows: readonly Row[] = [
  {
    section: '4',
    says: 'Conventions: Authorization is `Authorization: Bearer <API_KEY>` unless stated.',
    async check({ baseUrl, key }) {
      const statusWith = async (Authorization: string): Promise<number> =>
        (await fetch(baseUrl + ACCOUNT, { headers: { Authorization } })).status
      for (const right of [`Bearer ${key}`, `bearer ${key}`]) expect(await statusWith(right)).toBe(200)
      for (const wrong of [key, `bearer: ${key}`, `Token ${key}`, `Bearer  ${key} x`, 'Bearer ', 'Basic a']) {
        expect([wrong, await statusWith(wrong)]).toEqual([wrong, 401])
      }
    },
  },
  {
    section: '4',
    says: 'Error bodies are `{error: string, msg: string}`.',
    async check(simulator) {
      const shape = { error: anyString, msg: anyString }
      for (const [method, path] of REQUESTS) {
        expect((await call(simulator, method, path, { key: 'wrong' })).body).toEqual(shape)
      }
      for (const [method, path, text] of [
        ['GET', '/nothing', undefined],
        ['PATCH', ACCOUNT, undefined],
        ['POST', '/api/v0/bundles/', '{'],
        ['GET', '/api/v0/instances/1/', undefined],
        ['PUT', '/api/v0/asks/1/', '{"image":"a"}'],
      ] as const) {
        const options = text === undefined ? {} : { text }
        expect((await call(simulator, method, path, options)).body).toEqual(shape)
      }
    },
  },
  {
    section: '4',
    says: 'A successful list call returns HTTP 200',
    async check(simulator) {
      for (const path of LISTS) expect((await ask(simulator, 'GET', path)).status).toBe(200)
    },
  },
]

const keyRows: readonly Row[] = [
  {
    section: '5',
    says: 'Every request carries `Authorization: Bearer <API_KEY>`.',
    async check({ baseUrl }) {
      for (const [method, path] of REQUESTS) {
        expect([method, path, (await fetch(baseUrl + path, { method })).status]).toEqual([method, path, 401])
      }
    },
  },
  {
    section: '5',
    says: 'The account endpoint can be used to check a key.',
    async check(simulator) {
      await expectAnswer(tenantOf(simulator), 'GET', ACCOUNT)
      await expectRefusal({ ...simulator, key: 'wrong' }, ['GET', ACCOUNT], [401, 'wrong'])
    },
  },
  {
    section: '5',
    says: 'Keys do not expire; they are revoked by deletion.',
    async check(simulator) {
      const tenant = tenantOf(simulator)
      await simulator.clock.advance(3 * 365 * 24 * 60 * 60)
      await expectAnswer(tenant, 'GET', ACCOUNT)
      await expectRefusal(tenantOf(simulator, 'revoked'), ['GET', ACCOUNT], [401, 'revoked'])
    },
  },
  {
    section: '5',
    says: 'A full-access key is the default.',
    async check(simulator) {
      const tenant = tenantOf(simulator)
      for (const [method, path] of REQUESTS) {
        expect([401, 403]).not.toContain((await ask(tenant, method, path)).status)
      }
    },
  },
  {
    section: '5',
    says: 'A scoped key restricts access to permission categories (2.9).',
    async check(simulator) {
      for (const category of CATEGORIES) {
        const tenant = tenantOf(simulator, 'default', { categories: [category] })
        for (const [method, path, needed] of REQUESTS) {
          const { status, body } = await ask(tenant, method, path)
          const request = `${method} ${path} with ${category}`
          if (needed === category) expect([200, 400, 404], request).toContain(status)
          else
            expect([status, body], request).toMatchObject([
              403,
              { error: 'forbidden', msg: containing(needed) },
            ])
        }
      }
    },
  },
  {
    section: '5',
    says: 'A 401 or 403 response means a wrong, revoked or under-scoped key.',
    async check(simulator) {
      const scoped = tenantOf(simulator, 'scoped-read')
      const revoked = tenantOf(simulator, 'revoked')
      for (const [method, path] of REQUESTS)
        for (const tenant of [{ ...scoped, key: 'wrong' }, revoked])
          expect([method, path, (await ask(tenant, method, path)).status]).toEqual([method, path, 401])
      expect((await ask(scoped, 'POST', '/api/v0/bundles/', {})).status).toBe(403)
    },
  },
  {
    section: '5',
    says: 'The `instance_api_key` returned by instance creation can only start, stop or destroy its own instance.',
    async check(simulator) {
      const tenant = tenantOf(simulator)
      await withRented(tenant, {}, async ({ id, instanceKey }) => {
        const own = { baseUrl: tenant.baseUrl, key: instanceKey }
        for (const [method, path] of REQUESTS) {
          const body = path.endsWith('/1/') && method === 'PUT' ? { state: 'stopped' } : undefined
          expect([method, path, (await ask(own, method, path, body)).status]).toEqual([method, path, 403])
        }
        expect((await ask(own, 'PUT', askPath(1), { image: 'a' })).status).toBe(403)
        await expectAnswer(own, 'PUT', instancePath(id), { state: 'stopped' })
        await expectAnswer(own, 'DELETE', instancePath(id))
      })
    },
  },
]

export const keysRows: readonly Row[] = [...conventionRows, ...keyRows]

export const keysExempt: readonly Exempt[] = [
  {
    section: '5',
    says: 'A key is created from the web console',
    why: 'It is about the console, not the API.',
  },
  { section: '5', says: 'Paths of the API-key creation', why: 'It says that nothing is said.' },
]
