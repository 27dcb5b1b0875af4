import { expect } from 'vitest'
import { z } from 'zod'
import type { Simulator } from '../../../simulator/simulator.ts'
import { anyNumber, anyString } from '../expectations.ts'
import { ask, expectAnswer, expectRefusal, type Tenant, tenantOf } from './asking.ts'
import type { Exempt, Row } from './row.ts'

const PATH = '/api/v0/users/cloud/'
const named = { user_given_name: 'Mine' }
type Body = Readonly<Record<string, string>>
const BODIES: Readonly<Record<string, Body>> = {
  drive: { provider: 'drive', ...named, code: 'abc' },
  s3: { provider: 's3', ...named, access_key: 'AKIA', secret_access_key: 'x' },
  b2: { provider: 'b2', ...named, application_key: 'k', key_id: '1' },
  filesync: { provider: 'filesync', code: 'abc', state: 'xyz' },
  hf: { provider: 'hf', ...named, access_key: 'HFAK1', secret_access_key: 'x', namespace: 'org' },
}

/** An account with one connection of each kind. */
async function linked(simulator: Simulator): Promise<Tenant> {
  const tenant = tenantOf(simulator)
  for (const body of Object.values(BODIES)) await expectAnswer(tenant, 'POST', PATH, body)
  return tenant
}

const recordRow = (says: string, field: string, values: readonly unknown[]): Row => ({
  section: '2.1',
  says,
  async check(simulator) {
    const expected = values.map((value) => ({ [field]: value }))
    expect(await expectAnswer(await linked(simulator), 'GET', PATH)).toMatchObject(expected)
  },
})

/** A field that these providers need, and that no other one takes. */
const fieldRow = (says: string, field: string, providers: readonly string[]): Row => ({
  section: '4.1',
  says,
  async check(simulator) {
    const tenant = tenantOf(simulator)
    for (const [provider, body] of Object.entries(BODIES)) {
      if (providers.includes(provider)) {
        const wrong = { ...body, [field]: undefined }
        await expectRefusal(tenant, ['POST', PATH, wrong], [400, `body.${field}: `])
      } else {
        await expectRefusal(tenant, ['POST', PATH, { ...body, [field]: 'HFAK' }], [400, `"${field}"`])
      }
    }
    expect(await expectAnswer(tenant, 'GET', PATH)).toEqual([])
    for (const provider of providers) await expectAnswer(tenant, 'POST', PATH, BODIES[provider])
    expect(await expectAnswer(tenant, 'GET', PATH)).toHaveLength(providers.length)
  },
})

const KINDS = Object.keys(BODIES)

export const cloudRows: readonly Row[] = [
  {
    section: '2.1',
    says: 'A linked cloud storage account.',
    async check(simulator) {
      await linked(simulator)
      expect(await expectAnswer(tenantOf(simulator), 'GET', PATH)).toEqual([])
    },
  },
  {
    section: '2.1',
    says: 'The list endpoint returns an array of these objects.',
    async check(simulator) {
      const list = await expectAnswer(await linked(simulator), 'GET', PATH)
      const record = { id: anyNumber, cloud_type: anyString, user_given_name: anyString }
      expect(list).toEqual(KINDS.map(() => record))
    },
  },
  {
    section: '2.1',
    says: '| id | integer |',
    async check(simulator) {
      const list = await expectAnswer(await linked(simulator), 'GET', PATH)
      const ids = z.array(z.object({ id: z.int() })).parse(list)
      expect(new Set(ids.map(({ id }) => id)).size).toBe(5)
    },
  },
  recordRow('| cloud_type | string |', 'cloud_type', KINDS),
  recordRow('| user_given_name | string |', 'user_given_name', ['Mine', 'Mine', 'Mine', anyString, 'Mine']),
  {
    section: '2.1',
    says: 'Provider values (used in `provider` on creation)',
    async check(simulator) {
      const tenant = await linked(simulator)
      expect(await expectAnswer(tenant, 'GET', PATH)).toHaveLength(5)
      for (const provider of ['gcs', 'S3', '']) {
        await expectRefusal(tenant, ['POST', PATH, { ...BODIES['s3'], provider }], [400, 'body.provider: '])
      }
    },
  },
  {
    section: '2.1',
    says: 'Here `filesync` stands for the file-synchronisation provider',
    async check(simulator) {
      const tenant = tenantOf(simulator)
      for (const [provider, field] of [
        ['filesync', 'code'],
        ['drive', 'code'],
        ['s3', 'access_key'],
        ['b2', 'application_key'],
        ['hf', 'namespace'],
      ] as const) {
        const wrong = { ...BODIES[provider], [field]: undefined }
        await expectRefusal(tenant, ['POST', PATH, wrong], [400, `body.${field}: `])
      }
    },
  },
  {
    section: '4.1',
    says: '| GET | `/api/v0/users/cloud/` | none |',
    async check(simulator) {
      expect(await expectAnswer(await linked(simulator), 'GET', PATH)).toHaveLength(5)
      await expectRefusal(simulator, ['GET', `${PATH}?provider=s3`], [400, '"provider"'])
    },
  },
  {
    section: '4.1',
    says: '| POST | `/api/v0/users/cloud/` | body below | `{success: boolean, msg: string}` |',
    async check(simulator) {
      const body = await expectAnswer(tenantOf(simulator), 'POST', PATH, BODIES['s3'])
      expect(body).toEqual({ success: true, msg: anyString })
    },
  },
  {
    section: '4.1',
    says: '| POST | `/api/v0/users/cloud/` | body below | `{success: boolean, msg: string}` |',
    seen: 'false when the provider says no',
    async check(simulator) {
      const tenant = tenantOf(simulator)
      const refused = { code: 'no-refused', access_key: 'no-refused', key_id: 'no-refused' }
      for (const { provider, ...fields } of Object.values(BODIES)) {
        // The service checks the shape of what the last one takes, and nothing else.
        if (provider === 'hf') continue
        const body = Object.fromEntries(
          Object.keys(fields).map((name) => [name, { ...fields, ...refused }[name]]),
        )
        const answer = await expectAnswer(tenant, 'POST', PATH, { provider, ...body })
        expect(answer).toMatchObject({ success: false })
      }
      expect(await expectAnswer(tenant, 'GET', PATH)).toEqual([])
    },
  },
  {
    section: '4.1',
    says: 'POST body (all strings):',
    async check(simulator) {
      for (const body of Object.values(BODIES)) {
        for (const field of Object.keys(body)) {
          await expectRefusal(simulator, ['POST', PATH, { ...body, [field]: 1 }], [400, `body.${field}: `])
        }
      }
    },
  },
  {
    section: '4.1',
    says: '| provider | selects provider |',
    async check(simulator) {
      const { provider: _without, ...body } = BODIES['s3'] ?? {}
      await expectRefusal(simulator, ['POST', PATH, body], [400, 'body.provider: '])
      const answer = await ask(simulator, 'POST', PATH, { ...body, provider: 'drive' })
      expect(answer.status).toBe(400)
    },
  },
  fieldRow('| code | `drive`, `filesync` |', 'code', ['drive', 'filesync']),
  fieldRow('| user_given_name | all providers except `filesync` |', 'user_given_name', [
    'drive',
    's3',
    'b2',
    'hf',
  ]),
  fieldRow('| access_key | `s3`, `hf` |', 'access_key', ['s3', 'hf']),
  {
    section: '4.1',
    says: 'for `hf` it must begin with `HFAK`',
    async check(simulator) {
      for (const key of ['AKIA', 'hfak1', ' HFAK1']) {
        const body = { ...BODIES['hf'], access_key: key }
        await expectRefusal(simulator, ['POST', PATH, body], [400, 'body.access_key: must begin with HFAK'])
      }
    },
  },
  fieldRow('| secret_access_key | `s3`, `hf` |', 'secret_access_key', ['s3', 'hf']),
  fieldRow('| namespace | `hf` |', 'namespace', ['hf']),
  {
    section: '4.1',
    says: 'one URL-safe path segment',
    async check(simulator) {
      for (const namespace of ['a/b', 'a b', '..', '', 'a?b', 'a%2Fb', 'ü']) {
        await expectRefusal(
          simulator,
          ['POST', PATH, { ...BODIES['hf'], namespace }],
          [400, 'body.namespace: '],
        )
      }
    },
  },
  fieldRow('| application_key | `b2` |', 'application_key', ['b2']),
  fieldRow('| key_id | `b2` |', 'key_id', ['b2']),
  fieldRow('| state | `filesync` |', 'state', ['filesync']),
]

export const cloudExempt: readonly Exempt[] = [
  { section: '2.1', says: 'Other fields of the record: not shown.', why: 'The simulator has no others.' },
]
