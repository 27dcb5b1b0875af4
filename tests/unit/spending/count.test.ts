import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countedLines, hourOf, startOf } from '#domain/spending/ledger-line.ts'
import { summaryOf, usdOf } from '#domain/spending/month-summary.ts'
import { sightingOf } from '#services/spending/count.ts'
import { hour, ledgerAfter, lookAt, minute, noon, sightingAt } from './look.ts'

/** Lists every five minutes, from noon on. */
const every5 = (count: number, sightings = [sightingAt()]) =>
  Array.from({ length: count }, (_, index) => lookAt(noon + index * 5 * minute, sightings))

describe('what is counted', () => {
  test('an hour of an instance is one line, with its name, machine, time, and cost', () => {
    expect(ledgerAfter(every5(14))[0]).toEqual({
      ...{ kind: 'hour', hour: '2026-11-26T12:00Z', since: '2026-11-26T12:05:00.000Z' },
      ...{ instanceId: 7, label: 'train', model: '2 × RTX 4090' },
      ...{ runningSeconds: 3600, stoppedSeconds: 0, unpricedSeconds: 0, usd: 2 },
    })
  })

  test('the price of a list holds until the next one', () => {
    const lines = ledgerAfter([
      lookAt(noon, [sightingAt()]),
      lookAt(noon + 6 * minute, [sightingAt({ isRunning: false, perHourUsd: 0.1 })]),
      lookAt(noon + 12 * minute, [sightingAt({ isRunning: false, perHourUsd: null })]),
      lookAt(noon + 18 * minute, []),
    ])
    expect(lines).toMatchObject([{ runningSeconds: 360, stoppedSeconds: 720, unpricedSeconds: 360 }])
    expect(usdOf(lines)).toBeCloseTo(0.21)
  })

  test('an instance that is new counts from its start, and another one under its id begins anew', () => {
    const startedAt = noon + 2 * minute
    const other = sightingAt({ identity: { machineId: 71, startedAt }, perHourUsd: 6 })
    expect(usdOf(ledgerAfter([lookAt(noon, []), lookAt(noon + 5 * minute, [other])]))).toBeCloseTo(0.3)
    const replaced = [lookAt(noon, [sightingAt()]), lookAt(noon + 5 * minute, [other])]
    expect(usdOf(ledgerAfter(replaced))).toBeCloseTo((2 * 5) / 60 + 0.3)
  })

  test('what the service lists is taken as the bar counts it: a dead instance costs its disk', () => {
    const record = { id: 7, num_gpus: 2, gpu_name: 'H100', dph_total: 3, storage_total_cost: 0.2 }
    const seen = { id: 7, status: 'exited', record, history: [{ status: 'exited', at: 1 }], pending: null }
    expect(sightingOf(seen, null)).toMatchObject({ isRunning: false, perHourUsd: 0.2, model: '2 × H100' })
    expect(sightingOf({ ...seen, status: 'running' }, 'a')).toMatchObject({ isRunning: true, perHourUsd: 3 })
  })
})

describe('gaps', () => {
  const gapOf = (before: Parameters<typeof sightingAt>[0], after: Parameters<typeof sightingAt>[0]) =>
    ledgerAfter([lookAt(noon, [sightingAt(before)]), lookAt(noon + 5 * hour, [sightingAt(after)])])

  test('time without a list is told, with what it may have cost, and counts nothing', () => {
    expect(gapOf({}, {})).toEqual([
      {
        ...{ kind: 'gap', from: '2026-11-26T12:00:00.000Z', until: '2026-11-26T17:00:00.000Z' },
        ...{ instanceId: 7, label: 'train', model: '2 × RTX 4090', usd: 10 },
      },
    ])
  })

  test('one list that fails between two at the longest pause is none', () => {
    const looks = [lookAt(noon, [sightingAt()]), lookAt(noon + 2 * 5 * minute + 5_000, [sightingAt()])]
    expect(ledgerAfter(looks)).toMatchObject([{ kind: 'hour', runningSeconds: 605 }])
  })

  test('what was stopped meanwhile cost its disk at least; of what is gone, nothing is known', () => {
    expect(gapOf({}, { isRunning: false, perHourUsd: 0.1 })).toMatchObject([{ usd: 0.5 }])
    expect(gapOf({}, { perHourUsd: null })).toMatchObject([{ usd: null }])
    expect(ledgerAfter([lookAt(noon, [sightingAt()]), lookAt(noon + hour, [])])).toMatchObject([
      { usd: null },
    ])
  })

  test('what was rented meanwhile has a gap from its start on', () => {
    const rented = sightingAt({ identity: { machineId: 1, startedAt: noon + 2 * hour } })
    expect(ledgerAfter([lookAt(noon, []), lookAt(noon + 3 * hour, [rented])])).toMatchObject([
      { from: '2026-11-26T14:00:00.000Z', until: '2026-11-26T15:00:00.000Z', usd: 2 },
    ])
  })

  test('with nothing rented there is no gap, and one over the end of a month is two', () => {
    expect(ledgerAfter([lookAt(noon, []), lookAt(noon + 9 * hour, [])])).toEqual([])
    const over = [
      lookAt(Date.UTC(2026, 10, 30, 22), [sightingAt()]),
      lookAt(Date.UTC(2026, 11, 1, 1), [sightingAt()]),
    ]
    expect(ledgerAfter(over)).toMatchObject([
      { from: '2026-11-30T22:00:00.000Z', until: '2026-12-01T00:00:00.000Z', usd: 4 },
      { from: '2026-12-01T00:00:00.000Z', until: '2026-12-01T01:00:00.000Z', usd: 2 },
    ])
  })

  test('a clock that jumps by centuries makes lines of 400 days', () => {
    const lines = ledgerAfter([lookAt(noon, [sightingAt()]), lookAt(Date.UTC(3000, 0), [sightingAt()])])
    expect(lines.length).toBeLessThan(20)
  })
})

test('the credit is told by the hour in which it changed, up and down apart', () => {
  const credit = (minutes: number, usd: number | null) => lookAt(noon + minutes * minute, [], usd)
  const lines = ledgerAfter([
    ...[credit(0, 40), credit(5, 39.5), credit(8, null), credit(10, 89.5)],
    ...[credit(15, 89), credit(20, 89), credit(65, 88)],
  ])
  expect(lines).toMatchObject([
    { kind: 'credit', hour: '2026-11-26T12:00Z', usd: 89, fellUsd: 1, roseUsd: 50 },
    { kind: 'credit', hour: '2026-11-26T13:00Z', usd: 88, fellUsd: 1, roseUsd: 0 },
  ])
})

describe('for any lists', () => {
  /** Pauses as they are, with an odd part: a real clock has one. */
  const pauses = fc.array(fc.integer({ min: 1, max: 9 * minute }), { minLength: 1, maxLength: 300 })
  const looksAfter = (gaps: readonly number[], perHourUsd: number) => {
    let at = noon
    return [at, ...gaps.map((pause) => (at += pause))].map((time) =>
      lookAt(time, [sightingAt({ perHourUsd })]),
    )
  }
  const price = fc.double({ min: 0, max: 100, noNaN: true })

  test('the sum of the hours is the price times the time, each hour in its own place', () => {
    fc.assert(
      fc.property(pauses, price, (gaps, perHourUsd) => {
        const lines = ledgerAfter(looksAfter(gaps, perHourUsd))
        const totalMs = gaps.reduce((sum, pause) => sum + pause, 0)
        expect(usdOf(lines)).toBeCloseTo((perHourUsd * totalMs) / hour, 5)
        for (const line of lines)
          if (line.kind === 'hour') expect(line.runningSeconds).toBeLessThanOrEqual(3600)
        expect(new Set(lines.map(startOf)).size).toBe(lines.length)
      }),
    )
  })

  test('a clock that is set back loses nothing of what was counted', () => {
    fc.assert(
      fc.property(pauses, pauses, fc.integer({ min: 1, max: 5 * hour }), (before, after, backMs) => {
        const first = looksAfter(before, 2)
        const backAt = (first.at(-1)?.at ?? noon) - backMs
        const second = looksAfter(after, 2).map((look) => ({ ...look, at: look.at - noon + backAt }))
        const totalMs = [...before, ...after].reduce((sum, pause) => sum + pause, 0)
        const times = new Set(first.map(({ at }) => at))
        // Two counts of one hour are told apart by the milliseconds at which they began.
        fc.pre(second.every(({ at }) => !times.has(at)))
        expect(usdOf(ledgerAfter([...first, ...second]))).toBeCloseTo((2 * totalMs) / hour, 5)
      }),
    )
  })

  test('neither the order of lines nor their repetition changes what a month cost', () => {
    const lines = ledgerAfter([...every5(40), lookAt(noon + 20 * hour, [sightingAt()])])
    fc.assert(
      fc.property(
        fc.shuffledSubarray([...lines], { minLength: lines.length }),
        fc.subarray([...lines]),
        (shuffled, repeated) => {
          expect(summaryOf('2026-11', [...shuffled, ...repeated]).total).toEqual(
            summaryOf('2026-11', lines).total,
          )
        },
      ),
    )
  })

  test('the last line of an hour counts, as after a repair by hand', () => {
    const [line] = ledgerAfter(every5(13))
    if (line?.kind !== 'hour') throw new Error('no line')
    const repaired = { ...line, usd: 1.5 }
    expect(countedLines([line, repaired])).toEqual([repaired])
    expect(hourOf(startOf(line))).toBe(line.hour)
  })
})
