import { describe, expect, test } from 'vitest'
import { affected, groupCost } from '../../../../../src-renderer/features/instances/table/group-cost.ts'

const running = {
  status: 'running',
  record: { id: 1, dph_total: 0.5, storage_total_cost: 0.02 },
  history: [],
}
const dead = { status: 'exited', record: { id: 2, dph_total: 9, storage_total_cost: 0.03 }, history: [] }
const unpriced = { status: 'running', record: { id: 3 }, history: [] }

describe('what a group costs', () => {
  test('after a stop their disks are left, after a destroy nothing', () => {
    expect(groupCost([running, dead], 'stop')).toMatchObject({
      now: { perHourUsd: 0.53 },
      after: { perHourUsd: 0.05, unpriced: 0 },
    })
    expect(groupCost([running, dead], 'destroy').after).toMatchObject({ kind: 'known', perHourUsd: 0 })
  })

  test('a price that is not known is counted as such, not as 0', () => {
    expect(groupCost([running, unpriced], 'stop')).toMatchObject({
      now: { unpriced: 1 },
      after: { unpriced: 1 },
    })
    expect(groupCost([unpriced], 'stop').now).toEqual({ kind: 'unknown' })
  })

  test('what does not compute is not stopped', () => {
    expect(affected([running, dead, unpriced], 'stop')).toEqual([running, unpriced])
    expect(affected([running, dead, unpriced], 'destroy')).toEqual([running, dead, unpriced])
  })
})
