import { expect, test } from 'vitest'
import { offerFields } from '#domain/offers/offer-fields.ts'
import { plotPoints, plottableFields } from '../../../../../src-renderer/features/offers/plot/plot-points.ts'

test('a point is an offer with a price and a number, in the unit in which it is shown', () => {
  const offers = [
    { id: 1, dph_total: 0.5, gpu_ram: 24_000 },
    { id: 2, dph_total: null, gpu_ram: 24_000 },
    { id: 3, dph_total: 0.5 },
    { id: 4, dph_total: 0.5, gpu_ram: 'much' },
  ]
  const points = plotPoints(offers, offerFields.field('gpu_ram'))
  expect(points.map(({ offer, x, y }) => [offer.id, x, y])).toEqual([[1, 24, 0.5]])
})

test('the fields that can be chosen are those that an offer has as a number', () => {
  const offers = [{ id: 1, dlperf: null, reliability: 0.9, verified: true, gpu_ram: 'much', dph_total: 1 }]
  expect(plottableFields(offers).map(({ name }) => name)).toEqual(['reliability'])
})

test.each([1e308, -1e308, 5e-324, Number.MAX_SAFE_INTEGER])('%d is no number to plot by', (absurd) => {
  const sane = { id: 1, dph_total: 0.5, dlperf: 100 }
  const offers = [sane, { ...sane, id: 2, dlperf: absurd }, { ...sane, id: 3, dph_total: absurd }]
  expect(plotPoints(offers, offerFields.field('dlperf')).map(({ offer }) => offer.id)).toEqual([1])
})

test('0 is a number to plot by', () => {
  const offers = [{ id: 1, dph_total: 0, dlperf: 0 }]
  expect(plotPoints(offers, offerFields.field('dlperf'))).toHaveLength(1)
})
