import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countOn, isNear, limitDueAt, limitView, newLimit } from '#domain/guards/cost-limit.ts'
import type { InstanceState } from '#domain/instances/instance-status.ts'
import { hour, minute } from './guard-world.ts'

const running = (id: number, perHourUsd: number | null): InstanceState => ({
  status: 'running',
  record: { id, actual_status: 'running', ...(perHourUsd !== null && { dph_total: perHourUsd }) },
  history: [],
})
const all = [running(1, 2), running(2, 1)]

describe('a limit on what all instances cost', () => {
  test('counts what they cost together from when it was set', () => {
    const limit = newLimit(30, all, 0)
    expect(limitView(limit, all, hour)).toEqual({
      usd: 30,
      setAt: 0,
      spentUsd: 3,
      dueAt: 10 * hour,
      unpriced: 0,
    })
  })

  test('an absurd price that is gone in the next list brings it no nearer', () => {
    const absurd = countOn(newLimit(30, all, 0), [running(1, 1e6), running(2, 1)], minute)
    expect(limitDueAt(absurd, minute)).toBe(11 * minute)
    const usual = countOn({ ...absurd, warnedAt: minute }, all, 2 * minute)
    expect(usual).toMatchObject({ warnedAt: null, perHourUsd: 3 })
    expect(usual.spentUsd).toBeCloseTo(0.1)
  })

  test('counts what is listed both before and after', () => {
    const limit = newLimit(30, all, 0)
    expect(countOn(limit, [running(1, 2)], 10 * hour).spentUsd).toBeCloseTo(20)
    expect(countOn(limit, [...all, running(3, 9)], 10 * hour).spentUsd).toBeCloseTo(30)
    expect(countOn(limit, [], 10 * hour).spentUsd).toBe(0)
  })

  test('never stops anything less than 10 minutes after its warning', () => {
    const limit = newLimit(0.01, all, 0)
    expect(isNear(limit, 0)).toBe(true)
    expect(limitDueAt({ ...limit, warnedAt: 0 }, minute)).toBe(10 * minute)
  })

  test('is warned of anew when it had come far away again', () => {
    const near = { ...newLimit(0.5, all, 0), warnedAt: 0 }
    expect(countOn(near, all, minute).warnedAt).toBe(0)
    expect(countOn(near, [running(1, 0.01)], minute).warnedAt).toBeNull()
  })

  test('says what it cannot count', () => {
    const listed = [running(1, null), running(2, 1)]
    expect(limitView(newLimit(1, listed, 0), listed, 0)).toMatchObject({ unpriced: 1, dueAt: hour })
    expect(limitView(newLimit(1, [], 0), [], 0)).toMatchObject({ unpriced: 0, dueAt: null })
  })

  test('counts as much in many looks as in one, and never backward', () => {
    const steps = fc.array(fc.integer({ min: -5 * minute, max: 5 * minute }), { maxLength: 50 })
    fc.assert(
      fc.property(steps, (pauses) => {
        let [limit, now, passed] = [newLimit(1000, all, 0), 0, 0]
        for (const pause of pauses) {
          now += pause
          passed += Math.max(0, pause)
          const next = countOn(limit, all, now)
          expect(next.spentUsd).toBeGreaterThanOrEqual(limit.spentUsd)
          limit = next
        }
        expect(limit.spentUsd).toBeCloseTo((3 * passed) / hour)
      }),
    )
  })
})
