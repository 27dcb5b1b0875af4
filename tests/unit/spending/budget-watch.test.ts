import { expect, test } from 'vitest'
import { Latest } from '#domain/base/latest.ts'
import type { LedgerLine } from '#domain/spending/ledger-line.ts'
import { type Budget, BudgetWatch } from '#services/spending/budget-watch.ts'
import { FakeClock, settle } from '../../support/fake-clock.ts'
import { memoryFile } from '../../support/memory-file.ts'
import { memoryLog } from '../../support/memory-log.ts'
import { hour } from './look.ts'

/** A budget over what a test says was spent. `run()` again is a restart. */
function budgetWorld() {
  const clock = new FakeClock()
  const file = memoryFile<Budget>(null)
  const told: string[] = []
  const spent = { usd: 0 }
  const lines = (month: string): readonly LedgerLine[] => [
    {
      ...{ kind: 'hour', hour: `${month}-01T00:00Z`, since: `${month}-01T00:00:00.000Z`, instanceId: 1 },
      ...{
        label: null,
        model: null,
        runningSeconds: 1,
        stoppedSeconds: 0,
        unpricedSeconds: 0,
        usd: spent.usd,
      },
    },
  ]
  function run() {
    const counted = new Latest(0)
    const budget = new BudgetWatch({
      ...{ file, clock, log: memoryLog() },
      ledger: { counted, linesOf: async (month) => lines(month) },
      notify: ({ title }) => void told.push(title),
    })
    void budget.follow(new AbortController().signal)
    const spend = async (usd: number) => {
      spent.usd = usd
      counted.set(clock.now())
      await settle()
    }
    return { budget, spend }
  }
  return { clock, file, told, run }
}

test('a disk that takes nothing silences no warning, and each is told once', async () => {
  const world = budgetWorld()
  const { budget, spend } = world.run()
  await budget.set(50)
  Object.assign(world.file, { update: () => Promise.reject(new Error('full')) })
  await spend(41)
  await spend(42)
  expect(world.told).toEqual(['80% of this month’s budget is spent'])
  expect(budget.state.value).toMatchObject({ spentUsd: 42, warning: 80 })
})

test('warns at 80% and at 100%, each once a month, also over a restart', async () => {
  const world = budgetWorld()
  const { budget, spend } = world.run()
  await budget.set(50)
  await spend(39.9)
  expect(world.told).toEqual([])
  expect(budget.state.value).toEqual({ usd: 50, month: '2026-01', spentUsd: 39.9, warning: null })
  await spend(40)
  await spend(45)
  expect(world.told).toEqual(['80% of this month’s budget is spent'])
  expect(budget.state.value?.warning).toBe(80)
  const again = world.run()
  await again.spend(55)
  await again.spend(56)
  expect(world.told.slice(1)).toEqual(['This month’s budget is spent'])
  await world.clock.advance(31 * 24 * hour)
  await again.spend(3)
  expect(again.budget.state.value).toMatchObject({ month: '2026-02', warning: null })
  await again.spend(41)
  expect(world.told).toHaveLength(3)
})

test('a dismissed warning comes back at the next share, and with a new budget', async () => {
  const world = budgetWorld()
  const { budget, spend } = world.run()
  await budget.set(50)
  await spend(41)
  await budget.dismiss()
  expect(budget.state.value?.warning).toBeNull()
  await spend(50)
  expect(budget.state.value?.warning).toBe(100)
  await budget.dismiss()
  await budget.set(55)
  expect(budget.state.value?.warning).toBe(80)
  expect(world.told.at(-1)).toBe('80% of this month’s budget is spent')
})

test('without a budget nothing is told, and removing one takes its warning along', async () => {
  const world = budgetWorld()
  const { budget, spend } = world.run()
  await spend(1000)
  expect([budget.state.value, world.told]).toEqual([null, []])
  await budget.set(10)
  await budget.remove()
  expect(budget.state.value).toBeNull()
})
