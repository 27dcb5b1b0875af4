import { afterEach, describe, expect, test } from 'vitest'
import { dueTimeText } from '#domain/accounts/tray-summary.ts'
import {
  followFormatLocale,
  formatDecimals,
  formatLocaleOf,
  formatLocales,
} from '#domain/base/format-locale.ts'
import { counted } from '#domain/base/plural.ts'
import { formatField, type Field } from '#domain/fields/field-format.ts'
import { axisLabel } from '../../../../src-renderer/features/offers/plot/axis-range.ts'
import { isCountTyped } from '../../../../src-renderer/features/instances/table/group-text.ts'
import {
  formatBytes,
  formatExact,
  formatNumber,
  formatSpentUsd,
  formatUsd,
  formatUsdPerHour,
} from '#ui/format.ts'
import { quickFilter } from '#ui/table/quick-filter.ts'

afterEach(() => followFormatLocale(() => 'en-US'))

describe('the locale', () => {
  test.each([
    ['de_DE.UTF-8', 'en-US'],
    ['C', 'en-US'],
    ['', 'en-US'],
    ['en-US-posix', 'en-US'],
    ['en-US-u-va-posix', 'en-US'],
    ['xx-XX', 'en-US'],
    ['nb-NO', 'nb-NO'],
    ['zh-Hant-TW', 'zh-Hant-TW'],
    ['ar-EG-u-nu-arab', 'ar-EG'],
  ])('of a system that says "%s"', (system, base) => {
    expect(formatLocaleOf('system', system)).toBe(`${base}-u-ca-gregory-nu-latn`)
  })

  test('that is chosen counts before the system’s', () => {
    expect(formatLocaleOf('de-DE', 'fr-FR')).toBe('de-DE-u-ca-gregory-nu-latn')
  })

  test('is one that this program knows, for each choice', () => {
    expect(Intl.NumberFormat.supportedLocalesOf([...formatLocales])).toEqual([...formatLocales])
  })

  test('has its digits and its months as ids and exact times have them', () => {
    followFormatLocale(() => formatLocaleOf('system', 'fa-IR'))
    expect(formatDecimals(1234.5, 0, 1)).toMatch(/^1.234.5$/)
    expect(dueTimeText(new Date(2026, 10, 21, 12).getTime())).toMatch(/21/)
  })
})

describe('in German', () => {
  const price: Field = {
    name: 'price',
    label: 'Price',
    unit: '$/h',
    format: { kind: 'usd', decimals: 3 },
    align: 'right',
    group: '',
    shown: true,
  }
  const follow = (): void => followFormatLocale(() => formatLocaleOf('de-DE', 'en-US'))

  test('numbers are written as there, with English words', () => {
    follow()
    expect(formatNumber(12_345.67, 1)).toBe('12.345,7')
    expect(counted(1_024, 'offer')).toBe('1.024 offers')
    expect(counted(1.5, 'GPU')).toBe('1,5 GPUs')
    expect(formatBytes(1_230_000)).toBe('1,2 MB')
    expect([2_000, 1_500_000, 0.05].map(axisLabel)).toEqual(['2.000', '1,5M', '0,05'])
    expect(formatField({ ...price, format: { kind: 'number', decimals: 0 } }, 0.00034)).toBe('0,00034')
  })

  test('money has its dollar in front', () => {
    follow()
    expect(formatUsd(1_250)).toBe('$1.250')
    expect(formatUsd(-3.5)).toBe('−$3,50')
    expect(formatUsdPerHour(0.342)).toBe('$0,342/h')
    expect(formatSpentUsd(0.001)).toBe('< $0,01')
    expect(formatField(price, 1_234.5)).toBe('$1.234,500')
  })

  test('a date in words is written as there, an exact time as everywhere', () => {
    follow()
    const at = new Date(2026, 10, 21, 18, 30).getTime()
    expect(dueTimeText(at)).toBe('Sa., 21. Nov., 18:30')
    expect(formatExact(at)).toMatch(/^2026-11-21 18:30:00 /)
  })

  test('what was kept in another locale is made anew', () => {
    const row = { value: 1_234.5 }
    const accepts = quickFilter<typeof row>(({ value }) => [formatNumber(value, 1)])
    expect(accepts('1,234.5')(row)).toBe(true)
    follow()
    expect(accepts('1.234,5')(row)).toBe(true)
    expect(accepts('1,234.5')(row)).toBe(false)
  })
})

test('a count is confirmed as digits or as it is shown, and not otherwise', () => {
  followFormatLocale(() => formatLocaleOf('fr-FR', 'en-US'))
  for (const typed of ['1024', ' 1 024 ', formatNumber(1024)]) expect(isCountTyped(typed, 1024)).toBe(true)
  for (const typed of ['', '1.024', '102', '10 24']) expect(isCountTyped(typed, 1024)).toBe(false)
})
