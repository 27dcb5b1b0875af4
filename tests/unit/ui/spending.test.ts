import { describe, expect, test } from 'vitest'
import type { WatchedInstance } from '#domain/instance.ts'
import { burnPerHourUsd, needsDecision, runwayHours } from '#ui/spending.ts'

function instance(
  status: string | null,
  more: { readonly rate?: unknown; readonly pending?: WatchedInstance['pending'] } = {},
): WatchedInstance {
  return {
    id: 1,
    status,
    record: { id: 1, dph_total: more.rate },
    history: [{ status, at: 0 }],
    pending: more.pending ?? null,
  }
}

describe('burn rate', () => {
  test('adds up what runs and leaves out what does not', () => {
    const burn = burnPerHourUsd([
      instance('running', { rate: 0.3 }),
      instance('running', { rate: 1.5 }),
      instance('exited', { rate: 9 }),
    ])
    expect(burn).toEqual({ kind: 'known', perHourUsd: 1.8, running: 2, unpriced: 0 })
  })

  test('is unknown, not 0, when what runs has no price', () => {
    expect(burnPerHourUsd([instance('running'), instance('running', { rate: '0.3' })])).toEqual({
      kind: 'unknown',
    })
    expect(burnPerHourUsd(null)).toEqual({ kind: 'unknown' })
  })

  test('counts the instances that came without a price', () => {
    expect(burnPerHourUsd([instance('running', { rate: 0.3 }), instance('running')])).toMatchObject({
      perHourUsd: 0.3,
      unpriced: 1,
    })
  })

  test('is 0 when nothing runs', () => {
    expect(burnPerHourUsd([instance('loading', { rate: 2 })])).toMatchObject({ perHourUsd: 0, running: 0 })
  })
})

test('credit lasts as long as the rate lets it, and nobody knows when one of them is unknown', () => {
  const burn = { kind: 'known', perHourUsd: 2, running: 1, unpriced: 0 } as const
  expect(runwayHours(44, burn)).toBe(22)
  expect(runwayHours(-1, burn)).toBe(0)
  expect(runwayHours(null, burn)).toBeNull()
  expect(runwayHours(44, { kind: 'unknown' })).toBeNull()
  expect(runwayHours(44, { ...burn, perHourUsd: 0 })).toBeNull()
})

describe('a decision is needed', () => {
  test.each(['exited', 'unknown', 'offline'])('when an instance is %s', (status) => {
    expect(needsDecision(instance(status))).toBe(true)
  })
  test.each([null, 'loading', 'running', 'something new'])('not when it is %s', (status) => {
    expect(needsDecision(instance(status))).toBe(false)
  })
  test('not while it is being destroyed, but again when that failed', () => {
    const pending = { action: 'destroy', since: 0, failure: null } as const
    expect(needsDecision(instance('offline', { pending }))).toBe(false)
    expect(
      needsDecision(
        instance('offline', { pending: { ...pending, failure: { kind: 'key-refused', message: '' } } }),
      ),
    ).toBe(true)
  })
})
