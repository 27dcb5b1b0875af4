import { expect, test } from 'vitest'
import type { PricePoint } from '#domain/offers/offer-watch.ts'
import {
  courseText,
  foundText,
  gapText,
  rowsOf,
} from '../../../../../src-renderer/features/offers/watch/watch-text.ts'
import { mostText, outcomeText } from '../../../../../src-renderer/features/offers/watch/auto-rent-text.ts'

const minuteMs = 60_000
const start = Date.UTC(2026, 0, 1)
const pointAt = (minutes: number, lowestUsd: number | null): PricePoint => ({
  ...{ at: start + minutes * minuteMs, offers: 3, lowestUsd, medianUsd: lowestUsd === null ? null : 1 },
})

test('times without a look are rows of their own, and are told to those who don’t see the chart', () => {
  const points = [pointAt(0, 0.5), pointAt(1, 0.4), pointAt(62, null), pointAt(63, 0.6)]
  const rows = rowsOf(points, 'day')
  expect(rows.map(({ kind }) => kind)).toEqual(['point', 'point', 'gap', 'point', 'point'])
  const [gap] = rows.filter((row) => row.kind === 'gap')
  expect(gap && gapText(gap)).toMatch(/^Not watched for 1 h, until \d{4}-01-01 /)
  expect(courseText(points, 'day')).toBe(
    'Lowest price $0.40/h to $0.60/h, median $1.00/h to $1.00/h, with 1 gap',
  )
  // An hour apart is no gap between hours.
  expect(rowsOf([pointAt(0, 1), pointAt(60, 1)], 'month')).toHaveLength(2)
  expect(rowsOf([pointAt(0, 1), pointAt(120, 1)], 'month')).toHaveLength(3)
})

test('when offers were left out, the median is said to be of those that came', () => {
  const last = { ...pointAt(0, 0.1), offers: 500 }
  expect(foundText({ last, isCut: true })).toBe('cheapest 500 offers, and the median is of these')
  expect(foundText({ last, isCut: false })).toBe('500 offers')
})

test('what may be charged in all is said before it begins', () => {
  expect(mostText({ instances: 3, capPerHourUsd: 0.5 })).toBe(
    'Slipway rents up to 3 instances at up to $0.50/h each: you may be charged up to $1.50/h in all.',
  )
})

test('what may be an instance without a reply isn’t called rented', () => {
  const view = {
    ...{ id: 'a', searchId: 's', name: 'Cheap', begunAt: 0, plan: { instances: 2, capPerHourUsd: 1 } },
    ...{ isRenting: false, isStopping: false, waitsFor: null, problem: null },
    outcome: { kind: 'complete' },
  } as const
  expect(outcomeText({ ...view, instanceIds: [1, 2] })).toMatch(/^As many instances as you chose are rented/)
  expect(outcomeText({ ...view, instanceIds: [1] })).toMatch(/^The service didn’t reply to 1 rental, .*Check/)
})

test('a refusal says why', () => {
  const problem = { kind: 'key-refused', message: '' } as const
  const view = {
    ...{ id: 'a', searchId: 's', name: 'Cheap', begunAt: 0, plan: { instances: 2, capPerHourUsd: 1 } },
    ...{ isRenting: false, isStopping: false, waitsFor: null, problem: null, instanceIds: [] },
  } as const
  expect(outcomeText({ ...view, outcome: { kind: 'refused', problem } })).toMatch(
    /^[^.]+\. Slipway rents nothing more/,
  )
})
