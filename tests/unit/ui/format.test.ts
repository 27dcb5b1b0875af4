import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  burnText,
  formatBytes,
  formatDuration,
  formatExact,
  formatNumber,
  formatRelative,
  formatRunway,
  formatUsd,
  formatUsdPerHour,
} from '#ui/format.ts'

describe('money', () => {
  test('a sum that may be too low or too high says so', () => {
    const burn = { kind: 'known', perHourUsd: 0.5, charged: 2, unpriced: 0 } as const
    expect(burnText(burn)).toBe('$0.50/h')
    expect(burnText({ ...burn, unpriced: 1 })).toBe('at least $0.50/h')
    // Not a lower bound any more: one that is gone may be in it.
    expect(burnText({ ...burn, unpriced: 1 }, true)).toBe('about $0.50/h')
    expect(burnText({ kind: 'unknown' }, true)).toBeNull()
    // All that may be charged can't be read.
    expect(burnText({ ...burn, perHourUsd: 0, charged: 0 }, true)).toBeNull()
  })

  test.each([
    [0.342, '$0.342'],
    [0.5, '$0.50'],
    [0.02, '$0.02'],
    [0.0035, '$0.0035'],
    [0.00012345, '$0.000123'],
    [0.9999, '$1.00'],
    [1.84, '$1.84'],
    [42.1, '$42.10'],
    [99.999, '$100.00'],
    [123.45, '$123'],
    [1250, '$1,250'],
    [0, '$0.00'],
    [-3.5, '−$3.50'],
  ])('%d is %s', (amount, text) => {
    expect(formatUsd(amount)).toBe(text)
  })

  test.each([null, undefined, Number.NaN, Number.POSITIVE_INFINITY])('%s is unknown, not 0', (amount) => {
    expect(formatUsd(amount)).toBe('–')
    expect(formatUsdPerHour(amount)).toBe('–')
  })

  test('a price that is not 0 never looks like 0', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-7, max: 1e6, noNaN: true }), (amount) => {
        expect(formatUsd(amount)).toMatch(/[1-9]/)
      }),
    )
  })

  test('a rate has its unit', () => {
    expect(formatUsdPerHour(0.342)).toBe('$0.342/h')
  })
})

describe('sizes', () => {
  test.each([
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1 kB'],
    [1_234_000, '1.2 MB'],
    [999_960, '1 MB'],
    [480e9, '480 GB'],
  ])('%d bytes are %s', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text)
  })

  test('numbers have their thousands apart', () => {
    expect(formatNumber(10_000)).toBe('10,000')
    expect(formatNumber(99.64, 1)).toBe('99.6')
    expect(formatNumber(null)).toBe('–')
  })
})

describe('time', () => {
  test.each([
    [0, '0:00'],
    [9_999, '0:09'],
    [130_000, '2:10'],
    [3_730_000, '1:02:10'],
    [86_400_000 * 3 + 3_600_000 * 4, '3 d 4 h'],
    [-5_000, '0:00'],
    [null, '–'],
  ])('%s ms take %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text)
  })

  test.each([
    [1_000, 'just now'],
    [8_000, '8 s ago'],
    [5 * 60_000, '5 min ago'],
    [3 * 3_600_000, '3 h ago'],
    [86_400_000, '1 day ago'],
    [12 * 86_400_000, '12 days ago'],
    [-3_000, 'in 3 s'],
  ])('%d ms before now is %s', (ms, text) => {
    expect(formatRelative(1e12 - ms, 1e12)).toBe(text)
  })

  test('the exact time names its zone', () => {
    expect(formatExact(Date.UTC(2026, 10, 3, 13, 5, 9), 'Europe/Oslo')).toBe('2026-11-03 14:05:09 UTC+1')
    expect(formatExact(Date.UTC(2026, 10, 3, 13, 5, 9), 'UTC')).toBe('2026-11-03 13:05:09 UTC')
  })

  test.each([
    [0.4, 'less than 1 h left'],
    [22.9, '22 h left'],
    [50, '2 days left'],
    [null, '–'],
  ])('credit for %s hours: %s', (hours, text) => {
    expect(formatRunway(hours)).toBe(text)
  })
})
