import { expect } from 'vitest'
import { call, search, show } from '../caller.ts'
import { containing } from '../expectations.ts'
import { ask, expectAnswer, expectRefusal, instancePath, tenantOf, withRented } from './asking.ts'
import type { Exempt, Row } from './row.ts'
import { greetingOf } from './ssh-greeting.ts'

const AREAS = [
  ['POST', '/api/v0/bundles/', {}],
  ['GET', '/api/v0/instances/'],
  ['GET', '/api/v0/template/'],
  ['GET', '/api/v0/users/cloud/'],
  ['GET', '/api/v0/users/current/'],
  ['GET', '/api/v0/tfa/status/'],
] as const

export const overviewRows: readonly Row[] = [
  {
    section: '',
    says: 'This document covers the whole HTTP API of the service',
    async check(simulator) {
      for (const [method, path, body] of AREAS) await expectAnswer(tenantOf(simulator), method, path, body)
    },
  },
  {
    section: '',
    says: 'The base address is `{base_url}`.',
    async check({ baseUrl, key }) {
      expect(new URL(baseUrl).pathname).toBe('/')
      await expectAnswer({ baseUrl, key }, 'GET', '/api/v0/users/current/')
      await expectRefusal(
        { baseUrl: `${baseUrl}/base`, key },
        ['GET', '/api/v0/users/current/'],
        [404, '/base/api'],
      )
    },
  },
  {
    section: '',
    says: 'Request and response bodies are JSON',
    async check(simulator) {
      const text = 'image=ubuntu&disk=10'
      const refusal = await call(simulator, 'PUT', '/api/v0/asks/1/', { text })
      expect(refusal).toMatchObject({ status: 400, body: { msg: containing('not valid JSON') } })
      const answer = await ask(simulator, 'GET', '/api/v0/users/current/')
      for (const { headers } of [refusal, answer]) {
        expect(headers.get('Content-Type')).toMatch(/^application\/json/)
      }
    },
  },
  {
    section: '',
    says: 'Paths end with a slash.',
    async check(simulator) {
      for (const [method, path, body] of AREAS) {
        await expectRefusal(simulator, [method, path.slice(0, -1), body], [404, 'end with a slash'])
      }
    },
  },
  {
    section: '1',
    says: 'The service rents GPU machines over an HTTP API.',
    async check(simulator) {
      const offers = await search(simulator, { limit: 50 })
      expect(offers).toHaveLength(50)
      for (const offer of offers) {
        expect(offer['gpu_name']).toMatch(/./)
        expect(offer['num_gpus']).toBeGreaterThanOrEqual(1)
      }
    },
  },
  {
    section: '1',
    says: 'polls the instance until it runs, connects to it over SSH, and then stops or destroys it',
    async check(simulator) {
      const tenant = tenantOf(simulator)
      await withRented(tenant, {}, async ({ id }) => {
        const seen = new Set<unknown>()
        for (let poll = 0; poll < 14; poll += 1) {
          seen.add((await show(tenant, id)).actual_status)
          await simulator.clock.advance(10)
        }
        expect([...seen]).toEqual([null, 'loading', 'running'])
        const { ssh_host: host, ssh_port: port } = await show(tenant, id)
        expect(await greetingOf(host, port)).toMatch(/^SSH-2\.0-/)
        await expectAnswer(tenant, 'PUT', instancePath(id), { state: 'stopped' })
        await expectAnswer(tenant, 'DELETE', instancePath(id))
        await expectRefusal(tenant, ['GET', instancePath(id)], [404, String(id)])
      })
    },
  },
  {
    section: '1',
    says: 'The service also manages the account',
    async check(simulator) {
      const tenant = tenantOf(simulator)
      for (const [method, path, body] of AREAS.slice(2)) await expectAnswer(tenant, method, path, body)
      const scoped = tenantOf(simulator, 'default', { categories: ['instance_read'] })
      await expectRefusal(scoped, ['GET', '/api/v0/users/current/'], [403, 'user_read'])
    },
  },
]

export const overviewExempt: readonly Exempt[] = [
  { section: '1', says: 'Endpoints of other areas', why: 'It names no path, method or shape.' },
]
