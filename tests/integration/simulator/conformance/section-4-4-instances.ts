import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { z } from 'zod'
import { call, show } from '../caller.ts'
import { anyNumber, anyString, containing } from '../expectations.ts'
import {
  ask,
  askPath,
  expectAnswer,
  expectRefusal,
  freeOffer,
  instancePath,
  tenantOf,
  withRented,
} from './asking.ts'
import type { Exempt, Row } from './row.ts'

const LIST = '/api/v0/instances/'

/** Methods on paths. */
const endpointRows: readonly Row[] = [
  ...(['PUT', 'POST'] as const).map((method): Row => ({
    section: '4.4',
    says: method === 'PUT' ? '| PUT | `/api/v0/asks/{offer_id}/` |' : 'One description names POST',
    async check(simulator) {
      const tenant = tenantOf(simulator)
      const path = askPath(await freeOffer(tenant))
      const body = await expectAnswer(tenant, method, path, { image: 'ubuntu' })
      expect(body).toEqual({ success: true, new_contract: anyNumber, instance_api_key: anyString })
      await expectRefusal(tenant, [method, path, { image: 'ubuntu' }], [400, 'no longer available'])
      await expectRefusal(tenant, [method, '/api/v0/asks/1/', { image: 'ubuntu' }], [404, 'offer 1'])
      await expectRefusal(tenant, [method, '/api/v0/asks/one/', { image: 'ubuntu' }], [400, 'path.offer_id'])
      const { new_contract: id } = z.object({ new_contract: z.int() }).parse(body)
      await expectAnswer(tenant, 'DELETE', instancePath(id))
    },
  })),
  {
    section: '4.4',
    says: '| GET | `/api/v0/instances/` | none | `{instances_found: integer, instances: array}` |',
    async check(simulator) {
      const tenant = tenantOf(simulator)
      expect(await expectAnswer(tenant, 'GET', LIST)).toEqual({ instances_found: 0, instances: [] })
      await withRented(tenant, {}, async ({ id }) => {
        expect(await expectAnswer(tenant, 'GET', LIST)).toMatchObject({
          instances_found: 1,
          instances: [{ id }],
        })
      })
    },
  },
  {
    section: '4.4',
    says: '| GET | `/api/v0/instances/{instance_id}/` | none |',
    async check(simulator) {
      const tenant = tenantOf(simulator)
      await withRented(tenant, {}, async ({ id }) => {
        expect(await expectAnswer(tenant, 'GET', instancePath(id))).toMatchObject({
          instances: { actual_status: null, ssh_host: anyString, ssh_port: anyNumber },
        })
        // Somebody else's instance is as if there were none.
        await expectRefusal(tenantOf(simulator), ['GET', instancePath(id)], [404, String(id)])
      })
      await expectRefusal(tenant, ['GET', instancePath(1)], [404, 'instance 1'])
    },
  },
  {
    section: '4.4',
    says: '| PUT | `/api/v0/instances/{instance_id}/` | `{state: string}` with value `stopped` |',
    async check(simulator) {
      const tenant = tenantOf(simulator)
      await withRented(tenant, {}, async ({ id }) => {
        for (const body of [
          undefined,
          {},
          { state: 'running' },
          { state: 1 },
          { state: 'stopped', now: true },
        ]) {
          await expectRefusal(tenant, ['PUT', instancePath(id), body], [400, 'body'])
        }
        const answer = await expectAnswer(tenant, 'PUT', instancePath(id), { state: 'stopped' })
        expect(answer).toEqual({ success: true })
        await simulator.clock.advance(120)
        expect((await show(tenant, id)).actual_status).not.toBe('running')
      })
    },
  },
  {
    section: '4.4',
    says: '| DELETE | `/api/v0/instances/{instance_id}/` | none | `{success: true}` |',
    async check(simulator) {
      const tenant = tenantOf(simulator)
      await withRented(tenant, {}, async ({ id }) => {
        await expectRefusal(tenant, ['DELETE', instancePath(id), { force: true }], [400, 'no body'])
        expect(await expectAnswer(tenant, 'DELETE', instancePath(id))).toEqual({ success: true })
        await expectRefusal(tenant, ['DELETE', instancePath(id)], [404, String(id)])
      })
    },
  },
]

/** A field of the create body: a good value is seen in the record, bad ones are refused. */
const fieldRow = (
  says: string,
  good: readonly (readonly [value: unknown, seen: object])[],
  bad: readonly unknown[],
): Row => {
  const field = says.split(' ')[1] ?? ''
  return {
    section: '4.4',
    says,
    async check(simulator) {
      const tenant = tenantOf(simulator)
      for (const [value, seen] of good) {
        await withRented(tenant, { [field]: value }, async ({ id }) => {
          expect(await show(tenant, id)).toMatchObject(seen)
        })
      }
      for (const value of bad) {
        const body = { image: 'ubuntu', [field]: value }
        await expectRefusal(tenant, ['PUT', '/api/v0/asks/1/', body], [400, `body.${field}`])
      }
    },
  }
}

const volume = { create_new: false, volume_id: 3, mount_path: '/data' }

const bodyRows: readonly Row[] = [
  fieldRow('| image | string |', [['a/b:c', { image_uuid: 'a/b:c' }]], [undefined, '', 5, null]),
  fieldRow('| disk | number |', [[12.5, { disk_space: 12.5 }]], ['12', 0, -1, null]),
  fieldRow(
    '| onstart | string | startup script, at most 4048 characters',
    [[`#${'é'.repeat(4047)}`, { onstart: `#${'é'.repeat(4047)}` }]],
    [`#${'é'.repeat(4048)}`, 5, null, ['true']],
  ),
  fieldRow('| template_hash_id | string |', [], [5, null, '']),
  fieldRow(
    '| env | object | map of string to string.',
    [
      [
        { A: 'b', '-p 80:65535': '1', '-p 53:53/udp': '1' },
        {
          extra_env: [
            ['A', 'b'],
            ['-p 80:65535', '1'],
            ['-p 53:53/udp', '1'],
          ],
        },
      ],
    ],
    ['-e A=b', ['A=b'], { A: 1 }, { '-p 80': '1' }, { '-p 80:80': '' }, { '-v /a:/b': '1' }, null],
  ),
  fieldRow('| volume_info | object |', [[volume, { volume_info: [volume] }]], ['3', [volume], {}, null]),
  {
    section: '4.4',
    says: 'Other create-body fields: not shown.',
    seen: 'they are refused',
    async check(simulator) {
      for (const field of ['label', 'runtype', 'price', 'template_id', 'tag', 'ssh_key']) {
        const body = { image: 'ubuntu', [field]: 'a' }
        await expectRefusal(simulator, ['PUT', '/api/v0/asks/1/', body], [400, `"${field}"`])
      }
    },
  },
]

const keyRows: readonly Row[] = [
  {
    section: '4.4',
    says: 'The `new_contract` value is the instance id (not a field named `id`).',
    async check(simulator) {
      const tenant = tenantOf(simulator)
      const path = askPath(await freeOffer(tenant))
      const body = await expectAnswer(tenant, 'PUT', path, { image: 'ubuntu' })
      expect(body).not.toHaveProperty('id')
      const { new_contract: id } = z.object({ new_contract: z.int() }).parse(body)
      expect(await expectAnswer(tenant, 'GET', instancePath(id))).toMatchObject({ instances: { id } })
      await expectAnswer(tenant, 'DELETE', instancePath(id))
    },
  },
  {
    section: '4.4',
    says: 'injected into the container as environment variable `CONTAINER_API_KEY`',
    async check(simulator) {
      const tenant = tenantOf(simulator)
      const order = { onstart: 'printf %s "$CONTAINER_API_KEY" > key', env: { CONTAINER_API_KEY: 'mine' } }
      await withRented(tenant, order, async ({ id, instanceKey }) => {
        await simulator.clock.advance(120)
        const home = simulator.instances.homeOf(id) ?? ''
        expect(await readFile(join(home, 'key'), 'utf8')).toBe(instanceKey)
      })
    },
  },
  {
    section: '4.4',
    says: 'it can only start, stop or destroy that instance',
    async check(simulator) {
      const tenant = tenantOf(simulator)
      await withRented(tenant, {}, async (mine) => {
        await withRented(tenant, {}, async (other) => {
          const own = { baseUrl: tenant.baseUrl, key: mine.instanceKey }
          await expectRefusal(own, ['GET', instancePath(mine.id)], [403, 'only start, stop or destroy'])
          await expectRefusal(own, ['DELETE', instancePath(other.id)], [403, 'another instance'])
          expect((await ask(own, 'PUT', askPath(1), { image: 'a' })).status).toBe(403)
          await expectAnswer(own, 'PUT', instancePath(mine.id), { state: 'stopped' })
          await expectAnswer(own, 'DELETE', instancePath(mine.id))
          expect((await call(own, 'DELETE', instancePath(mine.id))).body).toMatchObject({
            msg: containing('revoked'),
          })
        })
      })
    },
  },
]

export const instanceRows: readonly Row[] = [...endpointRows, ...bodyRows, ...keyRows]

export const instanceExempt: readonly Exempt[] = [
  { section: '4.4', says: 'Create body:', why: 'It names the table that follows.' },
  {
    section: '4.4',
    says: 'Recommended client polling interval',
    why: 'It is advice to clients; none is refused.',
  },
]
