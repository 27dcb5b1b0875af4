import { describe, expect, test } from 'vitest'
import type { Figures, Gpu } from '#domain/figures/figures.ts'
import { FiguresHistory } from '#services/figures/figures-history.ts'

const second = 1_000
const hour = 3_600 * second

const gpu = (index: number, usePercent: number): Gpu => ({
  ...{ index, uuid: null, name: 'A', usePercent, memoryUsedBytes: 1, memoryBytes: 4 },
  ...{ celsius: null, watts: null, mostWatts: null, megahertz: null },
})
const figuresAt = (at: number, uses: readonly number[] | null): Figures => ({
  at,
  cores: { used: 1, limit: 4 },
  memory: null,
  disks: [],
  network: { inBytesPerSecond: 7, outBytesPerSecond: 8 },
  gpus:
    uses === null
      ? { kind: 'failed', says: '' }
      : { kind: 'measured', list: uses.map((use, index) => gpu(index, use)), processes: [] },
})

/** A history of figures that came every so many seconds. */
function historyOf(seconds: number, pace: number, uses: (second: number) => readonly number[] | null) {
  const history = new FiguresHistory()
  for (let at = 0; at <= seconds; at += pace) history.add(figuresAt(at * second, uses(at)))
  return history
}

describe('the course of figures', () => {
  test('is whole for an hour, and a point a minute for a day', () => {
    const points = historyOf(30 * 3_600, 2, () => [50]).since(0)
    const end = 30 * hour
    const last = points.filter(({ at }) => at > end - hour)
    // Lines come every 2 s: of three, one is 5 s or older.
    expect(last.length).toBeGreaterThan(590)
    expect(points.length - last.length).toBeGreaterThan(1_300)
    expect(points.length).toBeLessThanOrEqual(720 + 1_440)
    expect(points.at(-1)).toMatchObject({
      ...{ cores: 25, memory: null, gpu: 50, gpuMemory: 25, gpus: [50], gpusMemory: [25] },
      ...{ inBytesPerSecond: 7, outBytesPerSecond: 8 },
    })
    expect(points.map(({ at }) => at)).toEqual(points.map(({ at }) => at).toSorted((a, b) => a - b))
  })

  test('keeps what was known while a tool fails, and says that it failed', () => {
    const points = historyOf(300, 5, (at) => (at >= 100 && at < 200 ? null : [10, 30])).since(0)
    expect(points).toHaveLength(61)
    expect(points[0]).toMatchObject({ gpu: 20, gpus: [10, 30] })
    expect(points[25]).toMatchObject({ cores: 25, gpu: null, gpus: [null, null] })
    expect(points.at(-1)).toMatchObject({ gpu: 20 })
  })

  test('begins anew with another count of GPUs', () => {
    const points = historyOf(100, 5, (at) => (at < 50 ? [1, 2] : [3])).since(0)
    expect(points.at(-1)).toMatchObject({ gpus: [3] })
    expect(points.every(({ gpus }) => gpus.length === 1)).toBe(true)
  })

  test('tells what came since a time', () => {
    expect(
      historyOf(100, 5, () => [1])
        .since(90 * second)
        .map(({ at }) => at / second),
    ).toEqual([90, 95, 100])
  })
})
