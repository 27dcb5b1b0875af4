import { expect } from 'vitest'
import { z } from 'zod'
import { call, search, show } from '../caller.ts'
import { expectAnswer, expectRefusal, instancePath, tenantOf, withRented } from './asking.ts'
import type { Exempt, Row } from './row.ts'
import { greetingOf } from './ssh-greeting.ts'

const INSTANCES = '/api/v0/instances/'
const OFFERS = '/api/v0/bundles/'

const instanceRows: readonly Row[] = [
  {
    section: '2.3',
    says: '| actual_status | string or null |',
    async check(simulator) {
      const tenant = tenantOf(simulator)
      await withRented(tenant, {}, async ({ id }) => {
        expect((await show(tenant, id)).actual_status).toBeNull()
        await simulator.clock.advance(60)
        expect((await show(tenant, id)).actual_status).toBe('loading')
      })
    },
  },
  {
    section: '2.3',
    says: '| ssh_host | string |',
    async check(simulator) {
      const tenant = tenantOf(simulator)
      await withRented(tenant, {}, async ({ id }) => {
        expect((await show(tenant, id)).ssh_host).toBe('127.0.0.1')
      })
    },
  },
  {
    section: '2.3',
    says: '| ssh_port | integer |',
    async check(simulator) {
      const tenant = tenantOf(simulator)
      await withRented(tenant, {}, async ({ id }) => {
        await simulator.clock.advance(120)
        const { ssh_host: host, ssh_port: port } = await show(tenant, id)
        expect(Number.isInteger(port)).toBe(true)
        expect(await greetingOf(host, port)).toContain('SSH')
      })
    },
  },
  {
    section: '2.3',
    says: 'The list endpoint wraps instances as `instances_found` (integer) and `instances` (array).',
    async check(simulator) {
      const tenant = tenantOf(simulator, 'default', { instances: 3 })
      const reply = z.strictObject({ instances_found: z.int(), instances: z.array(z.unknown()) })
      const { instances_found: found, instances } = reply.parse(await expectAnswer(tenant, 'GET', INSTANCES))
      expect([found, instances.length]).toEqual([3, 3])
    },
  },
  {
    section: '2.3',
    says: 'The single-instance endpoint returns `instances` as one object.',
    async check(simulator) {
      const tenant = tenantOf(simulator)
      await withRented(tenant, {}, async ({ id }) => {
        const body = await expectAnswer(tenant, 'GET', instancePath(id))
        expect(z.strictObject({ instances: z.looseObject({ id: z.int() }) }).parse(body).instances.id).toBe(
          id,
        )
      })
    },
  },
]

const offerRows: readonly Row[] = [
  {
    section: '2.4',
    says: 'Returned in an `offers` array by the search endpoint.',
    async check(simulator) {
      const body = await expectAnswer(simulator, 'POST', OFFERS, {})
      expect(z.strictObject({ offers: z.array(z.looseObject({})) }).parse(body).offers).toHaveLength(200)
    },
  },
  {
    section: '2.4',
    says: 'Field `id` (integer) identifies the offer and is used in the create-instance path.',
    async check(simulator) {
      const offers = await search(simulator)
      expect(offers.every(({ id }) => Number.isInteger(id))).toBe(true)
      expect(new Set(offers.map(({ id }) => id)).size).toBe(offers.length)
      const tenant = tenantOf(simulator)
      await withRented(tenant, {}, async ({ id, offerId }) => {
        const [offer] = await search(tenant, { id: { eq: offerId } })
        expect(offer).toMatchObject({ rentable: false })
        expect((await show(tenant, id))['machine_id']).toBe(offer?.['machine_id'])
      })
    },
  },
  ...[
    'verified',
    'rentable',
    'gpu_name',
    'num_gpus',
    'direct_port_count',
    'dlperf_per_dphtotal',
    'cuda_max_good',
  ].map((field): Row => ({
    section: '2.4',
    says: 'Fields usable as search filters',
    seen: field,
    async check(simulator) {
      const all = await search(simulator)
      const value = all.find((offer) => offer['id'] !== undefined && offer[field] !== null)?.[field]
      const found = await search(simulator, { [field]: { eq: value } })
      expect(found.map(({ id }) => id)).toEqual(
        all.filter((offer) => offer[field] === value).map(({ id }) => id),
      )
      await expectRefusal(simulator, ['POST', OFFERS, { [field]: value }], [400, `body.${field}`])
    },
  })),
  {
    section: '2.4',
    says: '`dlperf_per_dphtotal` (sort key)',
    seen: 'it sorts',
    async check(simulator) {
      const found = await search(simulator, { order: [['dlperf_per_dphtotal', 'desc']], limit: 100 })
      const values = found.map((offer) => Number(offer['dlperf_per_dphtotal']))
      expect(values).toEqual([...values].sort((a, b) => b - a))
      expect(new Set(values).size).toBeGreaterThan(50)
    },
  },
]

const volumeRow = (says: string, field: string, bad: readonly unknown[]): Row => ({
  section: '2.8',
  says,
  async check(simulator) {
    const tenant = tenantOf(simulator)
    const volume = { create_new: true, volume_id: 3, size: 20.5, mount_path: '/data' }
    for (const value of [undefined, ...bad]) {
      const body = { image: 'ubuntu', volume_info: { ...volume, [field]: value } }
      await expectRefusal(tenant, ['PUT', '/api/v0/asks/1/', body], [400, `body.volume_info.${field}: `])
    }
    await withRented(tenant, { volume_info: volume }, async ({ id }) => {
      expect((await show(tenant, id))['volume_info']).toEqual([volume])
    })
  },
})

const volumeRows: readonly Row[] = [
  volumeRow('| create_new | boolean |', 'create_new', ['true', 1]),
  volumeRow('| volume_id | integer |', 'volume_id', ['3', 1.5, null]),
  volumeRow('| size | number | GB;', 'size', ['20', null, 0]),
  {
    section: '2.8',
    says: 'used only when create_new is true',
    seen: 'linking an existing volume needs no size',
    async check(simulator) {
      const tenant = tenantOf(simulator)
      const link = { create_new: false, volume_id: 3, mount_path: '/data' }
      await withRented(tenant, { volume_info: link }, async ({ id }) => {
        expect((await show(tenant, id))['volume_info']).toEqual([link])
      })
    },
  },
  volumeRow('| mount_path | string |', 'mount_path', [5, '', null]),
]

const scopeRows: readonly Row[] = [
  {
    section: '2.9',
    says: 'Categories shown: `misc`, `user_read`, `instance_read`, `instance_write`.',
    async check(simulator) {
      const requests = {
        misc: ['POST', OFFERS, {}],
        user_read: ['GET', '/api/v0/users/current/'],
        instance_read: ['GET', INSTANCES],
        instance_write: ['PUT', '/api/v0/asks/1/', { image: 'ubuntu' }],
      } as const
      for (const category of ['misc', 'user_read', 'instance_read', 'instance_write'] as const) {
        const tenant = tenantOf(simulator, 'default', { categories: [category] })
        for (const [needed, [method, path, body]] of Object.entries(requests)) {
          const { status } = await call(tenant, method, path, { body })
          // There is no offer 1, which shows that the key was good for asking.
          expect([needed, status]).toEqual([needed, needed !== category ? 403 : method === 'PUT' ? 404 : 200])
        }
      }
    },
  },
]

export const recordRows: readonly Row[] = [...instanceRows, ...offerRows, ...volumeRows, ...scopeRows]

export const recordExempt: readonly Exempt[] = [
  { section: '2.3', says: 'Fields named in responses:', why: 'It names the table that follows.' },
  { section: '2.3', says: 'Complete instance record: not shown', why: 'It says that nothing is said.' },
  { section: '2.4', says: 'Complete offer record: not shown.', why: 'It says that nothing is said.' },
  {
    section: '2.9',
    says: 'A scoped key is described by an object with one key `api`',
    why: 'Only the making of keys would take it, and that endpoint is not shown; see the row of the categories.',
  },
  { section: '2.9', says: 'The full category list', why: 'It says that nothing is said.' },
]
