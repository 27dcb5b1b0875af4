import { expect, test } from 'vitest'
import { shortfallOf, totalCost } from '#domain/money/total-cost.ts'
import {
  lowestTotals,
  partText,
  shortfallText,
  totalText,
} from '../../../../../src-renderer/features/offers/compare/cost-text.ts'

const prices = { storage_cost: 0.73, inet_up_cost: 0.01, inet_down_cost: 0.01 }
const wanted = { hours: 10, diskGb: 10, upGb: 0, downGb: 10 }
const offers = {
  cheap: { ...prices, dph_base: 0.1 },
  middle: { ...prices, dph_base: 0.15 },
  dear: { ...prices, dph_base: 0.2 },
  small: { ...prices, dph_base: 0.05, disk_space: 8 },
  unpriced: { ...prices, dph_base: null },
  silent: { dph_base: 0.01 },
}
type Name = keyof typeof offers
function lowestOf(names: readonly Name[], gone?: Name): readonly number[] {
  return [
    ...lowestTotals(
      names.map((name) => ({
        cost: totalCost(offers[name], wanted),
        shortfall: shortfallOf(offers[name], wanted),
        isGone: name === gone,
      })),
    ),
  ]
}

test('a total says when it is not all', () => {
  expect(totalText(totalCost(offers.cheap, wanted))).toBe('$1.20')
  expect(totalText(totalCost(offers.silent, wanted))).toBe('at least $0.10')
  expect(totalText(totalCost({}, { ...wanted, hours: null, upGb: 1 }))).toBe('–')
  expect(partText(totalCost(offers.unpriced, wanted).parts.gpu)).toBe('– (no price)')
  expect(partText(totalCost(offers.cheap, { ...wanted, hours: null }).parts.gpu)).toBe('– (no amount)')
  expect(partText(totalCost({ dph_total: 1 }, wanted).parts.gpu)).toBe('$10.00, some disk included')
})

test('the lowest total is marked where it is certain, among the machines that can give what is wanted', () => {
  expect(lowestOf(['dear', 'cheap'])).toEqual([1])
  expect(lowestOf(['dear', 'cheap', 'small'])).toEqual([1])
  expect(lowestOf(['dear', 'cheap', 'silent'])).toEqual([])
  expect(lowestOf(['dear', 'cheap', 'unpriced'])).toEqual([])
  expect(lowestOf(['cheap', 'cheap'])).toEqual([])
})

test('an offer that has gone is not the lowest, and does not keep another from being it', () => {
  expect(lowestOf(['dear', 'middle', 'cheap'], 'cheap')).toEqual([1])
  expect(lowestOf(['dear', 'cheap', 'silent'], 'silent')).toEqual([1])
})

test('what is missing is said', () => {
  expect(shortfallText({ hours: 36, diskGb: 60 })).toEqual([
    'Available for 36 h only.',
    'Has only 60 GB of disk.',
  ])
  expect(shortfallText({ hours: 240, diskGb: null })).toEqual(['Available for 10 days only.'])
  expect(shortfallText({ hours: null, diskGb: null })).toEqual([])
})
