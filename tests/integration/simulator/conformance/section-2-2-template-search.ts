import { expect } from 'vitest'
import { z } from 'zod'
import { rent } from '../caller.ts'
import {
  createTemplate,
  editTemplate,
  findTemplates,
  type TemplateRecord,
  TEMPLATES,
} from '../template-caller.ts'
import { ask, expectAnswer, expectRefusal, instancePath, type Tenant, tenantOf } from './asking.ts'
import type { Row } from './row.ts'

const CONTENT = {
  name: 'Searched',
  image: 'searched/image',
  tag: 'v9',
  docker_login_repo: 'registry.example.com',
  recommended_disk_space: 12.5,
  jup_direct: true,
  ssh_direct: true,
  use_ssh: true,
}

/** The account's template, with an instance created from it, is found by the value of this field, and by no other. */
function searchRow(says: string, other: unknown, wrong: unknown): Row {
  const field = says.split(' ')[1] ?? ''
  return {
    section: '2.2',
    says,
    async check(simulator) {
      const tenant = tenantOf(simulator)
      const made = await createTemplate(tenant, CONTENT)
      const { id } = await rent(tenant, { image: undefined, template_hash_id: made.hash_id })
      await expectAnswer(tenant, 'DELETE', instancePath(id))
      const isFound = async (condition: object): Promise<boolean> =>
        (await findTemplates(tenant, { [field]: condition })).some((template) => template.id === made.id)
      const [{ [field]: value } = made] = await findTemplates(tenant, { id: { eq: made.id } })
      expect(value).not.toBeNull()
      expect(await isFound({ eq: value })).toBe(true)
      expect(await isFound({ eq: other })).toBe(false)
      expect(await isFound({ neq: value })).toBe(false)
      await refuses(tenant, field, wrong)
    },
  }
}

async function refuses(tenant: Tenant, field: string, wrong: unknown): Promise<void> {
  const filters = encodeURIComponent(JSON.stringify({ [field]: { eq: wrong } }))
  const request = ['GET', `${TEMPLATES}?select_filters=${filters}`] as const
  await expectRefusal(tenant, request, [400, `select_filters.${field}.eq`])
}

/** What the service itself fills in. */
const filledInRow = (
  says: string,
  see: (made: TemplateRecord, after: TemplateRecord, userId: number) => void,
): Row => ({
  section: '2.2',
  says,
  seen: 'its value',
  async check(simulator) {
    const tenant = tenantOf(simulator)
    const user = z.object({ id: z.int() }).parse(await expectAnswer(tenant, 'GET', '/api/v0/users/current/'))
    const made = await createTemplate(tenant, CONTENT)
    const startSeconds = simulator.clock.now() / 1000
    await simulator.clock.advance(5000)
    for (const disk of [8, 9]) {
      const { id } = await rent(tenant, { image: undefined, disk, template_hash_id: made.hash_id })
      await expectAnswer(tenant, 'DELETE', instancePath(id))
    }
    const [after = made] = await findTemplates(tenant, { id: { eq: made.id } })
    expect(Math.abs(Number(made['created_at']) - startSeconds)).toBeLessThan(100)
    see(made, after, user.id)
  },
})

export const templateSearchRows: readonly Row[] = [
  {
    section: '2.2',
    says: 'A configuration bundle of defaults for instance creation.',
    async check(simulator) {
      const tenant = tenantOf(simulator)
      const { hash_id: hash } = await createTemplate(tenant, CONTENT)
      const { id } = await rent(tenant, { image: undefined, disk: undefined, template_hash_id: hash })
      expect(await expectAnswer(tenant, 'GET', instancePath(id))).toMatchObject({
        instances: { image_uuid: 'searched/image:v9', disk_space: 12.5 },
      })
      await expectAnswer(tenant, 'DELETE', instancePath(id))
    },
  },
  {
    section: '2.2',
    says: '| id | integer | deleting a template |',
    async check(simulator) {
      const tenant = tenantOf(simulator)
      const { id, hash_id: hash } = await createTemplate(tenant)
      await expectRefusal(tenant, ['DELETE', TEMPLATES, { template_id: hash }], [400, 'body.template_id'])
      await expectAnswer(tenant, 'DELETE', TEMPLATES, { template_id: id })
      expect(await findTemplates(tenant, { id: { eq: id } })).toEqual([])
    },
  },
  {
    section: '2.2',
    says: '| hash_id | string | content-derived;',
    async check(simulator) {
      const tenant = tenantOf(simulator)
      const { hash_id: first } = await createTemplate(tenant)
      const { hash_id: second } = await editTemplate(tenant, { hash_id: first, desc: 'changed' })
      const { hash_id: third } = await editTemplate(tenant, { hash_id: second, onstart: 'true' })
      expect(new Set([first, second, third]).size).toBe(3)
      // The content as it was first has the hash_id that it had first.
      const back = await editTemplate(tenant, { hash_id: third, desc: '', onstart: '' })
      expect(back.hash_id).toBe(first)
    },
  },
  {
    section: '2.2',
    says: 'used for creating instances (as `template_hash_id`) and for editing',
    async check(simulator) {
      const tenant = tenantOf(simulator)
      const { id, hash_id: old } = await createTemplate(tenant)
      const { hash_id: hash } = await editTemplate(tenant, { hash_id: old, desc: 'changed' })
      const order = (template: unknown): ReturnType<typeof ask> =>
        ask(tenant, 'PUT', '/api/v0/asks/1/', { template_hash_id: template })
      expect(await order(old)).toMatchObject({ status: 404, body: { error: 'no_such_template' } })
      expect((await order(id)).status).toBe(400)
      // There is no offer 1, which is looked at after the template.
      expect(await order(hash)).toMatchObject({ status: 404, body: { error: 'no_such_ask' } })
    },
  },
  filledInRow('| creator_id | integer | creator |', (made, _after, userId) => {
    expect(made['creator_id']).toBe(userId)
  }),
  filledInRow('| created_at | float |', (made, after) => {
    expect(after['created_at']).toBe(made['created_at'])
  }),
  filledInRow('| count_created | integer |', (made, after) => {
    expect([made['count_created'], after['count_created']]).toEqual([0, 2])
  }),
  filledInRow('| recent_create_date | float |', (made, after) => {
    expect(made['recent_create_date']).toBeNull()
    const laterSeconds = Number(after['recent_create_date']) - Number(made['created_at'])
    expect(laterSeconds).toBeGreaterThanOrEqual(5000)
    expect(laterSeconds).toBeLessThan(5100)
  }),
  searchRow('| creator_id | integer | creator |', 5, '5'),
  searchRow('| created_at | float |', 5.5, '5'),
  searchRow('| count_created | integer |', 7, 1.5),
  searchRow('| default_tag | string |', 'v8', 5),
  searchRow('| docker_login_repo | string | image registry |', '', null),
  searchRow('| id | integer | template id |', 5, 'five'),
  searchRow('| image | string | image |', 'searched', ['searched/image']),
  searchRow('| jup_direct | boolean |', false, 'true'),
  searchRow('| hash_id | string | hash id |', 'f', 5),
  searchRow('| name | string | display name |', 'searched', 5),
  searchRow('| recent_create_date | float |', 5, '5'),
  searchRow('| recommended_disk_space | float |', 12, '12.5'),
  searchRow('| recommended | boolean |', true, 1),
  searchRow('| ssh_direct | boolean | supports direct SSH |', false, 1),
  searchRow('| tag | string | image tag |', 'latest', 9),
  searchRow('| use_ssh | boolean | supports SSH', false, 'false'),
]
