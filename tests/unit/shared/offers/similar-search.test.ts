import { expect, test } from 'vitest'
import { defaultOfferQuery } from '#domain/offers/offer.ts'
import { similarSearch } from '#shared/offers/similar-search.ts'

test('machines like one have its model, and as many GPUs', () => {
  expect(similarSearch({ gpu_name: 'RTX 4090', num_gpus: 2, gpu_ram: 24_564 })).toEqual({
    ...defaultOfferQuery,
    filters: { ...defaultOfferQuery.filters, gpu_name: { eq: 'RTX 4090' }, num_gpus: { eq: 2 } },
  })
})

test.each([{}, { gpu_name: null, num_gpus: 'two' }])(
  'of %o nothing is searched for but the default',
  (record) => expect(similarSearch(record)).toEqual(defaultOfferQuery),
)
