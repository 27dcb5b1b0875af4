import { describe, expect, test } from 'vitest'
import type { GuardCondition } from '#domain/guards/guard.ts'
import type { WatcherView } from '#domain/guards/watcher.ts'
import { foreignText, isWatched, watchedText, watcherProblemText } from '#shared/guards/watcher-text.ts'

const now = 1_000_000_000
const idle: GuardCondition = { kind: 'idle', minutes: 30 }
const watched: WatcherView['watched'][number] = {
  ...{ id: 'g', elapsedSeconds: 750, seconds: 1800, busy: null, phase: 'waiting' },
}
const view: WatcherView = {
  ...{ instanceId: 1, heardAt: now - 43_000, foreign: 0, problem: null, isLooking: false },
  watched: [watched],
}
const rule = { id: 'g', condition: idle }

describe('how a rule on the instance stands', () => {
  test('how far it is, and when it was heard from', () => {
    expect(watchedText(rule, view, now)).toBe('Active; idle 12 of 30 min; heard from 43 s ago')
  })

  test('what is left of a time has become less since', () => {
    const timed = { id: 'g', condition: { kind: 'after', hours: 1 } as const }
    const heard = { ...view, watched: [{ ...watched, seconds: 3600, elapsedSeconds: 0 }] }
    expect(watchedText(timed, heard, now)).toContain('59:17 left')
  })

  test('why it is not idle', () => {
    const busy: WatcherView = { ...view, watched: [{ ...watched, busy: 'login' }] }
    expect(watchedText(rule, busy, now)).toContain('not idle: a terminal is open')
  })

  test('that it goes on where it cannot be reached', () => {
    const away = { ...view, problem: { kind: 'not-connected' } as const }
    expect(watchedText(rule, away, now)).toMatch(/^Active; .*; can’t be reached now$/)
    expect(watcherProblemText(away)?.meaning).toContain('go on there')
  })

  test('that it is not active, why, and what that costs', () => {
    const problem = { kind: 'refused', why: 'no-tool' } as const
    const refused: WatcherView = { ...view, heardAt: null, watched: [], problem }
    expect(isWatched(rule, refused)).toBe(false)
    expect(watchedText(rule, refused, now)).toBe('Not active: the instance has no curl, wget, or python3')
    expect(watcherProblemText(refused)?.meaning).toContain('you’re still charged')
  })

  test('what another computer set', () => {
    expect(foreignText(view)).toBeNull()
    expect(foreignText({ ...view, foreign: 2 })).toBe(
      '2 more rules on the instance, set from another computer.',
    )
  })
})
