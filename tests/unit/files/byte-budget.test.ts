import { expect, test } from 'vitest'
import { ByteBudget } from '#services/files/byte-budget.ts'

test('whoever waits is served in order, and not overtaken', async () => {
  const budget = new ByteBudget(10)
  expect(budget.tryTake(8)).toBe(true)
  expect(budget.tryTake(3)).toBe(false)
  const served: string[] = []
  const large = budget.take(6).then(() => served.push('large'))
  const small = budget.take(1).then(() => served.push('small'))
  expect(budget.tryTake(1)).toBe(false)
  budget.give(4)
  await large
  expect(served).toEqual(['large'])
  budget.give(4)
  await small
  expect(served).toEqual(['large', 'small'])
  budget.give(7)
  expect(budget.tryTake(10)).toBe(true)
})
