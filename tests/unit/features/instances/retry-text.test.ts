import { expect, test } from 'vitest'
import type { TimedStep } from '#domain/renting/retry.ts'
import { noMachineText } from '../../../../src-renderer/features/instances/retry-text.ts'

test('an empty list says that Slipway is trying, and no more once the user has stopped it', () => {
  const rented: TimedStep = { at: 0, step: { kind: 'rented', instanceId: 7 } }
  const stopped: TimedStep = { at: 1, step: { kind: 'stopping', machine: 'destroy' } }
  const destroying: TimedStep = { at: 2, step: { kind: 'destroying', instanceId: 7 } }
  expect(noMachineText([rented])).toMatch(/^Slipway is trying/)
  expect(noMachineText([rented, stopped, destroying])).toMatch(/^You stopped trying/)
  expect(noMachineText([rented, stopped, destroying])).not.toContain('nothing is charged')
})
