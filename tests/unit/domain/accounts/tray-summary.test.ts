import { expect, test } from 'vitest'
import { dueTimeText, traySummaryLines, traySummaryOf } from '#domain/accounts/tray-summary.ts'
import type { GuardView } from '#domain/guards/guard.ts'
import type { ListedInstance } from '#domain/instances/listed-instance.ts'

function instance(id: number, label: string, dph: number, status = 'running'): ListedInstance {
  return { id, status, history: [], pending: null, record: { id, label, dph_total: dph } }
}
function guard(instanceId: number, dueAt: number | null): GuardView {
  return {
    id: `g${instanceId}`,
    instanceId,
    action: 'destroy',
    condition: { kind: 'at', at: 1 },
    place: 'slipway',
    identity: { machineId: null, startedAt: null },
    setAt: 0,
    notBefore: null,
    warnedFor: null,
    stoppedSince: null,
    state: { kind: 'armed' },
    absentSince: null,
    isToldInactive: false,
    dueAt,
  }
}
const at = { serviceAddress: 'https://one.example', unreadable: 0 }
const lines = (traySummary: ReturnType<typeof traySummaryOf>) =>
  traySummaryLines(traySummary, (ms) => `at ${ms}`)

test('all accounts are added up, and the guard that acts first is told', () => {
  const traySummary = traySummaryOf([
    {
      ...at,
      instances: [instance(1, 'training', 0.5), instance(2, 'x', 0.25, 'loading')],
      guards: [guard(1, 900)],
    },
    { ...at, instances: [instance(3, 'render', 1)], guards: [guard(3, 400), guard(9, null)] },
  ])
  expect(lines(traySummary)).toEqual([
    'Spending $1.75/h',
    '2 instances are running',
    'Auto-stop rule destroys render: at 400',
  ])
})

test('an instance of two keys’ lists counts once, and one of the same ID at another service by itself', () => {
  const other = { serviceAddress: 'https://other.example', unreadable: 0 }
  const traySummary = traySummaryOf([
    { ...at, instances: [instance(1, 'a', 0.5)], guards: [guard(1, null)] },
    { ...at, instances: [instance(1, 'a', 0.5), instance(2, 'b', 1)], guards: [guard(1, null)] },
    { ...other, instances: [instance(1, 'c', 2)], guards: [] },
  ])
  expect(lines(traySummary)).toEqual([
    'Spending $3.50/h',
    '3 instances are running',
    '2 auto-stop rules, no time set',
  ])
})

test('what is not known is never said to be nothing', () => {
  expect(lines(traySummaryOf([{ ...at, instances: null, guards: [] }]))[0]).toBe('Spending unknown')
  const half = traySummaryOf([
    { ...at, instances: null, guards: [] },
    { ...at, instances: [instance(1, 'a', 0.5)], guards: [] },
  ])
  expect(lines(half).slice(0, 2)).toEqual(['Spending at least $0.50/h', '1 instance is running'])
  expect(lines(traySummaryOf([{ ...at, instances: [], unreadable: 1, guards: [] }]))[0]).toBe(
    'Spending unknown',
  )
  // The one that can't be read may be another instance, or the one that's counted from the list before.
  const partly = traySummaryOf([
    { ...at, instances: [instance(1, 'a', 0.5)], unreadable: 1, guards: [] },
    { ...at, instances: null, guards: [] },
  ])
  expect(lines(partly)[0]).toBe('Spending about $0.50/h')
  expect(lines(traySummaryOf([]))).toEqual([
    'Spending $0.00/h',
    'No instances are running',
    'No auto-stop rules',
  ])
})

test('guards that are set are never said not to be, though nothing can be said of when they act', () => {
  const [, , one] = lines(
    traySummaryOf([{ ...at, instances: [instance(1, 'a', 1)], guards: [guard(1, null)] }]),
  )
  expect(one).toBe('1 auto-stop rule, no time set')
  const [, , two] = lines(traySummaryOf([{ ...at, instances: [], guards: [guard(1, null), guard(2, null)] }]))
  expect(two).toBe('2 auto-stop rules, no time set')
})

test('the same hour three weeks later is another time', () => {
  expect(dueTimeText(new Date(2026, 10, 21, 12).getTime())).toMatch(/^Sat, Nov 21, \d\d:\d\d$/)
  const weekMs = 7 * 24 * 60 * 60 * 1000
  expect(dueTimeText(0)).not.toBe(dueTimeText(3 * weekMs))
})

test('a hostile label neither reorders the line nor makes it long', () => {
  const label = `\u202Eevil\n\n${'x'.repeat(500)}`
  const [, , line = ''] = lines(
    traySummaryOf([{ ...at, instances: [instance(1, label, 1)], guards: [guard(1, 1)] }]),
  )
  expect(line).not.toMatch(/[\u202E\n]/)
  expect(line.length).toBeLessThan(80)
})
