import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  boundsOfReply,
  carryBounds,
  intersectBounds,
  offsetOf,
  type ClockBounds,
  type MachineTimes,
} from '#domain/vault/clock-offset.ts'

const wallMs = Date.UTC(2026, 0, 1)
const hourMs = 3_600_000
const at = (change: Partial<MachineTimes> = {}): MachineTimes => ({
  wallMs,
  awakeMs: 40_000_000,
  uptimeMs: 50_000_000,
  bootId: 'this start',
  ...change,
})
const later = (ms: number, change: Partial<MachineTimes> = {}): MachineTimes =>
  at({ wallMs: wallMs + ms, awakeMs: 40_000_000 + ms, uptimeMs: 50_000_000 + ms, ...change })
const known: ClockBounds = { lowMs: 2 * hourMs - 500, highMs: 2 * hourMs + 500, seen: at() }

test('replies hold the true offset between them, and eight of them narrow it down', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -2 * hourMs, max: 2 * hourMs }),
      fc.array(
        fc.record({
          gapMs: fc.integer({ min: 0, max: 60_000 }),
          outMs: fc.integer({ min: 1, max: 400 }),
          backMs: fc.integer({ min: 1, max: 400 }),
        }),
        { minLength: 8, maxLength: 8 },
      ),
      (offsetMs, replies) => {
        let bounds: ClockBounds | null = null
        let nowMs = wallMs
        const first: number[] = []
        for (const { gapMs, outMs, backMs } of replies) {
          const sentMs = nowMs + gapMs
          const receivedMs = sentMs + outMs + backMs
          const dateMs = Math.floor((sentMs + outMs + offsetMs) / 1000) * 1000
          const said = boundsOfReply({ dateMs, sentMs, receivedMs }, at())
          if (said) bounds = intersectBounds(bounds, said)
          first.push(bounds ? offsetOf(bounds).errorMs : Infinity)
          nowMs = receivedMs
        }
        expect(bounds?.lowMs).toBeLessThanOrEqual(offsetMs)
        expect(bounds?.highMs).toBeGreaterThanOrEqual(offsetMs)
        expect(first).toEqual([...first].sort((a, b) => b - a))
      },
    ),
  )
})

test.each([
  ['that took longer than a step', { dateMs: wallMs, sentMs: wallMs, receivedMs: wallMs + 31_000 }],
  ['during which the clock was set back', { dateMs: wallMs, sentMs: wallMs, receivedMs: wallMs - 1 }],
  ['of another century', { dateMs: 0, sentMs: wallMs, receivedMs: wallMs }],
  ['without a time', { dateMs: Number.NaN, sentMs: wallMs, receivedMs: wallMs }],
])('a reply %s says nothing', (_, reply) => {
  expect(boundsOfReply(reply, at())).toBeNull()
})

test('of replies that contradict each other the newer counts', () => {
  const newer = { lowMs: 0, highMs: 1000, seen: later(5) }
  expect(intersectBounds(known, newer)).toEqual(newer)
})

describe('what was known', () => {
  const offset = (now: MachineTimes): number | null => {
    const carried = carryBounds(known, now)
    return carried && offsetOf(carried).offsetMs
  }

  test('holds while wall clock and uptime agree, also in a later run, and grows less certain', () => {
    const carried = carryBounds(known, later(10 * hourMs))
    expect(carried && offsetOf(carried).offsetMs).toBeCloseTo(2 * hourMs, 0)
    expect(carried && offsetOf(carried).errorMs).toBeGreaterThan(offsetOf(known).errorMs)
  })

  test('follows a clock that was set', () => {
    expect(offset(later(hourMs, { wallMs: wallMs + hourMs + 2 * hourMs }))).toBeCloseTo(0, 0)
    expect(offset(later(hourMs, { wallMs: wallMs + hourMs - 2 * hourMs }))).toBeCloseTo(4 * hourMs, 0)
  })

  test.each([
    ['sleep', later(hourMs, { awakeMs: 40_000_000 })],
    ['a new start of the machine', later(hourMs, { bootId: 'another start' })],
    [
      'a new start that has no name',
      later(hourMs, { uptimeMs: 60_000, awakeMs: 60_000, bootId: 'this start' }),
    ],
  ])('is lost after %s', (_, now) => {
    expect(carryBounds(known, now)).toBeNull()
  })

  test('is lost where a clock that went on may mean a new start', () => {
    const nameless = { ...known, seen: at({ bootId: null }) }
    const now = later(1000, { wallMs: wallMs + 20 * hourMs, bootId: null })
    expect(carryBounds(nameless, now)).toBeNull()
    expect(carryBounds(nameless, later(1000, { bootId: null }))).not.toBeNull()
  })
})
