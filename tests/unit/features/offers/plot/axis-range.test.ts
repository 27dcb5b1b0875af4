import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  axisLabel,
  axisRange,
  logTicks,
  shareOfAxis,
} from '../../../../../src-renderer/features/offers/plot/axis-range.ts'

/** What `plotPoints` lets through. */
const plotted = fc.oneof(
  fc.constant(0),
  fc.double({ min: 1e-6, max: 1e9, noNaN: true }),
  fc.double({ min: -1e9, max: -1e-6, noNaN: true }),
)

test('every value is on its axis', () => {
  fc.assert(
    fc.property(fc.array(plotted, { minLength: 1 }), (values) => {
      const { min, max, isLog } = axisRange(values)
      expect(min).toBeLessThan(max)
      for (const value of values) {
        expect(value).toBeGreaterThanOrEqual(min)
        expect(value).toBeLessThanOrEqual(max)
        if (isLog) expect(value).toBeGreaterThan(0)
        expect(shareOfAxis({ min, max, isLog }, value)).toBeGreaterThanOrEqual(0)
        expect(shareOfAxis({ min, max, isLog }, value)).toBeLessThanOrEqual(1)
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
  expect(logTicks(1e-6, 1e9).length).toBeLessThanOrEqual(10)
})

test('a value stands where its axis has it', () => {
  expect(shareOfAxis({ min: 10, max: 30, isLog: false }, 15)).toBe(0.25)
  expect(shareOfAxis({ min: 1, max: 10_000, isLog: true }, 10)).toBeCloseTo(0.25)
})

test('a value beside an axis is short', () => {
  expect([0, 0.05, 2000, 1e-6, 50_000_000, 1e9].map(axisLabel)).toEqual([
    '0',
    '0.05',
    '2,000',
    '0.000001',
    '50M',
    '1B',
  ])
})
