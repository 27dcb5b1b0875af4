import { describe, expect, test } from 'vitest'
import type { GuardCondition } from '#domain/guards/guard.ts'
import type { WatchedGuard, WatcherView } from '#domain/guards/watcher.ts'
import {
  foreignText,
  removedStandText,
  removedText,
  watchedText,
  watcherProblemText,
} from '../../../../../src-renderer/features/instances/guards/watcher-text.ts'

const now = 1_000_000_000
const idle: GuardCondition = { kind: 'idle', minutes: 30 }
const watched: WatchedGuard = {
  ...{ id: 'g', action: 'stop', condition: 'idle', elapsedSeconds: 750, seconds: 1800, leftSeconds: 1050 },
  ...{ busy: null, phase: 'waiting', reply: 0, isHeard: true, notBefore: null, toldDueAt: null },
}
const view: WatcherView = {
  ...{ instanceId: 1, heardAt: now - 43_000, foreign: 0, isProven: true, problem: null, isLooking: false },
  watched: [watched],
}
const rule = { id: 'g', condition: idle, notBefore: null }
const changed = { ...rule, notBefore: now + 3_600_000 }
const timedRule: WatchedGuard = {
  ...watched,
  condition: 'after',
  seconds: 3600,
  leftSeconds: 3600,
  elapsedSeconds: 0,
}

describe('how a rule on the instance stands', () => {
  test('how far it is, and when it was heard from', () => {
    expect(watchedText(rule, view, now)).toBe('Active; idle 12 of 30 min; heard from 43 s ago')
  })

  test('what is left of a time has become less since, also of one that was postponed there', () => {
    const timed = { ...rule, condition: { kind: 'after', hours: 1 } as const }
    expect(watchedText(timed, { ...view, watched: [timedRule] }, now)).toContain('59:17 left')
    const postponed = { ...timedRule, leftSeconds: 7200 }
    expect(watchedText(timed, { ...view, watched: [postponed] }, now)).toContain('1:59:17 left')
  })

  test('why it is not idle', () => {
    const busy: WatcherView = { ...view, watched: [{ ...watched, busy: 'login' }] }
    expect(watchedText(rule, busy, now)).toContain('not idle: a terminal is open')
  })

  test('how a process stands for whose end it waits', () => {
    const process = { ...rule, condition: { kind: 'process', name: 'train.py' } } as const
    const told: WatchedGuard = { ...watched, condition: 'process', seconds: 600, leftSeconds: 600 }
    const text = (part: Partial<WatchedGuard>) =>
      watchedText(process, { ...view, watched: [{ ...told, ...part }] }, now)
    expect(text({ busy: 'process-unseen' })).toContain('Active; waits for the process to start;')
    expect(text({ busy: 'process' })).toContain('Active; the process is running;')
    expect(text({ elapsedSeconds: 130, leftSeconds: 470 })).toContain('Active; ended; waits 2 of 10 min;')
    expect(text({ phase: 'warned', leftSeconds: 300 })).toContain('Active; 4:17 left;')
    expect(removedText(told, now, now)).toBe('Stop when a process ends')
  })

  test('that it goes on where it cannot be reached', () => {
    const away = { ...view, problem: { kind: 'not-connected' } as const }
    expect(watchedText(rule, away, now)).toMatch(/^Active; .*; can’t be reached now$/)
    expect(watcherProblemText(away)?.meaning).toContain('go on there')
  })

  test('that it is not active, why, and what that costs', () => {
    const problem = { kind: 'refused', why: 'no-tool' } as const
    const refused: WatcherView = { ...view, heardAt: null, watched: [], problem }
    expect(watchedText(rule, refused, now)).toBe('Not active: the instance has no curl, wget, or python3')
    expect(watcherProblemText(refused)?.meaning).toContain('you’re still charged')
  })

  test('that a change was refused, and the former rule goes on', () => {
    const problem = { kind: 'refused', why: 'no-service' } as const
    expect(watchedText(changed, { ...view, problem }, now)).toBe(
      'Still has its former rule; idle 12 of 30 min; heard from 43 s ago; change refused: the instance can’t reach the service',
    )
    expect(watcherProblemText({ ...view, problem })?.meaning).toContain(
      'still has its former rules, and they run',
    )
  })

  test('that it could not be told of a change', () => {
    const away = { ...view, problem: { kind: 'not-connected' } as const }
    expect(watchedText(changed, away, now)).toMatch(/^Still has its former rule; .*; can’t be reached now$/)
  })

  test('that the service refuses its key, and what to do then', () => {
    const refused: WatcherView = { ...view, watched: [{ ...timedRule, phase: 'acting', reply: 403 }] }
    expect(watchedText(rule, refused, now)).toBe(
      'Can’t run: the service refuses the instance’s API key (403); heard from 43 s ago',
    )
    expect(watcherProblemText(refused)).toMatchObject({
      title: 'The instance can’t stop itself',
      nextStep: 'Stop the instance in Slipway.',
    })
  })

  test('that its key was not confirmed', () => {
    const unproven = { ...view, isProven: false }
    expect(watchedText(rule, unproven, now)).toContain('; the service didn’t confirm the instance’s API key')
    expect(watcherProblemText(unproven)?.title).toBe('The instance’s API key isn’t confirmed')
  })

  test('that a cost is not known', () => {
    const unknown: WatcherView = { ...view, watched: [], problem: { kind: 'cost-unknown' } }
    expect(watchedText(rule, unknown, now)).toContain('Not active: its cost is unknown')
    expect(watcherProblemText(unknown)?.nextStep).toContain('another condition')
  })

  test('that it was not heard from for days', () => {
    const old = { ...view, heardAt: now - 3 * 24 * 3_600_000, problem: { kind: 'not-connected' } as const }
    expect(watchedText(rule, old, now)).toMatch(/^Not heard from for days; /)
  })

  test('that it is removed here and still there', () => {
    expect(removedText({ ...timedRule, action: 'destroy' }, now - 43_000, now)).toBe('Destroy in 59:17')
    expect(removedText(watched, now, now)).toBe('Stop after 30 min idle')
    expect(removedStandText(watched, false)).toBe('Removed in Slipway. The instance still has it.')
    expect(removedStandText({ ...watched, isHeard: false }, false)).toContain('may still have it')
    expect(removedStandText(watched, true)).toBe('Removing…')
  })

  test('what another computer set', () => {
    expect(foreignText(view)).toBeNull()
    expect(foreignText({ ...view, foreign: 2 })).toBe(
      '2 more rules on the instance, set from another computer.',
    )
  })
})
