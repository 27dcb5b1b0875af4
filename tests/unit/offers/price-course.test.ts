import fc from 'fast-check'
import { expect, test } from 'vitest'
import { courseSteps } from '#domain/offers/offer-watch.ts'
import { pointsOf, PriceCourse, thinned, type CourseLine } from '#services/offers/price-course.ts'
import { memoryJournal } from '../../support/memory-journal.ts'
import { memoryLog } from '../../support/memory-log.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const start = Date.UTC(2026, 0, 1)

const lineAt = (at: number, lowestUsd: number | null, medianUsd = lowestUsd): CourseLine => ({
  ...{ kind: 'look', at, offers: 3, lowestUsd, medianUsd },
})

function openCourse(entries: CourseLine[] = []) {
  const journal = memoryJournal<CourseLine>(entries)
  const log = memoryLog()
  return { course: new PriceCourse({ journal, log }), log }
}

test('a day is kept in full, and before it hours, across restarts', async () => {
  const entries: CourseLine[] = []
  for (let run = 0; run < 3; run += 1) {
    const { course, log } = openCourse(entries)
    for (let minute = 0; minute < 1000; minute += 1) {
      const at = start + (run * 1000 + minute) * minuteMs
      await course.add({ at, offers: 2, lowestUsd: 1 + (minute % 60) / 100, medianUsd: 2 })
    }
    expect(log.lines).toEqual([])
  }
  const { course } = openCourse(entries)
  const now = start + 3000 * minuteMs
  const day = await course.points('day', now)
  expect(day).toHaveLength(1439)
  const month = await course.points('month', now)
  expect(month.map(({ at }) => at)).toEqual(Array.from({ length: 50 }, (_, index) => start + index * hourMs))
  expect(new Set(month.map(({ lowestUsd }) => lowestUsd))).toContain(1)
  // On the disk, too.
  expect(entries.length).toBeLessThan(1600)
  expect(await course.points('year', now)).toHaveLength(3)
})

test('a time without looks has no points', async () => {
  const { course } = openCourse()
  await course.add({ at: start, offers: 1, lowestUsd: 1, medianUsd: 1 })
  await course.add({ at: start + 5 * hourMs, offers: 1, lowestUsd: 2, medianUsd: 2 })
  const now = start + 6 * hourMs
  expect((await course.points('day', now)).map(({ at }) => at)).toEqual([start, start + 5 * hourMs])
  expect((await course.points('month', now)).map(({ at }) => at)).toEqual([start, start + 5 * hourMs])
})

test('an hour has its lowest price, and the median of its medians; unknown prices are left out', () => {
  const looks = [lineAt(start, 2, 3), lineAt(start + minuteMs, null), lineAt(start + 2 * minuteMs, 1, 5)]
  expect(pointsOf(looks, 'month', start + hourMs)).toEqual([
    { at: start, offers: 3, lowestUsd: 1, medianUsd: 4 },
  ])
})

test('what can’t be written is known until Slipway quits', async () => {
  const log = memoryLog()
  const append = () => Promise.reject(new Error('disk full'))
  const course = new PriceCourse({ journal: { ...memoryJournal<CourseLine>(), append }, log })
  await course.add({ at: start, offers: 1, lowestUsd: 1, medianUsd: 1 })
  expect(await course.points('day', start)).toHaveLength(1)
  expect(log.lines).toHaveLength(1)
})

const someLines = fc.array(
  fc.record({
    kind: fc.constant('look' as const),
    // Also far ahead, as after a clock that was wrong.
    at: fc.integer({ min: 0, max: 500 * 24 * 60 }).map((minutes) => start + minutes * minuteMs),
    offers: fc.nat(500),
    lowestUsd: fc.option(fc.integer({ min: 1, max: 900 })),
    medianUsd: fc.option(fc.integer({ min: 1, max: 900 })),
  }),
  { maxLength: 200 },
)

test('thinning keeps what is lowest, is bounded, and once more changes nothing', () => {
  fc.assert(
    fc.property(someLines, fc.integer({ min: 0, max: 600 }), (lines, days) => {
      const now = start + days * dayMs
      const kept = thinned(lines, now)
      expect(thinned(kept, now)).toEqual(kept)
      expect(kept.length).toBeLessThanOrEqual(lines.length)
      const lowest = (all: readonly CourseLine[]) =>
        Math.min(...all.flatMap(({ lowestUsd }) => (lowestUsd === null ? [] : [lowestUsd])))
      expect(lowest(kept)).toBe(lowest(lines))
      // A look that isn't a day old is there as it was.
      for (const line of lines.filter(({ at }) => at > now - dayMs))
        expect(kept).toContainEqual(expect.objectContaining({ kind: 'look', at: line.at }))
      // A crash between writing an hour and deleting its looks changes nothing.
      expect(thinned([...lines, ...kept.filter(({ kind }) => kind === 'hour')], now)).toEqual(kept)
    }),
  )
})

test('each span has its steps, in order, and none outside of it', () => {
  fc.assert(
    fc.property(someLines, fc.constantFrom('day', 'month', 'year'), (lines, span) => {
      const now = start + 400 * dayMs
      const points = pointsOf(thinned(lines, now), span, now)
      const { spanMs, stepMs } = courseSteps[span]
      const times = points.map(({ at }) => at)
      if (span !== 'day') expect(times).toEqual([...new Set(times)].toSorted((one, other) => one - other))
      for (const at of times) expect(at).toBeGreaterThan(now - spanMs - (stepMs ?? 0))
    }),
  )
})
