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
const listOf = (instances: readonly InstanceState[]) => ({ instances, unreadable: [] })
const limitOf = (usd: number, instances: readonly InstanceState[] = all) =>
  newLimit(usd, null, listOf(instances), 0)

describe('a limit on what all instances cost', () => {
  test('counts what they cost together from when it was set', () => {
    expect(limitView(limitOf(30), listOf(all), hour)).toEqual({
      ...{ usd: 30, setAt: 0, spentUsd: 3, dueAt: 10 * hour, uncounted: 0, reachedAt: null },
    })
  })

  test('that is changed goes on counting', () => {
    const counted = countOn(limitOf(30), all, 5 * minute)
    const changed = newLimit(40, { ...counted, warnedAt: 1 }, listOf(all), 5 * minute)
    expect(changed).toMatchObject({ usd: 40, setAt: 0, spentUsd: 0.25, warnedAt: null })
    expect(newLimit(40, { ...counted, reachedAt: 1 }, listOf(all), hour)).toMatchObject({ spentUsd: 0 })
  })

  test('an absurd price that is gone in the next list brings it no nearer', () => {
    const absurd = countOn(limitOf(30), [running(1, 1e6), running(2, 1)], minute)
    expect(limitDueAt(absurd, minute)).toBe(11 * minute)
    const usual = countOn({ ...absurd, warnedAt: minute }, all, 2 * minute)
    expect(usual).toMatchObject({ warnedAt: null, perHourUsd: 3 })
    expect(usual.spentUsd).toBeCloseTo(0.1)
  })

  test('counts what is listed both before and after', () => {
    const limit = limitOf(30)
    expect(countOn(limit, [running(1, 2)], 10 * hour).spentUsd).toBeCloseTo(20)
    expect(countOn(limit, [...all, running(3, 9)], 10 * hour).spentUsd).toBeCloseTo(30)
    expect(countOn(limit, [], 10 * hour).spentUsd).toBe(0)
  })

  test('never stops anything less than 10 minutes after its warning, nor later for a clock that was set back', () => {
    const limit = limitOf(0.01)
    expect(isNear(limit, 0)).toBe(true)
    expect(limitDueAt({ ...limit, warnedAt: 0 }, minute)).toBe(10 * minute)
    expect(limitDueAt({ ...limit, warnedAt: 24 * hour }, minute)).toBe(11 * minute)
  })

  test('is warned of anew when it had come far away again, and after a gap', () => {
    const near = { ...limitOf(0.5), warnedAt: 0 }
    expect(countOn(near, all, minute).warnedAt).toBe(0)
    expect(countOn(near, [running(1, 0.01)], minute).warnedAt).toBeNull()
    expect(countOn(near, all, 11 * minute).warnedAt).toBeNull()
  })

  test('says how many it cannot count', () => {
    const listed = [running(1, null), running(2, 1)]
    const list = { instances: listed, unreadable: ['x'] }
    expect(limitView(limitOf(1, listed), list, 0)).toMatchObject({ uncounted: 2, dueAt: hour })
    expect(limitView(limitOf(1, []), listOf([]), 0)).toMatchObject({ uncounted: 0, dueAt: null })
  })

  test('many lists count as much as one; what a wrong clock added is taken back', () => {
    const steps = fc.array(fc.integer({ min: -5 * minute, max: 9 * minute }), { maxLength: 50 })
    fc.assert(
      fc.property(steps, (pauses) => {
        let [limit, now] = [{ ...limitOf(1000), spentUsd: 50 }, 0]
        for (const pause of pauses) limit = countOn(limit, all, (now += pause))
        expect(limit.spentUsd).toBeCloseTo(50 + (3 * now) / hour)
      }),
    )
  })
})
