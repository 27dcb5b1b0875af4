import { expect } from 'vitest'
import { show } from '../caller.ts'
import { createTemplate, editTemplate, findTemplates } from '../template-caller.ts'
import { ask, askPath, expectAnswer, expectRefusal, tenantOf, withRented } from './asking.ts'
import type { Exempt, Row } from './row.ts'

export const limitRows: readonly Row[] = [
  {
    section: '8',
    says: '| onstart script length | 4048 characters | instance creation |',
    async check(simulator) {
      const tenant = tenantOf(simulator)
      await withRented(tenant, { onstart: 'x'.repeat(4048) }, async ({ id }) => {
        expect((await show(tenant, id))['onstart']).toHaveLength(4048)
      })
      const long = { image: 'ubuntu', onstart: 'x'.repeat(4049) }
      await expectRefusal(tenant, ['PUT', askPath(1), long], [400, 'longer than 4048'])
      // It is creation that it limits: a template may hold more, and nothing can be made from it as it is.
      const { hash_id: hash } = await createTemplate(tenant, { onstart: long.onstart })
      await expectRefusal(tenant, ['PUT', askPath(1), { template_hash_id: hash }], [400, 'longer than 4048'])
    },
  },
  {
    section: '8',
    says: '| default recommended disk | 8 GB | templates |',
    async check(simulator) {
      const tenant = tenantOf(simulator)
      const { hash_id: hash, recommended_disk_space: disk } = await createTemplate(tenant)
      expect(disk).toBe(8)
      const order = { image: undefined, disk: undefined, template_hash_id: hash }
      await withRented(tenant, order, async ({ id }) => {
        expect((await show(tenant, id))['disk_space']).toBe(8)
      })
    },
  },
  {
    section: '9',
    says: 'All paths carry the prefix `/api/v0/`.',
    async check(simulator) {
      for (const path of ['users/current/', 'users/cloud/', 'instances/', 'template/', 'tfa/status/']) {
        await expectAnswer(simulator, 'GET', `/api/v0/${path}`)
        for (const prefix of ['/', '/api/', '/api/v1/', '/v0/']) {
          await expectRefusal(simulator, ['GET', prefix + path], [404, prefix + path])
        }
      }
    },
  },
  {
    section: '9',
    says: 'Deprecated 2FA paths (4.7) stay active for backwards compatibility',
    async check(simulator) {
      for (const path of ['test', 'test-submit', 'resend']) {
        const { status } = await ask(tenantOf(simulator), 'POST', `/api/v0/tfa/${path}/`, {})
        expect([path, [404, 405].includes(status)]).toEqual([path, false])
      }
    },
  },
  {
    section: '9',
    says: "A template's `hash_id` changes with its content.",
    async check(simulator) {
      const tenant = tenantOf(simulator)
      const { id, hash_id: first } = await createTemplate(tenant)
      const seen = new Set([first])
      let hash = first
      for (const change of [
        { desc: 'a' },
        { extra_filters: { id: { gt: 1 } } },
        { docker_login_pass: 'a' },
      ]) {
        hash = (await editTemplate(tenant, { hash_id: hash, ...change })).hash_id
        seen.add(hash)
      }
      expect(seen.size).toBe(4)
      expect(await findTemplates(tenant, { id: { eq: id } })).toMatchObject([{ hash_id: hash }])
    },
  },
]

export const limitExempt: readonly Exempt[] = [
  { section: '6', says: 'Events: not shown.', why: 'It says that nothing is said.' },
  {
    section: '6',
    says: 'no event or webhook format is given',
    why: 'A callback would be whatever the script sends.',
  },
  {
    section: '8',
    says: '| client polling interval | 10 seconds (advised) |',
    why: 'It is advice to clients.',
  },
  {
    section: '8',
    says: '| typical boot time | 1 to 5 minutes |',
    why: 'Typical of the service; a simulator boots in the time that it is started with.',
  },
  { section: '8', says: 'General API rate limits: not shown.', why: 'It says that nothing is said.' },
  { section: '9', says: 'The interface description carries version 1.0.0.', why: 'No reply carries it.' },
  { section: '9', says: 'Policy for future versions', why: 'It says that nothing is said.' },
]
