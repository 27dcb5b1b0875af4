import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { draftOfQuery, queryOfDraft, type OfferDraft } from '#domain/offer-draft.ts'
import { defaultOfferQuery, offerQuery } from '#domain/offer.ts'

const empty: OfferDraft = {
  verified: false,
  rentable: false,
  model: '',
  gpus: '',
  ports: '',
  order: [],
  limit: '100',
}

describe('from what is typed to a search', () => {
  test('what is empty or off is no condition', () => {
    expect(queryOfDraft(empty)).toEqual({
      ok: true,
      query: { filters: {}, order: [], type: 'on-demand', limit: 100 },
    })
  })

  test('what is set is sent in the service’s shape', () => {
    expect(
      queryOfDraft({
        ...empty,
        verified: true,
        rentable: true,
        model: ' RTX 4090 ',
        gpus: '2',
        ports: '0',
        order: [{ field: 'dph_total', direction: 'asc' }],
      }),
    ).toEqual({
      ok: true,
      query: {
        filters: {
          verified: { eq: true },
          rentable: { eq: true },
          gpu_name: { eq: 'RTX 4090' },
          num_gpus: { eq: 2 },
          direct_port_count: { gte: 0 },
        },
        order: [['dph_total', 'asc']],
        type: 'on-demand',
        limit: 100,
      },
    })
  })

  test.each([
    ['gpus', '0'],
    ['gpus', '1.5'],
    ['gpus', 'two'],
    ['ports', '-1'],
    ['limit', ''],
    ['limit', '0'],
    ['limit', '10001'],
  ] as const)('%s “%s” is named as wrong, and nothing else is', (field, typed) => {
    const result = queryOfDraft({ ...empty, [field]: typed })
    expect(result.ok ? {} : Object.keys(result.errors)).toEqual([field])
  })
})

test('any draft gives a search that the contract takes, or says what is wrong', () => {
  const draft = fc.record({
    verified: fc.boolean(),
    rentable: fc.boolean(),
    model: fc.string(),
    gpus: fc.oneof(fc.string(), fc.integer().map(String)),
    ports: fc.oneof(fc.string(), fc.integer().map(String)),
    order: fc.array(
      fc.record({ field: fc.string({ minLength: 1 }), direction: fc.constantFrom('asc', 'desc') }),
    ),
    limit: fc.oneof(fc.string(), fc.integer().map(String)),
  })
  fc.assert(
    fc.property(draft, (typed) => {
      const result = queryOfDraft(typed)
      if (result.ok) {
        expect(offerQuery.safeParse(result.query).success).toBe(true)
        const again = queryOfDraft(draftOfQuery(result.query))
        expect(again).toEqual(result)
      } else expect(Object.keys(result.errors).length).toBeGreaterThan(0)
    }),
  )
})

test('the default search comes back as it was', () => {
  expect(queryOfDraft(draftOfQuery(defaultOfferQuery))).toEqual({ ok: true, query: defaultOfferQuery })
})
