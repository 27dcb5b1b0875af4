import { expect, test } from 'vitest'
import { needsDecision } from '#domain/instances/instance-status.ts'
import type { ActionKind, InstanceAction } from '#domain/instances/instance.ts'

const asked = (action: ActionKind, failed = false): InstanceAction => ({
  action,
  since: 0,
  lists: 0,
  failure: failed ? { kind: 'key-refused', message: '' } : null,
})

test.each(['exited', 'unknown', 'offline'])('an instance that is %s waits for its owner', (status) => {
  expect(needsDecision({ status, pending: null })).toBe(true)
})
test.each([null, 'loading', 'running', 'something new'])('one that is %s does not', (status) => {
  expect(needsDecision({ status, pending: null })).toBe(false)
})
test('not while it is being destroyed, but again when that failed; stopping it decides nothing', () => {
  expect(needsDecision({ status: 'offline', pending: asked('destroy') })).toBe(false)
  expect(needsDecision({ status: 'offline', pending: asked('destroy', true) })).toBe(true)
  expect(needsDecision({ status: 'offline', pending: asked('stop') })).toBe(true)
})
