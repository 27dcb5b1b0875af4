import { expect, test } from 'vitest'
import type { PageRequest } from '#domain/workbench/page-request.ts'
import { showInstance } from '#services/accounts/show-instance.ts'

/** Accounts by the instances that each lists; `null` for one whose list is not known. */
function setUp(lists: Readonly<Record<string, readonly number[] | null>>, front: string) {
  const given: string[] = []
  const servicesOf = (id: string) => {
    const instances =
      lists[id]?.map((one) => ({
        ...{ id: one, status: 'running', history: [], pending: null, record: { id: one } },
      })) ?? null
    return {
      summary: {
        now: () => ({
          state: { kind: 'none' as const },
          instances: [],
          unreadable: 0,
          alarms: { creditHours: null, unattended: [] },
          summarized: { serviceAddress: null, instances, unreadable: 0, guards: [] },
        }),
        changes: [],
      },
    }
  }
  const accounts = {
    all: Object.keys(lists).map((id) => ({ id, services: servicesOf(id) })),
    askFront: (request: PageRequest) => void given.push(`${front}: ${JSON.stringify(request)}`),
    openInstance: (account: string, id: number) => void given.push(`${account} shows ${id}`),
  }
  let sleptMs = 0
  const clock = {
    now: () => 0,
    sleep: async (ms: number): Promise<void> => {
      sleptMs += ms
    },
  }
  const open = (id: number) => showInstance(id, { accounts, clock, signal: new AbortController().signal })
  return { given, open, slept: () => sleptMs }
}

test('a link leads to the account that has the instance, whichever is in front', async () => {
  const { given, open, slept } = setUp({ a: [1], b: [2] }, 'a')
  await open(2)
  expect(given).toEqual(['b shows 2'])
  expect(slept()).toBe(0)
})

test('where none has it, the page in front says so, and of which accounts that is not known', async () => {
  const { given, open, slept } = setUp({ a: [1], b: null }, 'a')
  await open(3)
  expect(given).toEqual(['a: {"kind":"instance-unclear","id":3,"accounts":[],"unknown":["b"]}'])
  // A list that may still come was waited for, and not for ever.
  expect(slept()).toBeGreaterThan(5_000)
  expect(slept()).toBeLessThan(10_000)
})

test('where several have one of that id, the page in front asks', async () => {
  const { given, open } = setUp({ a: [1], b: [1] }, 'b')
  await open(1)
  expect(given).toEqual(['b: {"kind":"instance-unclear","id":1,"accounts":["a","b"],"unknown":[]}'])
})
