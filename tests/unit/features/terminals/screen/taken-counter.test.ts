import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  acknowledgeEveryBytes,
  createTakenCounter,
} from '../../../../../src-renderer/features/terminals/screen/taken-counter.ts'

function setUp() {
  const told: number[] = []
  return { told, counter: createTakenCounter((bytes) => told.push(bytes)) }
}

it('tells the running total every 64 KiB, and the rest when asked', () => {
  const { told, counter } = setUp()
  counter.take(acknowledgeEveryBytes - 1)
  expect(told).toEqual([])
  counter.take(1)
  counter.take(5)
  expect(told).toEqual([65_536])
  counter.flush()
  counter.flush()
  expect(told).toEqual([65_536, 65_541])
})

it('never holds back 64 KiB, never tells more than was taken, and never goes back', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.nat(40_000), fc.constant('flush' as const))), (steps) => {
      const { told, counter } = setUp()
      let total = 0
      for (const step of steps) {
        if (step === 'flush') counter.flush()
        else {
          total += step
          counter.take(step)
        }
        const last = told.at(-1) ?? 0
        expect(last).toBeLessThanOrEqual(total)
        expect(total - last).toBeLessThan(acknowledgeEveryBytes)
        if (step === 'flush') expect(last).toBe(total)
      }
      expect(told).toEqual([...new Set(told)].sort((a, b) => a - b))
    }),
  )
})
