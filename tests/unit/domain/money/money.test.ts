import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  burnPerHourUsd,
  chargeOf,
  costSoFar,
  diskPerHourUsd,
  diskPrice,
  runwayHours,
} from '#domain/money/money.ts'

const one = (status: string | null, record: Record<string, unknown> = {}) => ({
  status,
  record: { id: 1, ...record },
  history: [],
})

describe('what an instance is charged for', () => {
  test.each([null, 'loading', 'running', 'rebooting'])('%s: computing', (status) => {
    expect(chargeOf(one(status, { dph_total: 0.5 }))).toEqual({ kind: 'compute', perHourUsd: 0.5 })
  })
  test.each(['exited', 'unknown', 'offline', 'stopped'])('%s: its disk', (status) => {
    expect(chargeOf(one(status, { dph_total: 0.5, storage_cost: 0.73, disk_space: 20 }))).toEqual({
      kind: 'disk-only',
      perHourUsd: 0.02,
    })
  })
  test('the disk rate is the service’s own where it names one, and unknown where nothing does', () => {
    expect(diskPerHourUsd({ storage_total_cost: 0.004, storage_cost: 9, disk_space: 20 })).toBe(0.004)
    expect(diskPerHourUsd({ storage_cost: 9 })).toBeNull()
    expect(diskPerHourUsd({ storage_cost: '0.1', disk_space: 20 })).toBeNull()
    expect(diskPrice({ storage_cost: 0.1 }, 50)?.perMonthUsd).toBe(5)
    expect(diskPrice({}, 50)).toBeNull()
  })
})

describe('burn rate', () => {
  test('adds up what computes and the disks of what does not', () => {
    expect(
      burnPerHourUsd([
        one('running', { dph_total: 0.3 }),
        one(null, { dph_total: 1.5 }),
        one('exited', { dph_total: 9, storage_total_cost: 0.25 }),
      ]),
    ).toEqual({ kind: 'known', perHourUsd: 2.05, charged: 3, unpriced: 0 })
  })
  test('is unknown, not 0, when what is charged has no price', () => {
    expect(burnPerHourUsd([one('running'), one('running', { dph_total: '0.3' })])).toEqual({
      kind: 'unknown',
    })
    expect(burnPerHourUsd(null)).toEqual({ kind: 'unknown' })
  })
  test('says how many came without a price', () => {
    expect(burnPerHourUsd([one('running', { dph_total: 0.3 }), one('offline')])).toMatchObject({
      perHourUsd: 0.3,
      unpriced: 1,
    })
  })
  test('is 0 when there is nothing', () => {
    expect(burnPerHourUsd([])).toMatchObject({ perHourUsd: 0, charged: 0 })
  })
  test('never grows when an instance goes, whatever the records hold', () => {
    const instances = fc.array(
      fc.record({
        status: fc.constantFrom(null, 'loading', 'running', 'exited', 'odd'),
        record: fc.record({ dph_total: fc.oneof(fc.double({ min: -5, max: 50 }), fc.jsonValue()) }),
        history: fc.constant([]),
      }),
      { minLength: 1 },
    )
    fc.assert(
      fc.property(instances, (all) => {
        const [before, after] = [burnPerHourUsd(all), burnPerHourUsd(all.slice(1))]
        if (before.kind === 'known' && after.kind === 'known')
          expect(after.perHourUsd).toBeLessThanOrEqual(before.perHourUsd + 1e-9)
        if (before.kind === 'known') expect(before.perHourUsd).toBeGreaterThanOrEqual(0)
      }),
    )
  })
})

test('credit lasts as long as the rate lets it, and nobody knows when one of them is unknown', () => {
  const burn = { kind: 'known', perHourUsd: 2, charged: 1, unpriced: 0 } as const
  expect(runwayHours(44, burn)).toBe(22)
  expect(runwayHours(-1, burn)).toBe(0)
  expect(runwayHours(null, burn)).toBeNull()
  expect(runwayHours(44, { kind: 'unknown' })).toBeNull()
  expect(runwayHours(44, { ...burn, perHourUsd: 0 })).toBeNull()
})

describe('cost so far', () => {
  const now = 1_795_232_670_000
  test('is time since the start at the rate', () => {
    const started = now / 1000 - 7200
    expect(costSoFar(one('running', { dph_total: 0.5, start_date: started }), now)).toEqual({
      usd: 1,
      atMost: false,
    })
  })
  test('is at most that much once it has stopped computing', () => {
    expect(costSoFar(one('exited', { dph_total: 0.5, start_date: now / 1000 - 3600 }), now)).toEqual({
      usd: 0.5,
      atMost: true,
    })
  })
  test.each([
    {},
    { dph_total: 0.5 },
    { start_date: 1_700_000_000 },
    { dph_total: 0.5, start_date: '1700000000' },
  ])('is unknown with %j', (record) => {
    expect(costSoFar(one('running', record), now)).toBeNull()
  })
  test('is unknown once it was stopped: its rate has changed on the way', () => {
    const record = { dph_total: 0.01, start_date: now / 1000 - 3600 }
    expect(costSoFar(one('stopped', record), now)).toBeNull()
    expect(costSoFar(one('exited', { ...record, cur_state: 'stopped' }), now)).toBeNull()
  })
  test('a clock that is behind makes it 0, not negative', () => {
    expect(costSoFar(one('running', { dph_total: 0.5, start_date: now / 1000 + 60 }), now)?.usd).toBe(0)
  })
})
