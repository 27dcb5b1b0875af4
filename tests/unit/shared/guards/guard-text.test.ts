import { describe, expect, test } from 'vitest'
import type { FiredGuard } from '#domain/guards/guard.ts'
import { firedGuardText } from '#shared/guards/guard-text.ts'
import { formatExact } from '#ui/format.ts'

const dueAt = Date.UTC(2026, 10, 22, 2)
const fired: FiredGuard = {
  ...{ id: 'g', instanceId: 7, action: 'stop', condition: { kind: 'idle', minutes: 60 }, place: 'instance' },
  ...{ dueAt, firedAt: dueAt, doneAt: dueAt + 60_000, ranAt: null, outcome: 'done' },
}

describe('what a rule on an instance has done', () => {
  test('with its time where the instance told it', () => {
    expect(firedGuardText({ ...fired, ranAt: dueAt })).toEqual({
      title: `Instance 7 stopped itself at ${formatExact(dueAt)}`,
      text: 'Rule: Stop after 60 min idle. You’re still charged for its disk.',
    })
  })

  test('is not claimed of what somebody else may have done', () => {
    const { title, text } = firedGuardText({ ...fired, outcome: 'seen' })
    expect(title).toBe('Instance 7 is stopped')
    expect(text).toContain(`It was due at ${formatExact(dueAt)} if the instance stayed idle.`)
    expect(text).toContain('hasn’t said whether the rule or someone else stopped it')
  })

  test('is nothing where its time passed while the instance was stopped', () => {
    const { title, text } = firedGuardText({ ...fired, outcome: 'passed' })
    expect(title).toBe('Auto-stop rule didn’t run on instance 7')
    expect(text).toContain('now runs without this rule')
  })
})
