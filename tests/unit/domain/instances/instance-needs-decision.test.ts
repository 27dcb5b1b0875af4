import { expect, test } from 'vitest'
import { needsDecision } from '#domain/instances/instance-status.ts'
import type { ActionKind, InstanceAction } from '#domain/instances/instance.ts'

const asked = (action: ActionKind, failed = false): InstanceAction => ({
  action,
  since: 0,
  lists: 0,
  failure: failed ? { kind: 'key-refused', message: '' } : null,
})

const instance = (status: string | null, pending: InstanceAction | null = null, record = {}) => ({
  status,
  record,
  history: [{ status, at: 0 }],
  pending,
})

test.each(['exited', 'unknown', 'offline'])('an instance that is %s waits for its owner', (status) => {
  expect(needsDecision(instance(status))).toBe(true)
})
test.each(['exited', 'unknown', 'offline'])(
  'not one that is listed as stopped, though it is %s',
  (status) => {
    expect(needsDecision(instance(status, null, { cur_state: 'stopped' }))).toBe(false)
  },
)
test('not one that was listed as stopped before it exited', () => {
  const history = ['running', 'stopped', 'exited'].map((status, at) => ({ status, at }))
  expect(needsDecision({ ...instance('exited'), history })).toBe(false)
  const again = [...history, { status: 'running', at: 3 }, { status: 'exited', at: 4 }]
  expect(needsDecision({ ...instance('exited'), history: again })).toBe(true)
})
test.each([null, 'loading', 'running', 'something new'])('one that is %s does not', (status) => {
  expect(needsDecision(instance(status))).toBe(false)
})
test('not while it is being destroyed, but again when that failed; stopping it decides nothing', () => {
  expect(needsDecision(instance('offline', asked('destroy')))).toBe(false)
  expect(needsDecision(instance('offline', asked('destroy', true)))).toBe(true)
  expect(needsDecision(instance('offline', asked('stop')))).toBe(true)
})
