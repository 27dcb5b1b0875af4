import fc from 'fast-check'
import { expect, test } from 'vitest'
import { offerFields } from '../../../../src-main/domain/offer-fields.ts'
import {
  axisRange,
  logTicks,
  plotPoints,
  plottableFields,
} from '../../../../src-renderer/features/offers/plot/plot-points.ts'

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

test('every value is on its axis', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 1 }), (values) => {
      const { min, max, isLog } = axisRange(values)
      expect(min).toBeLessThan(max)
      for (const value of values) {
        expect(value).toBeGreaterThanOrEqual(min)
        expect(value).toBeLessThanOrEqual(max)
        if (isLog) expect(value).toBeGreaterThan(0)
      }
    }),
  )
})

test('an axis is logarithmic when its values differ by much, unless one is 0', () => {
  expect(axisRange([0.1, 5]).isLog).toBe(true)
  expect(axisRange([0, 5]).isLog).toBe(false)
  expect(axisRange([1, 5]).isLog).toBe(false)
})

test('a logarithmic axis has round values', () => {
  expect(logTicks(0.08, 5.5)).toEqual([0.1, 0.2, 0.5, 1, 2, 5])
  expect(logTicks(0.000_02, 3000)).toEqual([0.0001, 0.001, 0.01, 0.1, 1, 10, 100, 1000])
})
