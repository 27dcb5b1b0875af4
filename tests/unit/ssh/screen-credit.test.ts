import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ScreenCredit } from '../../../src-main/ssh/screen-credit.ts'

const kib = 1024

describe('the credit of a screen', () => {
  test('is never exceeded, and never forgets what it owes', () => {
    const steps = fc.array(
      fc.record({ receive: fc.nat(100 * kib), take: fc.double({ min: 0, max: 1, noNaN: true }) }),
    )
    fc.assert(
      fc.property(steps, (sequence) => {
        const credit = new ScreenCredit()
        let granted = ScreenCredit.first
        let received = 0
        let taken = 0
        for (const { receive, take } of sequence) {
          // A server sends what it may, and no more.
          const piece = Math.min(receive, granted - received)
          credit.receive(piece)
          received += piece
          taken += Math.floor((received - taken) * take)
          granted += credit.take(taken)
          expect(granted - taken).toBeLessThanOrEqual(4 * 1024 * kib)
          expect(credit.backlog).toBe(received - taken)
        }
        // The screen takes the rest: the server may send again.
        granted += credit.take(received)
        expect(granted - received).toBeGreaterThan(0)
      }),
    )
  })

  test('grows for a distant server that waits while the screen is idle, up to 4 MiB', () => {
    const credit = new ScreenCredit()
    let granted = ScreenCredit.first
    let received = 0
    for (let round = 0; round < 10; round += 1) {
      credit.receive(granted - received)
      received = granted
      granted += credit.take(received)
    }
    expect(credit.size).toBe(4 * 1024 * kib)
  })

  test('shrinks again while the screen is what limits', () => {
    const credit = new ScreenCredit()
    let granted = ScreenCredit.first
    let received = 0
    for (let round = 0; round < 3; round += 1) {
      credit.receive(granted - received)
      received = granted
      granted += credit.take(received)
    }
    expect(credit.size).toBeGreaterThan(256 * kib)
    // A full window before the screen, which takes a little at a time.
    credit.receive(granted - received)
    received = granted
    let taken = received - credit.size
    for (let round = 0; round < 500; round += 1) {
      taken += 16 * kib
      const more = credit.take(taken)
      granted += more
      received += more
      credit.receive(more)
    }
    expect(credit.size).toBe(256 * kib)
  })

  test('what a screen claims beyond what it was given is not believed', () => {
    const credit = new ScreenCredit()
    credit.receive(1000)
    credit.take(1_000_000_000)
    expect(credit.backlog).toBe(0)
    expect(credit.take(2_000_000_000)).toBe(0)
  })
})
