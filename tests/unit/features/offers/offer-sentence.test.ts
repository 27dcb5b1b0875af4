import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { loosenings, offerSentence } from '../../../../src-renderer/features/offers/offer-sentence.ts'
import { defaultOfferQuery, type OfferQuery } from '#domain/offers/offer.ts'

const query = (filters: OfferQuery['filters'], order: OfferQuery['order'] = []): OfferQuery => ({
  filters,
  order,
  type: 'on-demand',
  limit: 100,
})

describe('what a search means', () => {
  test('in one sentence', () => {
    expect(
      offerSentence(
        query(
          {
            verified: { eq: true },
            rentable: { eq: true },
            gpu_name: { eq: 'RTX 4090' },
            num_gpus: { eq: 1 },
            direct_port_count: { gte: 1 },
          },
          [['dlperf_per_dphtotal', 'desc']],
        ),
      ),
    ).toBe('Verified · rentable · RTX 4090 · 1 GPU · at least 1 port · cheapest per performance first')
  })

  test.each([
    [query({}), 'Any machine · in the service’s own order'],
    [query({ verified: { eq: false } }, [['dph_total', 'asc']]), 'Not verified · cheapest first'],
    [query({ num_gpus: { eq: 8 } }, [['gpu_ram', 'desc']]), '8 GPUs · highest VRAM first'],
    [
      query({ direct_port_count: { gte: 0 } }, [
        ['dph_total', 'desc'],
        ['made_up', 'asc'],
      ]),
      'At least 0 ports · most expensive first, then lowest made_up first',
    ],
    [
      query({ gpu_name: { in: ['H100', 'H200'] }, dph_total: { lte: 2.5 }, gpu_ram: { gte: 80_000 } }),
      'H100 or H200 · price at most $2.5/h · VRAM at least 80 GB · in the service’s own order',
    ],
    [{ ...query({}), type: 'bid' }, 'Any machine · type bid · in the service’s own order'],
    [defaultOfferQuery, 'Verified · rentable · at least 1 port · cheapest per performance first'],
  ])('%#', (asked, sentence) => {
    expect(offerSentence(asked)).toBe(sentence)
  })

  test('names every filter that is set', () => {
    fc.assert(
      fc.property(
        fc.record({ gpu: fc.stringMatching(/^[\w -]{1,40}$/), gpus: fc.integer({ min: 1, max: 64 }) }),
        ({ gpu, gpus }) => {
          fc.pre(gpu.trim() === gpu)
          const sentence = offerSentence(query({ gpu_name: { eq: gpu }, num_gpus: { eq: gpus } }))
          expect(sentence.toLowerCase()).toContain(gpu.toLowerCase())
          expect(sentence).toContain(`${gpus} GPU`)
        },
      ),
    )
  })
})

describe('what to loosen when nothing was found', () => {
  test('names every condition, so that it can be dropped', () => {
    expect(
      loosenings(query({ gpu_name: { eq: 'H100' }, verified: { eq: true }, dph_total: { gte: 1, lte: 2 } })),
    ).toEqual([
      { field: 'gpu_name', operator: 'eq', text: 'Remove “H100”' },
      { field: 'verified', operator: 'eq', text: 'Remove “verified”' },
      { field: 'dph_total', operator: 'gte', text: 'Remove “price at least $1/h”' },
      { field: 'dph_total', operator: 'lte', text: 'Remove “price at most $2/h”' },
    ])
  })
  test('is nothing when nothing was asked for', () => {
    expect(loosenings(query({}))).toEqual([])
  })
})
