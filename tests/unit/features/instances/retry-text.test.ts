import { expect, test } from 'vitest'
import { retryNotification } from '#domain/notifications/notification.ts'
import type { TimedStep } from '#domain/renting/retry.ts'
import { noMachineText, outcomeText } from '../../../../src-renderer/features/instances/retry-text.ts'

test('an empty list says that Slipway is trying, and no more once the user has stopped it', () => {
  const rented: TimedStep = { at: 0, step: { kind: 'rented', instanceId: 7 } }
  const stopped: TimedStep = { at: 1, step: { kind: 'stopping', machine: 'destroy' } }
  const destroying: TimedStep = { at: 2, step: { kind: 'destroying', instanceId: 7 } }
  expect(noMachineText([rented])).toMatch(/^Auto-retry continues/)
  expect(noMachineText([rented, stopped, destroying])).toMatch(/^You stopped the auto-retry/)
  expect(noMachineText([rented, stopped, destroying])).not.toContain('You aren’t charged')
})

test.each([
  ['out-of-time', /time/],
  ['request-lost', /keychain/],
  ['no-offers', /No offer/i],
] as const)('an instance that was kept is said to be charged, and why: %s', (why, reason) => {
  const outcome = { kind: 'kept', instanceId: 7, why } as const
  for (const text of [outcomeText(outcome).text, retryNotification(outcome)?.body]) {
    expect(text).toMatch(/^Instance 7 was kept, and you’re still charged for it/)
    expect(text).toMatch(reason)
  }
})
