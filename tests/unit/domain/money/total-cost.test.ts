import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hoursPerMonth } from '#domain/money/money.ts'
import { perHourCost, shortfallOf, totalCost, type WantedUse } from '#domain/money/total-cost.ts'

const offer = {
  id: 1,
  dph_base: 0.5,
  dph_total: 0.52,
  storage_total_cost: 0.02,
  storage_cost: 0.146,
  inet_up_cost: 0.01,
  inet_down_cost: 0.002,
}
const wanted: WantedUse = { hours: 10, diskGb: 100, upGb: 5, downGb: 50 }
const usdOf = (part: ReturnType<typeof totalCost>['parts']['gpu']): number | null =>
  part.kind === 'known' ? part.usd : null

describe('the total of an offer', () => {
  test('is GPU, disk and traffic at the prices of the offer', () => {
    const { parts, total } = totalCost(offer, wanted)
    expect(usdOf(parts.gpu)).toBeCloseTo(5)
    // 0.146 × 100 / 730 = 0.02 an hour.
    expect(usdOf(parts.disk)).toBeCloseTo(0.2)
    expect(usdOf(parts.up)).toBeCloseTo(0.05)
    expect(usdOf(parts.down)).toBeCloseTo(0.1)
    expect(total?.usd).toBeCloseTo(5.35)
    expect(total?.bound).toBe('exact')
  })

  test('takes the disk that the service priced in out of the total rate', () => {
    const { dph_base: _, ...without } = offer
    expect(usdOf(totalCost(without, wanted).parts.gpu)).toBeCloseTo(5)
    expect(totalCost(without, wanted).total?.bound).toBe('exact')
  })

  test('says that it is at most so much when that disk cannot be taken out', () => {
    const { dph_base: _base, storage_total_cost: _disk, ...without } = offer
    const { parts, total } = totalCost(without, wanted)
    expect(parts.gpu).toEqual({ kind: 'known', usd: expect.closeTo(5.2), includesDisk: true })
    expect(total?.bound).toBe('at-most')
    expect(totalCost({ ...without, inet_up_cost: null }, wanted).total?.bound).toBe('about')
  })

  test('says what is unknown, and that the total is at least the rest', () => {
    const { parts, total } = totalCost({ ...offer, inet_down_cost: null }, wanted)
    expect(parts.down).toEqual({ kind: 'unknown', missing: 'price' })
    expect(total).toEqual({ usd: expect.closeTo(5.25), bound: 'at-least' })
    expect(totalCost(offer, { ...wanted, hours: null }).parts).toMatchObject({
      gpu: { kind: 'unknown', missing: 'amount' },
      disk: { kind: 'unknown', missing: 'amount' },
      up: { kind: 'known' },
    })
    expect(totalCost({ id: 1 }, wanted).total).toBeNull()
  })

  test('charges nothing for nothing, though the price is unknown', () => {
    const { parts } = totalCost({ id: 1 }, { hours: 1, diskGb: 0, upGb: 0, downGb: 1 })
    expect([usdOf(parts.disk), usdOf(parts.up), usdOf(parts.down)]).toEqual([0, 0, null])
  })

  test('takes a free disk for free, and a negative or endless price for unknown', () => {
    expect(usdOf(totalCost({ ...offer, storage_cost: 0 }, wanted).parts.disk)).toBe(0)
    for (const price of [-1, Number.POSITIVE_INFINITY, '0.5', 1e308])
      expect(totalCost({ id: 1, dph_base: price }, wanted).parts.gpu.kind).toBe('unknown')
  })
})

const amount = fc.double({ min: 0, max: 1e6, noNaN: true })
const maybe = fc.option(amount)
const offers = fc.record({
  dph_base: maybe,
  dph_total: maybe,
  storage_cost: maybe,
  storage_total_cost: maybe,
  inet_up_cost: maybe,
  inet_down_cost: maybe,
})
const wishes = fc.record({ hours: amount, diskGb: amount, upGb: amount, downGb: amount })

test('the total is the sum of the known parts, and exact only when all are known', () => {
  fc.assert(
    fc.property(offers, wishes, (record, wish) => {
      const { parts, total } = totalCost(record, wish)
      const known = Object.values(parts).filter((one) => one.kind === 'known')
      if (total === null) {
        expect(known).toEqual([])
        return
      }
      expect(total.usd).toBeCloseTo(known.reduce((sum, { usd }) => sum + usd, 0))
      expect(total.usd).toBeGreaterThanOrEqual(0)
      if (total.bound === 'exact') expect(known).toHaveLength(4)
    }),
  )
})

test('twice the time, traffic and nothing else costs twice as much', () => {
  fc.assert(
    fc.property(offers, wishes, (record, wish) => {
      const once = totalCost(record, wish).total?.usd ?? 0
      const twice = { ...wish, hours: wish.hours * 2, upGb: wish.upGb * 2, downGb: wish.downGb * 2 }
      expect(totalCost(record, twice).total?.usd ?? 0).toBeCloseTo(once * 2, -Math.log10(1 + once) + 6)
    }),
  )
})

test('more of anything never costs less', () => {
  fc.assert(
    fc.property(offers, wishes, wishes, (record, one, other) => {
      const larger = {
        hours: Math.max(one.hours, other.hours),
        diskGb: Math.max(one.diskGb, other.diskGb),
        upGb: Math.max(one.upGb, other.upGb),
        downGb: Math.max(one.downGb, other.downGb),
      }
      const [small, large] = [totalCost(record, one), totalCost(record, larger)]
      // Nothing of something is known to be free; some of it need not be.
      if (small.total?.bound !== large.total?.bound) return
      expect(large.total?.usd ?? 0).toBeGreaterThanOrEqual((small.total?.usd ?? 0) * (1 - 1e-12))
    }),
  )
})

test('a month of a disk costs its price per month', () => {
  const monthly = totalCost(offer, { hours: hoursPerMonth, diskGb: 100, upGb: 0, downGb: 0 })
  expect(usdOf(monthly.parts.disk)).toBeCloseTo(14.6)
})

test('what the machine cannot give is said, as far as it is known', () => {
  const machine = { duration: 7200, disk_space: 60 }
  expect(shortfallOf(machine, wanted)).toEqual({ hours: 2, diskGb: 60 })
  expect(shortfallOf(machine, { ...wanted, hours: 2, diskGb: 60 })).toEqual({ hours: null, diskGb: null })
  expect(shortfallOf({}, wanted)).toEqual({ hours: null, diskGb: null })
})

describe('an hour of an offer', () => {
  test('has the disk in it that is asked for, and not the one that the service priced in', () => {
    // 0.146 × 1000 / 730 = 0.2 an hour.
    expect(perHourCost(offer, 1000)).toEqual({ usd: expect.closeTo(0.7), bound: 'exact' })
    expect(perHourCost(offer, 100)).toEqual({ usd: expect.closeTo(0.52), bound: 'exact' })
  })

  test('is a lower bound while the disk or its price is not known, and unknown without a price', () => {
    expect(perHourCost(offer, null)).toEqual({ usd: expect.closeTo(0.5), bound: 'at-least' })
    expect(perHourCost({ dph_base: 0.5 }, 100)).toEqual({ usd: 0.5, bound: 'at-least' })
    expect(perHourCost({ storage_cost: 0.146 }, 100)).toBeNull()
  })
})
