import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { alarmLine } from '#domain/figures/figures-alarm.ts'
import type { Figures, Gpu } from '#domain/figures/figures.ts'
import { healthAfter, isIdle, type Health } from '#services/figures/health.ts'

const second = 1_000
const minute = 60 * second
const idleMs = 20 * minute

const gpu = (index: number, part: Partial<Gpu> = {}): Gpu => ({
  ...{ index, uuid: null, name: 'A', usePercent: 50, memoryUsedBytes: 10, memoryBytes: 100 },
  ...{ celsius: 60, watts: null, mostWatts: null, megahertz: null },
  ...part,
})
const figuresOf = (at: number, gpus: readonly Partial<Gpu>[] | null, diskPercent = 50): Figures => ({
  ...{ at, cores: null, memory: null, network: null },
  disks: [
    { path: '/small', usedBytes: 1, sizeBytes: 100 },
    { path: '/', usedBytes: diskPercent, sizeBytes: 100 },
  ],
  gpus:
    gpus === null
      ? { kind: 'failed', says: '' }
      : { kind: 'measured', list: gpus.map((part, index) => gpu(index, part)), processes: [] },
})

/** What is told of figures that come one after the other, as `<minute> <kind>`, and what warns in the end. */
function courseOf(all: readonly Figures[]) {
  let health: Health | null = null
  const told: string[] = []
  for (const figures of all) {
    const next = healthAfter(health, figures, idleMs)
    health = next.health
    told.push(...next.news.map(({ kind }) => `${Math.floor(figures.at / minute)} ${kind}`))
  }
  return { told, alarms: health?.alarms ?? [], health }
}
/** Every 10 s from one minute to before another. */
const times = (from: number, to: number): readonly number[] =>
  Array.from({ length: (to - from) * 6 }, (_, index) => from * minute + index * 10 * second)
const idle = { usePercent: 0 }

describe('GPUs that are idle', () => {
  test('warn once after the time, and again only after one was in use', () => {
    const { told, alarms } = courseOf(times(0, 60).map((at) => figuresOf(at, [idle, idle])))
    expect(told).toEqual(['20 gpuIdle'])
    expect(alarms).toEqual([{ kind: 'gpuIdle', since: 0 }])
    const used = courseOf(
      times(0, 60).map((at) => figuresOf(at, [idle, at === 30 * minute ? { usePercent: 6 } : idle])),
    )
    expect(used.told).toEqual(['20 gpuIdle', '50 gpuIdle'])
  })

  test('do not warn as long as one is in use, or isn’t known to be idle', () => {
    expect(courseOf(times(0, 60).map((at) => figuresOf(at, [idle, {}]))).told).toEqual([])
    expect(courseOf(times(0, 60).map((at) => figuresOf(at, [idle, { usePercent: null }]))).told).toEqual([])
    expect(courseOf(times(0, 60).map((at) => figuresOf(at, null))).told).toEqual([])
    expect(courseOf(times(0, 60).map((at) => figuresOf(at, []))).told).toEqual([])
    expect(isIdle(figuresOf(0, [{ usePercent: 5 }]))).toBe(true)
    expect(isIdle(figuresOf(0, [{ usePercent: null }, {}]))).toBe(false)
  })

  test('begin anew after a gap, in which they may have been in use, and are not told again of the same', () => {
    const gap = [...times(0, 15), ...times(20, 60)].map((at) => figuresOf(at, [idle]))
    expect(courseOf(gap).told).toEqual(['40 gpuIdle'])
    const later = [...times(0, 25), ...times(60, 90)].map((at) => figuresOf(at, [idle]))
    expect(courseOf(later).told).toEqual(['20 gpuIdle'])
  })
})

describe('a level', () => {
  test('warns of the fullest disk above 90%, and again only after it was well below', () => {
    const percents = [90, 91, 89, 92, 86, 91, 84, 90, 93]
    const { told, alarms } = courseOf(percents.map((percent, at) => figuresOf(at * minute, [{}], percent)))
    expect(told).toEqual(['1 diskFull', '8 diskFull'])
    expect(alarms).toEqual([{ kind: 'diskFull', path: '/', percent: 93 }])
  })

  test('warns of the fullest memory and the hottest GPU', () => {
    const { told, alarms } = courseOf([
      figuresOf(0, [{ memoryUsedBytes: 97, celsius: 89 }, {}]),
      figuresOf(minute, [{ memoryUsedBytes: 98 }, { celsius: 90 }]),
      figuresOf(2 * minute, [{ memoryUsedBytes: 100 }, { celsius: 93 }]),
    ])
    expect(told).toEqual(['1 gpuMemoryFull', '1 gpuHot'])
    expect(alarms).toEqual([
      { kind: 'gpuMemoryFull', gpu: 0, percent: 100 },
      { kind: 'gpuHot', gpu: 1, celsius: 93 },
    ])
  })

  test('keeps naming the GPU or disk that it warned of, while that is over', () => {
    const hot = (first: number, second: number, at: number): Figures =>
      figuresOf(at * minute, [{ celsius: first }, { celsius: second }])
    const first = { kind: 'gpuHot', gpu: 0 }
    expect(courseOf([hot(92, 90, 0), hot(91, 94, 1)]).alarms).toMatchObject([{ ...first, celsius: 91 }])
    expect(courseOf([hot(92, 90, 0), hot(88, 94, 1)]).alarms).toMatchObject([{ kind: 'gpuHot', gpu: 1 }])
  })

  test('that isn’t known for a while stays as it was', () => {
    const unknown = { memoryUsedBytes: null, celsius: null }
    const { told, alarms } = courseOf([
      figuresOf(0, [{ celsius: 95 }]),
      figuresOf(minute, [unknown]),
      figuresOf(2 * minute, null),
    ])
    expect(told).toEqual(['0 gpuHot'])
    expect(alarms).toEqual([{ kind: 'gpuHot', gpu: 0, celsius: 95 }])
  })
})

test('a GPU that is gone warns until it’s back; a tool that fails says nothing of it', () => {
  const course = [[{}, {}], null, [{}], [{}], [{}, {}], [{}]].map((gpus, at) => figuresOf(at * minute, gpus))
  const { told, alarms } = courseOf(course)
  expect(told).toEqual(['2 gpuGone', '5 gpuGone'])
  expect(alarms).toEqual([{ kind: 'gpuGone', missing: 1, of: 2 }])
  expect(courseOf([figuresOf(0, [{}]), figuresOf(1, [])]).told).toEqual(['0 gpuGone'])
})

test('a GPU tool that goes on failing after it listed GPUs warns, too', () => {
  const listed = figuresOf(0, [{}, {}])
  const failing = times(0, 6).map((at) => figuresOf(at + 1, null))
  const { told, alarms } = courseOf([listed, ...failing])
  expect(told).toEqual(['5 gpuGone'])
  expect(alarms).toEqual([{ kind: 'gpuGone', missing: null, of: 2 }])
  expect(courseOf([listed, ...failing, figuresOf(6 * minute, [{}, {}])]).alarms).toEqual([])
  expect(courseOf(failing).told).toEqual([])
})

test('an alarm says what it’s of in a few words', () => {
  const title = (...[alarm, price = 1.77]: readonly [Parameters<typeof alarmLine>[0], (number | null)?]) =>
    alarmLine(alarm, price, 20 * minute)
  expect(title({ kind: 'gpuIdle', since: 0 })).toBe('GPU idle for 20 min, $1.77/h')
  expect(title({ kind: 'gpuIdle', since: 0 }, null)).toBe('GPU idle for 20 min, price unknown')
  expect(alarmLine({ kind: 'gpuIdle', since: 0 }, 2, 150 * minute)).toBe('GPU idle for 2 h, $2.00/h')
  expect(title({ kind: 'diskFull', path: '/', percent: 99.9 })).toBe('Disk / nearly full at 99%')
  expect(title({ kind: 'gpuGone', missing: 1, of: 8 })).toBe('1 of 8 GPUs missing')
})

describe('for any figures', () => {
  const anyGpu = fc.record({
    usePercent: fc.option(fc.integer({ min: 0, max: 100 })),
    memoryUsedBytes: fc.option(fc.integer({ min: 0, max: 100 })),
    celsius: fc.option(fc.integer({ min: 0, max: 120 })),
  })
  const anyCourse = fc.array(
    fc.record({
      pause: fc.integer({ min: 1, max: 90 }),
      gpus: fc.option(fc.array(anyGpu, { maxLength: 3 })),
      disk: fc.integer({ min: 0, max: 100 }),
    }),
    { maxLength: 60 },
  )

  test('nothing is told twice in a row without having been over, and what is told warns', () => {
    fc.assert(
      fc.property(anyCourse, (course) => {
        let at = 0
        let health: Health | null = null
        for (const { pause, gpus, disk } of course) {
          at += pause * second
          const before: Health | null = health
          const next = healthAfter(before, figuresOf(at, gpus, disk), minute)
          health = next.health
          for (const { kind } of next.news) {
            expect(before?.told ?? []).not.toContain(kind)
            expect(next.health.alarms.map((one) => one.kind)).toContain(kind)
          }
          for (const { kind } of next.health.alarms) expect(next.health.told).toContain(kind)
        }
      }),
    )
  })

  test('idle GPUs never warn before the time is over since the last that was in use', () => {
    fc.assert(
      fc.property(anyCourse, (course) => {
        let at = 0
        let health: Health | null = null
        let usedAt = 0
        for (const { pause, gpus, disk } of course) {
          at += pause * second
          if (gpus === null || gpus.length === 0 || gpus.some(({ usePercent }) => (usePercent ?? 100) > 5))
            usedAt = at
          health = healthAfter(health, figuresOf(at, gpus, disk), minute).health
          if (health.alarms.some(({ kind }) => kind === 'gpuIdle'))
            expect(at - usedAt).toBeGreaterThanOrEqual(minute)
        }
      }),
    )
  })
})
