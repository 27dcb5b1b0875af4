import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FlowControl } from '#services/terminals/flow-control.ts'

const kib = 1024

describe('the credit of a screen', () => {
  test('is never exceeded, and never forgets what it owes', () => {
    const steps = fc.array(
      fc.record({ receive: fc.nat(100 * kib), take: fc.double({ min: 0, max: 1, noNaN: true }) }),
    )
    fc.assert(
      fc.property(steps, (sequence) => {
        const flowControl = new FlowControl()
        flowControl.noteRoundTrip(10)
        let granted = FlowControl.first
        let received = 0
        let taken = 0
        for (const [step, { receive, take }] of sequence.entries()) {
          // A server sends what it may, and no more.
          const piece = Math.min(receive, granted - received)
          flowControl.receive(piece)
          received += piece
          taken += Math.floor((received - taken) * take)
          granted += flowControl.take(taken, step * 5)
          expect(granted - taken).toBeLessThanOrEqual(4 * 1024 * kib)
          expect(flowControl.backlog).toBe(received - taken)
        }
        // The screen takes the rest: the server may send again.
        granted += flowControl.take(received, 100_000)
        expect(granted - received).toBeGreaterThan(0)
      }),
    )
  })

  test.each([
    { roundTripMs: 1, most: 256 * kib },
    { roundTripMs: 50, most: 50 * 64 * kib },
    { roundTripMs: 100, most: 4 * 1024 * kib },
  ])(
    'grows for a server $roundTripMs ms away that waits while the screen is idle',
    ({ roundTripMs, most }) => {
      const flowControl = new FlowControl()
      flowControl.noteRoundTrip(roundTripMs)
      let granted = FlowControl.first
      let received = 0
      for (let round = 0; round < 10; round += 1) {
        flowControl.receive(granted - received)
        received = granted
        granted += flowControl.take(received, round * roundTripMs)
      }
      expect(flowControl.size).toBe(most)
    },
  )

  test('does not grow for a server that has more to send than it does, also once the clock was set back', () => {
    const flowControl = new FlowControl()
    flowControl.noteRoundTrip(50)
    flowControl.receive(FlowControl.first)
    const granted = flowControl.take(FlowControl.first, 3_600_000)
    expect(granted).toBeGreaterThan(64 * kib)
    const { size } = flowControl
    flowControl.receive(16 * kib)
    flowControl.take(FlowControl.first + 16 * kib, 1_000)
    expect(flowControl.size).toBe(size)
  })

  test('shrinks again while the screen is what limits', () => {
    const flowControl = new FlowControl()
    flowControl.noteRoundTrip(50)
    let granted = FlowControl.first
    let received = 0
    for (let round = 0; round < 3; round += 1) {
      flowControl.receive(granted - received)
      received = granted
      granted += flowControl.take(received, round * 50)
    }
    expect(flowControl.size).toBeGreaterThan(256 * kib)
    // A full window before the screen, which takes a little at a time.
    flowControl.receive(granted - received)
    received = granted
    let taken = received - flowControl.size
    for (let round = 0; round < 500; round += 1) {
      taken += 16 * kib
      const more = flowControl.take(taken, 200 + round)
      granted += more
      received += more
      flowControl.receive(more)
    }
    expect(flowControl.size).toBe(256 * kib)
  })

  test('does not grow for a server that has little to say, however idle the screen is', () => {
    const flowControl = new FlowControl()
    flowControl.noteRoundTrip(1)
    let total = 0
    for (let now = 0; now < 1_000; now += 5) {
      flowControl.receive(60 * kib)
      total += 60 * kib
      flowControl.take(total, now)
    }
    expect(flowControl.size).toBe(256 * kib)
  })

  test('does not grow as long as it is not known how far the server is', () => {
    const { size } = flood({ roundTripMs: 50, screenBytesPerMs: 25_000, isKnown: false })
    expect(size).toBe(256 * kib)
  })

  test('what a screen claims beyond what it was given is not believed', () => {
    const flowControl = new FlowControl()
    flowControl.receive(1000)
    flowControl.take(1_000_000_000, 0)
    expect(flowControl.backlog).toBe(0)
    expect(flowControl.take(2_000_000_000, 0)).toBe(0)
  })

  // As real screens do it: 16 KiB at a time, which never uses a window up at one moment.
  test('grows for a distant server whose screen acknowledges a little at a time', () => {
    const near = flood({ roundTripMs: 0, screenBytesPerMs: 25_000 })
    const far = flood({ roundTripMs: 50, screenBytesPerMs: 25_000 })
    expect(far.taken).toBeGreaterThan(near.taken * 0.75)
    expect(far.size).toBeGreaterThan(1024 * kib)
  })

  test('stays small for a near server, so that Ctrl-C has little to wait for', () => {
    const { mostUnread, size } = flood({ roundTripMs: 0, screenBytesPerMs: 25_000 })
    expect(size).toBe(256 * kib)
    expect(mostUnread).toBeLessThanOrEqual(256 * kib)
  })
})

/** Two seconds of a server that has more to send than anybody can show, with time as a number. */
function flood({
  roundTripMs,
  screenBytesPerMs,
  isKnown = true,
}: {
  readonly roundTripMs: number
  readonly screenBytesPerMs: number
  readonly isKnown?: boolean
}) {
  const flowControl = new FlowControl()
  if (isKnown) flowControl.noteRoundTrip(roundTripMs)
  const output: { readonly at: number; readonly bytes: number }[] = []
  const grants: { readonly at: number; readonly bytes: number }[] = []
  let window = FlowControl.first
  let received = 0
  let taken = 0
  let acknowledged = 0
  let mostUnread = 0
  for (let now = 0; now < 2_000; now += 1) {
    for (; grants[0] && grants[0].at <= now; grants.shift()) window += grants[0].bytes
    const sent = Math.min(window, 100_000)
    window -= sent
    if (sent > 0) output.push({ at: now + roundTripMs / 2, bytes: sent })
    for (; output[0] && output[0].at <= now; output.shift()) {
      flowControl.receive(output[0].bytes)
      received += output[0].bytes
    }
    mostUnread = Math.max(mostUnread, received - taken)
    taken = Math.min(received, taken + screenBytesPerMs)
    while (acknowledged < taken && (taken === received || taken - acknowledged >= 16 * kib)) {
      acknowledged = Math.min(taken, acknowledged + 16 * kib)
      const bytes = flowControl.take(acknowledged, now)
      if (bytes > 0) grants.push({ at: now + roundTripMs / 2, bytes })
    }
  }
  return { taken, mostUnread, size: flowControl.size }
}
