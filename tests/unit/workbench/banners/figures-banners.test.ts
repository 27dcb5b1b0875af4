import { expect, test } from 'vitest'
import type { FiguresAlarm } from '#domain/figures/figures-alarm.ts'
import { figuresBanners } from '../../../../src-renderer/workbench/banners/figures-banners.ts'

const idle: FiguresAlarm = { kind: 'gpuIdle', since: 0 }
const hot: FiguresAlarm = { kind: 'gpuHot', gpu: 0, celsius: 91 }
const context = { priceOf: () => 1.77, now: 20 * 60_000 }
const titlesOf = (count: number, dismissed: readonly string[] = [], alarms: FiguresAlarm[] = [idle]) =>
  figuresBanners(
    Array.from({ length: count }, (_, index) => ({ instanceId: index + 1, alarms, lasting: [] })),
    new Set(dismissed),
    context,
  ).map(({ title }) => title)

test('a few alarms of a kind have a banner each, many have one together', () => {
  expect(titlesOf(2)).toEqual(['Instance 1: GPU idle', 'Instance 2: GPU idle'])
  expect(titlesOf(100)).toEqual(['100 instances: GPU idle'])
  expect(titlesOf(4, [], [idle, hot])).toEqual(['4 instances: GPU idle', '4 instances: GPU hot'])
})

test('one is dismissed by its instance and kind, and many with the banner that tells them', () => {
  expect(titlesOf(2, ['1-gpuIdle'], [idle, hot])).toEqual([
    'Instance 1: GPU 0 hot',
    'Instance 2: GPU 0 hot',
    'Instance 2: GPU idle',
  ])
  const [together] = figuresBanners(
    Array.from({ length: 5 }, (_, index) => ({ instanceId: index + 1, alarms: [idle], lasting: [] })),
    new Set(),
    context,
  )
  expect(titlesOf(5, together?.alarms)).toEqual([])
  expect(titlesOf(6, together?.alarms)).toEqual(['Instance 6: GPU idle'])
})
