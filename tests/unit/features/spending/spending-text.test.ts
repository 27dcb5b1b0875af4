import { describe, expect, test } from 'vitest'
import type { MonthSummary } from '#domain/spending/month-summary.ts'
import {
  centsText,
  chartText,
  creditText,
  dayText,
  gapText,
  hoursText,
  unpricedText,
  unreadableText,
} from '../../../../src-renderer/features/spending/spending-text.ts'

const total = {
  ...{ usd: 10.2, runningSeconds: 7200, stoppedSeconds: 0, unpricedSeconds: 0 },
  ...{ gapSeconds: 5 * 3600, gapUsd: 2 },
}
const month = (change: Partial<MonthSummary>): MonthSummary => ({
  ...{ month: '2026-11', total, instances: [], labels: [], models: [], credit: null },
  days: [
    { day: '2026-11-01', usd: 3, gapSeconds: 0, gapUsd: 0, fellUsd: 3.5 },
    { day: '2026-11-02', usd: 7.2, gapSeconds: 5 * 3600, gapUsd: 2, fellUsd: 0 },
  ],
  ...change,
})

test('amounts are written to the cent, and hours with one decimal', () => {
  expect([1398.125, 0.5, 0.001, 0].map(centsText)).toEqual(['$1,398.13', '$0.50', '< $0.01', '$0.00'])
  expect([7200, 5400, 60, 0].map(hoursText)).toEqual(['2', '1.5', '< 0.1', '0'])
})

test('a gap says for how long, why, and what it may have cost', () => {
  expect(gapText(total)).toBe(
    'Not counted: 5 h, when Slipway was closed, this computer slept, or the service didn’t answer. By the lower of the prices before and after, it cost at least $2.00.',
  )
  expect(gapText({ gapSeconds: 3600, gapUsd: 0 })).not.toContain('prices')
  expect(gapText({ gapSeconds: 0, gapUsd: 0 })).toBeNull()
  expect(unpricedText({ unpricedSeconds: 3600 })).toContain('For 1 h, the service listed no price')
  expect(unreadableText(0)).toBeNull()
  expect(unreadableText(2)).toContain('Couldn’t read 2 instances')
})

test('the chart is told in a sentence, and each day in a line', () => {
  const summary = month({})
  expect(chartText(summary)).toContain('$10.20 in all, at most $7.20 on 2026-11-02')
  expect(summary.days.map(dayText)).toEqual([
    '2026-11-01: $3.00; credit fell by $3.50',
    '2026-11-02: $7.20; not counted: 5 h, at least $2.00',
  ])
})

describe('the credit’s course beside what was counted', () => {
  const told = (fellUsd: number, roseUsd = 0) =>
    creditText(month({ credit: { fellUsd, roseUsd, lastUsd: 1 } }))

  test('names the difference and what is in it', () => {
    expect(told(12.5, 50)).toEqual([
      'Credit fell by $12.50; Slipway counted $10.20. It also rose by $50.00, such as by a payment.',
      'Difference: $2.30 more than counted. At least $2.00 of it is for time that wasn’t counted.',
      'The count has no traffic and no volumes, and Slipway asks for the credit only every 5 minutes.',
    ])
    expect(told(10)[1]).toBe('Difference: $0.20 less than counted.')
  })

  test('says so where both are the same, or nothing is known', () => {
    expect(told(10.2)[1]).toBe('Both are the same to the cent.')
    expect(creditText(month({}))).toHaveLength(1)
  })
})
