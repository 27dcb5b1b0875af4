import { expect, test } from 'vitest'
import type { WatchedInstance } from '#domain/instances/instance.ts'
import { moneyObstacle } from '#services/guards/money-obstacle.ts'

const running = (dphTotal?: number): WatchedInstance => ({
  id: 1,
  status: 'running',
  record: { id: 1, actual_status: 'running', ...(dphTotal !== undefined && { dph_total: dphTotal }) },
  history: [{ status: 'running', at: 0 }],
  pending: null,
})
const plenty = { instances: [], unreadable: 0, unlistedUsd: 0, creditUsd: 1000, creditHours: 12, limit: null }
const limit = { usd: 10, setAt: 0, reachedAt: null, spentUsd: 0, dueAt: null, uncounted: 0 }

test('credit has to last, with what runs and with the next instance', () => {
  expect(moneyObstacle(0.5, plenty)).toBeNull()
  expect(moneyObstacle(0.5, { ...plenty, creditUsd: 6 })).toBeNull()
  expect(moneyObstacle(0.5, { ...plenty, creditUsd: 5.9 })).toBe('low-credit')
  expect(moneyObstacle(0.5, { ...plenty, creditUsd: 17.9, instances: [running(1)] })).toBe('low-credit')
  expect(moneyObstacle(0.5, { ...plenty, creditUsd: 18, instances: [running(1)] })).toBeNull()
})

test('no credit is low, also while nothing runs', () => {
  for (const creditUsd of [0, -3]) expect(moneyObstacle(0, { ...plenty, creditUsd })).toBe('low-credit')
  expect(moneyObstacle(0.5, { ...plenty, creditUsd: 0.01 })).toBe('low-credit')
})

test('credit that isn’t known isn’t taken for enough', () => {
  for (const creditUsd of [null, undefined, NaN])
    expect(moneyObstacle(0.5, { ...plenty, creditUsd })).toBe('credit-unknown')
})

test('what has no price yet is counted at the price of the next one', () => {
  expect(moneyObstacle(0.5, { ...plenty, creditUsd: 11.9, instances: [running()] })).toBe('low-credit')
  expect(moneyObstacle(0.5, { ...plenty, creditUsd: 12, instances: [running()] })).toBeNull()
  expect(moneyObstacle(0.5, { ...plenty, creditUsd: 11.9, unreadable: 1 })).toBe('low-credit')
  expect(moneyObstacle(0.5, { ...plenty, creditUsd: 23.9, unreadable: 1, instances: [running(1)] })).toBe(
    'low-credit',
  )
})

test('what was rented a moment ago counts before a list shows it', () => {
  expect(moneyObstacle(0.5, { ...plenty, creditUsd: 11.9, unlistedUsd: 0.5 })).toBe('low-credit')
  expect(moneyObstacle(0.5, { ...plenty, creditUsd: 12, unlistedUsd: 0.5 })).toBeNull()
})

test('at the cost limit nothing is rented, nor when it would be near', () => {
  expect(moneyObstacle(0.5, { ...plenty, limit })).toBeNull()
  expect(moneyObstacle(0.5, { ...plenty, limit: { ...limit, reachedAt: 1 } })).toBe('limit-reached')
  expect(moneyObstacle(0.5, { ...plenty, limit: { ...limit, spentUsd: 9.99 } })).toBe('limit-near')
  for (const spentUsd of [10, 11])
    expect(moneyObstacle(0, { ...plenty, limit: { ...limit, spentUsd } })).toBe('limit-near')
})
