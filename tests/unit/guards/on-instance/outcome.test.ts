import { describe, expect, test } from 'vitest'
import type { WatchedInstance } from '#domain/instances/instance.ts'
import { outcomeOf, wasStoppedSince } from '#services/guards/on-instance/outcome.ts'

const minute = 60_000
const dueAt = 100 * minute
const timed = { kind: 'after', hours: 1 } as const
const idle = { kind: 'idle', minutes: 30 } as const

describe('what has become of a rule whose instance is stopped or gone', () => {
  test.each([
    [
      'its time has not come',
      'stop',
      timed,
      'waiting',
      { dueAt, since: 50 * minute, now: 60 * minute },
      null,
    ],
    ['its time is not known', 'stop', timed, undefined, { dueAt: null, since: null, now: 60 * minute }, null],
    ['it acted', 'stop', timed, 'acting', { dueAt, since: 90 * minute, now: 101 * minute }, 'done'],
    ['it had warned', 'stop', timed, 'warned', { dueAt, since: 101 * minute, now: 101 * minute }, 'done'],
    [
      'nothing was heard',
      'stop',
      timed,
      'waiting',
      { dueAt, since: 101 * minute, now: 101 * minute },
      'seen',
    ],
    [
      'it went while Slipway was closed',
      'destroy',
      timed,
      undefined,
      { dueAt, since: null, now: dueAt },
      'seen',
    ],
    [
      'somebody stopped it before',
      'stop',
      timed,
      'waiting',
      { dueAt, since: 50 * minute, now: dueAt },
      'not-needed',
    ],
    ['somebody stopped what idled', 'stop', idle, 'waiting', { dueAt, since: 50 * minute, now: dueAt }, null],
    [
      'somebody destroyed it before',
      'destroy',
      timed,
      'waiting',
      { dueAt, since: 50 * minute, now: dueAt },
      null,
    ],
  ] as const)('%s', (_, action, condition, phase, when, outcome) => {
    const rule = phase && { phase, reply: 0 }
    expect(outcomeOf({ action, condition }, rule, when)).toBe(outcome)
  })

  test('what the service refused the instance, somebody else has done', () => {
    const when = { dueAt, since: 101 * minute, now: 110 * minute }
    const refused = { phase: 'acting', reply: 401 } as const
    expect(outcomeOf({ action: 'stop', condition: timed }, refused, when)).toBe('seen')
  })
})

test('whether an instance was stopped at some time since', () => {
  const history = [
    { status: 'running', at: 10 },
    { status: 'exited', at: 20 },
    { status: 'running', at: 30 },
  ]
  const instance: WatchedInstance = { id: 1, status: 'running', record: { id: 1 }, history, pending: null }
  expect([5, 25, 30, 31].map((since) => wasStoppedSince(instance, since))).toEqual([true, true, true, false])
  expect(wasStoppedSince({ ...instance, history: history.slice(0, 2) }, 5)).toBe(false)
})

test('a host that is silent has stopped nothing', () => {
  const history = ['running', 'offline', 'running'].map((status, at) => ({ status, at }))
  const instance: WatchedInstance = { id: 1, status: 'running', record: { id: 1 }, history, pending: null }
  expect(wasStoppedSince(instance, 0)).toBe(false)
})
