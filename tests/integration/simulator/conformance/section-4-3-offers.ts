import { expect } from 'vitest'
import { z } from 'zod'
import type { Simulator } from '../../../simulator/simulator.ts'
import { call, search } from '../caller.ts'
import { containing } from '../expectations.ts'
import { expectAnswer, expectRefusal } from './asking.ts'
import type { Exempt, Row } from './row.ts'

const PATH = '/api/v0/bundles/'
type Offer = Readonly<Record<string, unknown>>

async function expectFound(
  simulator: Simulator,
  filters: object,
  fits: (offer: Offer) => boolean,
): Promise<void> {
  const all = await search(simulator)
  const expected = all.filter(fits).map(({ id }) => id)
  expect(expected.length).toBeGreaterThan(0)
  expect(expected.length).toBeLessThan(all.length)
  expect((await search(simulator, filters)).map(({ id }) => id)).toEqual(expected)
}

/** A filter finds what fits and nothing else, and takes no value of another type. */
const filterRow = (
  says: string,
  condition: Readonly<Record<string, unknown>>,
  fits: (value: unknown) => boolean,
  wrong: readonly unknown[],
): Row => {
  const field = says.split(' ')[1] ?? ''
  return {
    section: '4.3',
    says,
    async check(simulator) {
      await expectFound(simulator, { [field]: condition }, (offer) => fits(offer[field]))
      const [operator = ''] = Object.keys(condition)
      for (const value of wrong) {
        const body = { [field]: { [operator]: value } }
        await expectRefusal(simulator, ['POST', PATH, body], [400, `body.${field}.${operator}`])
      }
    },
  }
}

export const offerRows: readonly Row[] = [
  {
    section: '4.3',
    says: '`POST /api/v0/bundles/` with a JSON body; returns an object with `offers`',
    async check(simulator) {
      const reply = z.strictObject({ offers: z.array(z.looseObject({ id: z.int() })) })
      expect(reply.parse(await expectAnswer(simulator, 'POST', PATH, {})).offers).toHaveLength(200)
      await expectRefusal(simulator, ['GET', PATH], [405, 'POST'])
      expect(await call(simulator, 'POST', PATH, { text: '{' })).toMatchObject({
        status: 400,
        body: { msg: containing('not valid JSON') },
      })
    },
  },
  filterRow('| verified | filter |', { eq: true }, (value) => value === true, ['true', 1, null]),
  {
    section: '4.3',
    says: '| rentable | filter |',
    async check(simulator) {
      const before = await search(simulator, { rentable: { eq: true } })
      const [offer] = before
      const path = `/api/v0/asks/${String(offer?.id)}/`
      const reply = z.object({ new_contract: z.int() })
      const { new_contract: id } = reply.parse(await expectAnswer(simulator, 'PUT', path, { image: 'a' }))
      await expectFound(simulator, { rentable: { eq: true } }, (each) => each['rentable'] === true)
      await expectFound(simulator, { rentable: { eq: false } }, (each) => each['rentable'] === false)
      await expectAnswer(simulator, 'DELETE', `/api/v0/instances/${String(id)}/`)
      expect(await search(simulator, { rentable: { eq: true } })).toHaveLength(before.length)
      await expectRefusal(simulator, ['POST', PATH, { rentable: { eq: 'yes' } }], [400, 'body.rentable.eq'])
    },
  },
  filterRow('| gpu_name | filter |', { eq: 'RTX 4090' }, (value) => value === 'RTX 4090', [4090, null, true]),
  filterRow('| num_gpus | filter |', { eq: 2 }, (value) => value === 2, ['2', 1.5, null, [2]]),
  filterRow('| direct_port_count | filter |', { gte: 1 }, (value) => Number(value) >= 1, ['1', 0.5, null]),
  {
    section: '4.3',
    says: '| order | array | list of `[field, direction]` pairs',
    async check(simulator) {
      const order = [
        ['num_gpus', 'desc'],
        ['dph_total', 'asc'],
      ]
      const found = await search(simulator, { order })
      const keys = found.map((offer) => [Number(offer['num_gpus']), Number(offer['dph_total'])] as const)
      expect(keys).toEqual([...keys].sort(([a, b], [c, d]) => c - a || b - d))
      for (const wrong of [
        'dph_total',
        [['dph_total']],
        [['dph_total', 'down']],
        [['colour', 'asc']],
        [[]],
      ]) {
        await expectRefusal(simulator, ['POST', PATH, { order: wrong }], [400, 'body.order'])
      }
    },
  },
  {
    section: '4.3',
    says: 'e.g. field `dlperf_per_dphtotal` with direction `desc`',
    async check(simulator) {
      const [best] = await search(simulator, { order: [['dlperf_per_dphtotal', 'desc']], limit: 1 })
      const all = (await search(simulator)).map((offer) => Number(offer['dlperf_per_dphtotal']))
      expect(best?.['dlperf_per_dphtotal']).toBe(Math.max(...all))
    },
  },
  {
    section: '4.3',
    says: '| type | string | `on-demand` selects on-demand pricing',
    async check(simulator) {
      const found = await search(simulator, { type: 'on-demand' })
      expect(found).toHaveLength(200)
      expect(found.every((offer) => offer['is_bid'] === false)).toBe(true)
      for (const type of ['bid', 'interruptible', '', 1, { eq: 'on-demand' }]) {
        await expectRefusal(simulator, ['POST', PATH, { type }], [400, 'body.type'])
      }
    },
  },
  {
    section: '4.3',
    says: '| limit | integer | maximum number of results |',
    async check(simulator) {
      expect(await search(simulator, { limit: 7 })).toHaveLength(7)
      expect(await search(simulator, { limit: 100_000 })).toHaveLength(200)
      for (const limit of ['7', 1.5, 0, -1, null]) {
        await expectRefusal(simulator, ['POST', PATH, { limit }], [400, 'body.limit'])
      }
    },
  },
  {
    section: '4.3',
    says: 'A filter is an object mapping an operator to a value.',
    async check(simulator) {
      const fits = (offer: Offer): boolean => Number(offer['num_gpus']) > 1 && Number(offer['num_gpus']) < 8
      await expectFound(simulator, { num_gpus: { gt: 1, lt: 8 } }, fits)
      for (const filter of [2, [2], 'eq 2', null, {}, { about: 2 }, { eq: { value: 2 } }]) {
        await expectRefusal(simulator, ['POST', PATH, { num_gpus: filter }], [400, 'body.num_gpus'])
      }
    },
  },
]

export const offerExempt: readonly Exempt[] = [
  { section: '4.3', says: 'Body fields:', why: 'It names the table that follows.' },
  { section: '4.3', says: 'The complete list of filter fields', why: 'It says that nothing is said.' },
]
