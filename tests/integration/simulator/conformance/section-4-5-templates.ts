import { expect } from 'vitest'
import { CATEGORIES } from '../../../simulator/accounts.ts'
import { anyNumber, anyString, containing } from '../expectations.ts'
import {
  createTemplate,
  editTemplate,
  findTemplates,
  REQUIRED,
  searchTemplates,
  TEMPLATES,
} from '../template-caller.ts'
import { ask, expectAnswer, expectRefusal, tenantOf } from './asking.ts'
import type { Row } from './row.ts'

export const templateRows: readonly Row[] = [
  {
    section: '4.5',
    says: '| GET | `/api/v0/template/` | query parameter `select_filters`',
    async check(simulator) {
      const tenant = tenantOf(simulator)
      const { id } = await createTemplate(tenant)
      const answer = await searchTemplates(tenant, { id: { eq: id }, name: { in: ['Mine'] } })
      expect(answer).toMatchObject({ status: 200, body: { templates: [{ id, name: 'Mine' }] } })
      for (const text of ['name', '[]', '"a"', '{"name":"Mine"}', '{"name":{}}']) {
        const path = `${TEMPLATES}?select_filters=${encodeURIComponent(text)}`
        await expectRefusal(tenant, ['GET', path], [400, 'query.select_filters'])
      }
    },
  },
  {
    section: '4.5',
    says: '| POST | `/api/v0/template/` | template fields (2.2) |',
    async check(simulator) {
      const tenant = tenantOf(simulator)
      const { docker_login_pass: _never, ...shown } = REQUIRED
      const body = await expectAnswer(tenant, 'POST', TEMPLATES, REQUIRED)
      expect(body).toMatchObject({ template: { id: anyNumber, hash_id: anyString, ...shown } })
      await expectRefusal(tenant, ['POST', TEMPLATES, { ...REQUIRED, id: 5 }], [400, '"id"'])
      await expectRefusal(tenant, ['POST', TEMPLATES, { ...REQUIRED, label: 'x' }], [400, '"label"'])
    },
  },
  {
    section: '4.5',
    says: '| PUT | `/api/v0/template/` | `hash_id` plus only the fields to change |',
    async check(simulator) {
      const tenant = tenantOf(simulator)
      const made = await createTemplate(tenant, { desc: 'kept' })
      const edited = await editTemplate(tenant, { hash_id: made.hash_id, name: 'Renamed' })
      expect(edited).toEqual({ ...made, hash_id: edited.hash_id, name: 'Renamed' })
      const put = (fields: object): [string, string, object] => ['PUT', TEMPLATES, fields]
      await expectRefusal(tenant, put({ name: 'x' }), [400, 'body.hash_id'])
      await expectRefusal(tenant, put({ hash_id: edited.hash_id }), [400, 'no field to change'])
      await expectRefusal(tenant, put({ hash_id: edited.hash_id, tag: null }), [400, 'body.tag'])
    },
  },
  {
    section: '4.5',
    says: 'the new `hash_id` differs',
    async check(simulator) {
      const tenant = tenantOf(simulator)
      const made = await createTemplate(tenant)
      const edited = await editTemplate(tenant, { hash_id: made.hash_id, private: true })
      expect(edited.hash_id).not.toBe(made.hash_id)
      const again = { hash_id: made.hash_id, private: false }
      await expectRefusal(tenant, ['PUT', TEMPLATES, again], [404, made.hash_id])
    },
  },
  {
    section: '4.5',
    says: '| DELETE | `/api/v0/template/` | `{template_id: integer}` (the numeric `id`) | `{success: boolean}` |',
    async check(simulator) {
      const tenant = tenantOf(simulator)
      const { id, hash_id: hash } = await createTemplate(tenant)
      for (const body of [undefined, {}, { id }, { template_id: hash }, { template_id: String(id) }]) {
        await expectRefusal(tenant, ['DELETE', TEMPLATES, body], [400, 'body'])
      }
      expect(await expectAnswer(tenant, 'DELETE', TEMPLATES, { template_id: id })).toEqual({ success: true })
      await expectRefusal(tenant, ['DELETE', TEMPLATES, { template_id: id }], [404, String(id)])
    },
  },
  {
    section: '2.2',
    says: 'whether the template is private',
    seen: 'others find and use it only while it is not',
    async check(simulator) {
      const [owner, other] = [tenantOf(simulator), tenantOf(simulator)]
      const { id, hash_id: hash } = await createTemplate(owner, { private: true })
      const order = (template: string): [string, string, object] => [
        'PUT',
        '/api/v0/asks/1/',
        { template_hash_id: template },
      ]
      expect(await findTemplates(other, { id: { eq: id } })).toEqual([])
      await expectRefusal(other, order(hash), [404, `hash_id ${hash}`])
      const shared = await editTemplate(owner, { hash_id: hash, private: false })
      expect(await findTemplates(other, { id: { eq: id } })).toHaveLength(1)
      await expectRefusal(other, order(shared.hash_id), [404, 'there is no offer 1'])
      await expectRefusal(other, ['DELETE', TEMPLATES, { template_id: id }], [404, String(id)])
    },
  },
  {
    section: '4.5',
    says: 'Operators for `select_filters`',
    async check(simulator) {
      const tenant = tenantOf(simulator)
      const ids: number[] = []
      for (const disk of [10, 20, 30]) {
        ids.push((await createTemplate(tenant, { recommended_disk_space: disk })).id)
      }
      const disksBy = async (condition: object): Promise<unknown> => {
        const filters = { id: { in: ids }, recommended_disk_space: condition }
        return (await findTemplates(tenant, filters)).map((template) => template['recommended_disk_space'])
      }
      expect(await disksBy({ eq: 20 })).toEqual([20])
      expect(await disksBy({ neq: 20 })).toEqual([10, 30])
      expect(await disksBy({ lt: 20 })).toEqual([10])
      expect(await disksBy({ lte: 20 })).toEqual([10, 20])
      expect(await disksBy({ gt: 20 })).toEqual([30])
      expect(await disksBy({ gte: 20 })).toEqual([20, 30])
      expect(await disksBy({ in: [10, 30] })).toEqual([10, 30])
      expect(await disksBy({ notin: [10, 30] })).toEqual([20])
      expect(await disksBy({ gt: 10, lt: 30 })).toEqual([20])
    },
  },
  {
    section: '4.5',
    says: '(`in` and `notin` take arrays)',
    async check(simulator) {
      for (const condition of [{ in: 'a' }, { notin: 'a' }, { eq: ['a'] }, { lt: ['a'] }, { like: 'a' }]) {
        expect(await searchTemplates(simulator, { name: condition })).toMatchObject({
          status: 400,
          body: { msg: containing('query.select_filters.name.') },
        })
      }
    },
  },
  {
    section: '4.5',
    says: 'Searching is by these filters only, not free text.',
    async check(simulator) {
      for (const query of ['query=vLLM', 'q=vLLM', 'name=vLLM']) {
        await expectRefusal(simulator, ['GET', `${TEMPLATES}?${query}`], [400, 'query: Unrecognized key'])
      }
      expect(await findTemplates(simulator, { name: { eq: 'vllm' } })).toEqual([])
      expect(await findTemplates(simulator, { name: { eq: 'vLLM' } })).toHaveLength(1)
    },
  },
  {
    section: '4.5',
    says: 'Searching requires the `user_read` permission.',
    async check(simulator) {
      const able = tenantOf(simulator, 'default', { categories: ['user_read'] })
      await expectAnswer(able, 'GET', TEMPLATES)
      const categories = CATEGORIES.filter((category) => category !== 'user_read')
      const answer = await ask(tenantOf(simulator, 'default', { categories }), 'GET', TEMPLATES)
      expect(answer).toMatchObject({ status: 403, body: { msg: containing('user_read') } })
    },
  },
]
