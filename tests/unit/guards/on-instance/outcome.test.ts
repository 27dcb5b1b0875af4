import { describe, expect, test } from 'vitest'
import { dueAtByWord, outcomeOf } from '#services/guards/on-instance/outcome.ts'
import type { WatcherView } from '#domain/guards/watcher.ts'

const minute = 60_000
const dueAt = 100 * minute

describe('what has become of a rule whose instance is stopped or gone', () => {
  test.each([
    ['its time has not come', 'stop', { dueAt, since: 50 * minute, now: 60 * minute }, null],
    ['its time is not known', 'stop', { dueAt: null, since: null, now: 60 * minute }, null],
    ['it stopped when it was due', 'stop', { dueAt, since: 101 * minute, now: 101 * minute }, 'done'],
    ['it went while Slipway was closed', 'destroy', { dueAt, since: null, now: 300 * minute }, 'done'],
    ['somebody stopped it before', 'stop', { dueAt, since: 50 * minute, now: 101 * minute }, 'not-needed'],
    ['somebody destroyed it before', 'destroy', { dueAt, since: 50 * minute, now: 101 * minute }, null],
  ] as const)('%s', (_, action, when, outcome) => {
    expect(outcomeOf(action, when)).toBe(outcome)
  })

  test('an idle one was due when the rest of its time had passed, and at once while it acted', () => {
    const rule = { id: 'g', elapsedSeconds: 600, seconds: 1800, busy: null, phase: 'waiting' } as const
    const view: WatcherView = {
      ...{ instanceId: 1, heardAt: dueAt, foreign: 0, problem: null, isLooking: false },
      watched: [rule],
    }
    expect(dueAtByWord(view, 'g')).toBe(dueAt + 20 * minute)
    expect(dueAtByWord({ ...view, watched: [{ ...rule, phase: 'acting' }] }, 'g')).toBe(dueAt)
    expect(dueAtByWord(view, 'another')).toBeNull()
    expect(dueAtByWord({ ...view, heardAt: null }, 'g')).toBeNull()
  })
})
