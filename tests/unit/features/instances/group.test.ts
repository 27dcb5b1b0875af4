import { expect, test } from 'vitest'
import { groupCost } from '../../../../src-renderer/features/instances/table/group-cost.ts'
import { groupCostText } from '../../../../src-renderer/features/instances/table/group-text.ts'
import { runForAll } from '../../../../src-renderer/features/instances/table/use-group-run.ts'

const running = {
  status: 'running',
  record: { id: 1, dph_total: 1.5, storage_total_cost: 0.02 },
  history: [],
}
const unpriced = { status: 'running', record: { id: 2 }, history: [] }

test('the confirmation adds up what is charged now and afterwards', () => {
  expect(groupCostText(groupCost([running, running], 'destroy'), 'destroy')).toBe(
    'You’re charged $3.00/h for these instances now, and nothing afterwards.',
  )
  expect(groupCostText(groupCost([running, running], 'stop'), 'stop')).toBe(
    'You’re charged $3.00/h for these instances now, and then $0.04/h for their disks until you destroy them.',
  )
  expect(groupCostText(groupCost([running, unpriced], 'destroy'), 'destroy')).toContain('at least $1.50/h')
})

test('all are done in order, a few at a time, and one that takes long holds up no other', async () => {
  const begun: number[] = []
  const waiting: (() => void)[] = []
  const all = runForAll([1, 2, 3, 4, 5], async (id) => {
    begun.push(id)
    if (id === 1) await new Promise<void>((resolve) => waiting.push(resolve))
  })
  await expect.poll(() => begun).toEqual([1, 2, 3, 4, 5])
  waiting[0]?.()
  await all
})
