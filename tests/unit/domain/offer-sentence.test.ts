import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { loosenings, offerSentence } from '#domain/offer-sentence.ts'
import { defaultOfferQuery, type OfferQuery } from '#domain/offer.ts'

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
      'Any machine · most expensive first, then lowest made_up first',
    ],
    [defaultOfferQuery, 'Verified · rentable · at least 1 port · cheapest per performance first'],
  ])('%#', (asked, sentence) => {
    expect(offerSentence(asked)).toBe(sentence)
  })

  test('names every filter that is set', () => {
    fc.assert(
      fc.property(
        fc.record({ gpu: fc.string({ minLength: 1 }), gpus: fc.integer({ min: 1, max: 64 }) }),
        ({ gpu, gpus }) => {
          fc.pre(gpu.trim() !== '')
          const sentence = offerSentence(query({ gpu_name: { eq: gpu }, num_gpus: { eq: gpus } }))
          expect(sentence.toLowerCase()).toContain(gpu.trim().toLowerCase())
          expect(sentence).toContain(`${gpus} GPU`)
        },
      ),
    )
  })
})

describe('what to loosen when nothing was found', () => {
  test('names what was asked for', () => {
    expect(
      loosenings(
        query({
          gpu_name: { eq: 'H100' },
          num_gpus: { eq: 4 },
          verified: { eq: true },
          direct_port_count: { gte: 20 },
        }),
      ),
    ).toEqual([
      'any model instead of H100',
      'any number of GPUs instead of 4',
      'machines that are not verified',
      'fewer ports than 20',
    ])
  })
  test('is nothing when nothing was asked for', () => {
    expect(loosenings(query({}))).toEqual([])
  })
})
