import { expect, test } from 'vitest'
import { GpuLine, lineStepMs } from '#services/figures/gpu-line.ts'

const now = 1_795_232_670_000

test('a line has the last value of each step, the oldest first, and nothing where none came', () => {
  const line = new GpuLine()
  expect(line.read(now)).toEqual(Array.from({ length: 60 }, () => null))
  line.add(now, 10.4)
  line.add(now + 2_000, 20)
  line.add(now + 3 * lineStepMs, 40)
  expect(line.read(now + 3 * lineStepMs).slice(-5)).toEqual([null, 20, null, null, 40])
  expect(line.read(now + 4 * lineStepMs).slice(-3)).toEqual([null, 40, null])
  expect(line.read(now + 4 * lineStepMs)).toHaveLength(60)
})

test('what is older than ten minutes is gone, and a clock that is set back makes no gap', () => {
  const line = new GpuLine()
  for (let step = 0; step < 100; step += 1) line.add(now + step * lineStepMs, step)
  expect(line.read(now + 99 * lineStepMs)).toEqual(Array.from({ length: 60 }, (_, index) => 40 + index))
  line.add(now, 7)
  expect(line.read(now).slice(-2)).toEqual([98, 7])
  expect(line.read(now + 1_000 * lineStepMs)).toEqual(Array.from({ length: 60 }, () => null))
})
