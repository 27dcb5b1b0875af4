import { describe, expect, test } from 'vitest'
import { limitStandText } from '../../../../../src-renderer/features/instances/guards/cost-limit-text.ts'

const hour = 3_600_000
const limit = { usd: 20, setAt: 0, spentUsd: 3.1, dueAt: 5 * hour, uncounted: 0, reachedAt: null }

describe('how a cost limit stands', () => {
  test('what has been spent of it, and when it will be reached', () => {
    expect(limitStandText(limit, hour)).toMatch(
      /^\$3\.10 of \$20\.00 since .*\. At the current prices, Slipway stops all instances in 4:00:00\.$/,
    )
  })

  test('that nothing brings it nearer', () => {
    expect(limitStandText({ ...limit, dueAt: null }, hour)).toContain('You aren’t charged now.')
  })

  test('what it leaves out', () => {
    expect(limitStandText({ ...limit, uncounted: 2 }, hour)).toContain(
      '2 instances without a known price can’t be counted.',
    )
  })
})
