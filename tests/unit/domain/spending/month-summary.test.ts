import { describe, expect, test } from 'vitest'
import type { GapLine, HourLine } from '#domain/spending/ledger-line.ts'
import { summaryOf } from '#domain/spending/month-summary.ts'

function hourLine(hour: string, change: Partial<HourLine> = {}): HourLine {
  return {
    ...{ kind: 'hour', hour, since: hour.replace('Z', ':00.000Z') },
    ...{ instanceId: 7, label: 'train', model: 'H100' },
    ...{ runningSeconds: 3600, stoppedSeconds: 0, unpricedSeconds: 0, usd: 2 },
    ...change,
  }
}
function gapLine(from: string, until: string, change: Partial<GapLine> = {}): GapLine {
  return { kind: 'gap', from, until, instanceId: 7, label: 'train', model: 'H100', usd: null, ...change }
}

describe('a month', () => {
  test('is summed up by day, instance, label, and model, the most expensive first', () => {
    const { total, days, instances, labels, models } = summaryOf('2026-11', [
      hourLine('2026-11-01T00:00Z'),
      hourLine('2026-11-01T23:00Z', { label: 'serve', usd: 1 }),
      hourLine('2026-11-30T23:00Z', { instanceId: 8, label: null, usd: 6, model: 'A100' }),
    ])
    expect(total).toMatchObject({ usd: 9, runningSeconds: 3 * 3600 })
    expect(days).toHaveLength(30)
    expect(days.filter(({ usd }) => usd > 0)).toMatchObject([
      { day: '2026-11-01', usd: 3 },
      { day: '2026-11-30', usd: 6 },
    ])
    expect(instances).toMatchObject([
      { instanceId: 8, usd: 6, label: null },
      { instanceId: 7, usd: 3, label: 'serve' },
    ])
    expect(labels).toMatchObject([
      { name: null, usd: 6 },
      { name: 'train', usd: 2 },
      { name: 'serve', usd: 1 },
    ])
    expect(models.map(({ name }) => name)).toEqual(['A100', 'H100'])
  })

  test('has the course of the credit by day, and as a whole', () => {
    const credit = (hour: string, usd: number, fellUsd: number, roseUsd: number) =>
      ({ kind: 'credit', hour, since: hour.replace('Z', ':01.000Z'), usd, fellUsd, roseUsd }) as const
    const { days, credit: whole } = summaryOf('2026-11', [
      credit('2026-11-02T10:00Z', 88, 2, 50),
      credit('2026-11-01T10:00Z', 40, 1, 0),
      credit('2026-11-01T11:00Z', 39, 1, 0),
    ])
    expect(whole).toEqual({ fellUsd: 4, roseUsd: 50, lastUsd: 88 })
    expect(days.slice(0, 3).map(({ fellUsd }) => fellUsd)).toEqual([2, 2, 0])
    expect(summaryOf('2026-11', []).credit).toBeNull()
  })

  test('has days of 24 hours, where clocks change, too', () => {
    const lines = Array.from({ length: 24 }, (_, at) =>
      hourLine(`2026-10-25T${String(at).padStart(2, '0')}:00Z`),
    )
    expect(summaryOf('2026-10', lines).days[24]).toMatchObject({ day: '2026-10-25', usd: 48 })
    expect(summaryOf('2028-02', []).days).toHaveLength(29)
  })

  test('tells gaps by day once, however many instances were not seen, and shares out what they may have cost', () => {
    const { days, total, instances } = summaryOf('2026-11', [
      gapLine('2026-11-03T22:00:00.000Z', '2026-11-04T06:00:00.000Z', { usd: 8 }),
      gapLine('2026-11-03T23:00:00.000Z', '2026-11-04T06:00:00.000Z', { instanceId: 8 }),
      gapLine('2026-11-04T05:00:00.000Z', '2026-11-04T07:00:00.000Z', { instanceId: 9 }),
    ])
    expect(days.slice(2, 4)).toEqual([
      { day: '2026-11-03', usd: 0, gapSeconds: 2 * 3600, gapUsd: 2, fellUsd: 0 },
      { day: '2026-11-04', usd: 0, gapSeconds: 7 * 3600, gapUsd: 6, fellUsd: 0 },
    ])
    expect(total).toMatchObject({ usd: 0, gapSeconds: 9 * 3600, gapUsd: 8 })
    expect(instances.find(({ instanceId }) => instanceId === 8)).toMatchObject({ gapSeconds: 7 * 3600 })
  })
})
