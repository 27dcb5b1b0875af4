import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  draftOfQuery,
  queryOfDraft,
  withUsualRows,
  type OfferDraft,
} from '../../../../../src-renderer/features/offers/search/offer-draft.ts'
import { defaultOfferQuery, offerQuery } from '#domain/offers/offer.ts'

const empty: OfferDraft = { rows: [], json: '', order: [], type: 'on-demand', limit: '100' }

describe('from what is typed to a search', () => {
  test('what is empty is no condition', () => {
    expect(queryOfDraft(withUsualRows(empty))).toEqual({
      ok: true,
      query: { filters: {}, order: [], type: 'on-demand', limit: 100 },
    })
  })

  test('what is set is sent in the service’s shape', () => {
    expect(
      queryOfDraft({
        rows: [
          { field: 'verified', operator: 'eq', values: ['true'] },
          { field: 'gpu_name', operator: 'eq', values: [' RTX 4090 '] },
          { field: 'direct_port_count', operator: 'gte', values: ['0'] },
        ],
        json: '{"made_up": {"eq": 1}}',
        order: [
          { field: 'dph_total', direction: 'asc' },
          { field: 'reliability', direction: 'desc' },
        ],
        type: ' bid ',
        limit: ' 50 ',
      }),
    ).toEqual({
      ok: true,
      query: {
        filters: {
          verified: { eq: true },
          gpu_name: { eq: 'RTX 4090' },
          direct_port_count: { gte: 0 },
          made_up: { eq: 1 },
        },
        order: [
          ['dph_total', 'asc'],
          ['reliability', 'desc'],
        ],
        type: 'bid',
        limit: 50,
      },
    })
  })

  test.each(['', '0', '10001', '1.5', 'many'])('the limit “%s” is named as wrong', (limit) => {
    const result = queryOfDraft({ ...empty, limit })
    expect(result.ok ? null : result.errors).toMatchObject({
      limit: expect.stringContaining('10,000'),
      type: null,
    })
  })

  test.each(['__proto__', ' ', 'x'.repeat(201)])('a row on a field named “%s” is named as wrong', (field) => {
    const result = queryOfDraft({ ...empty, rows: [{ field, operator: 'eq', values: ['1'] }] })
    expect(result.ok ? null : [...result.errors.rows]).toEqual([[0, 'A field can’t have this name.']])
  })

  test('a type is needed, and no condition may stand where order, type and limit do', () => {
    expect(queryOfDraft({ ...empty, type: ' ' })).toMatchObject({ ok: false })
    const reserved = queryOfDraft({ ...empty, json: '{"limit": {"eq": 5}}' })
    expect(reserved.ok ? '' : reserved.errors.json).toContain('limit')
    expect(offerQuery.safeParse({ ...defaultOfferQuery, filters: { order: { eq: 1 } } }).success).toBe(false)
  })
})

test('any draft gives a search that the contract takes, or says what is wrong', () => {
  const draft = fc.record({
    rows: fc.array(
      fc.record({
        field: fc.constantFrom('gpu_name', 'num_gpus', 'dph_total', 'verified', 'made_up', 'limit'),
        operator: fc.constantFrom('eq', 'gte', 'in'),
        values: fc.array(fc.oneof(fc.string(), fc.integer().map(String))),
      }),
    ),
    json: fc.constantFrom('', '{', '{"a":{"eq":[1,{}]}}'),
    order: fc.array(
      fc.record({ field: fc.string({ minLength: 1 }), direction: fc.constantFrom('asc', 'desc') }),
      { maxLength: 20 },
    ),
    type: fc.constantFrom('on-demand', '', 'bid'),
    limit: fc.oneof(fc.string(), fc.integer().map(String)),
  })
  fc.assert(
    fc.property(draft, (typed) => {
      const result = queryOfDraft(typed)
      if (!result.ok) return
      expect(offerQuery.safeParse(result.query).success).toBe(true)
      expect(queryOfDraft(draftOfQuery(result.query))).toEqual(result)
    }),
  )
})

test('the default search comes back as it was, also with places to type in', () => {
  expect(queryOfDraft(withUsualRows(draftOfQuery(defaultOfferQuery)))).toEqual({
    ok: true,
    query: defaultOfferQuery,
  })
  expect(withUsualRows(draftOfQuery(defaultOfferQuery)).rows.map(({ field }) => field)).toEqual([
    'gpu_name',
    'num_gpus',
    'dph_total',
    'verified',
    'rentable',
    'direct_port_count',
  ])
})
