import fc from 'fast-check'
import { expect, test } from 'vitest'
import { changesOf, instancesChange, wholeLists } from '#contract/instances-changes.ts'
import type { InstancesList, ListedInstance } from '#domain/instances/listed-instance.ts'

function instance(id: number, record: Readonly<Record<string, unknown>> = {}): ListedInstance {
  const history = [{ status: 'running', at: 1 }]
  return { id, status: 'running', record: { id, ...record }, history, pending: null }
}

function list(instances: InstancesList['instances'], others: Partial<InstancesList> = {}): InstancesList {
  return {
    instances,
    unreadable: [],
    fetchedAt: 1,
    problem: null,
    nextPollAt: null,
    notices: [],
    isRemembered: false,
    ...others,
  }
}

async function* each<T>(values: readonly T[]): AsyncGenerator<T, void, void> {
  for (const value of values) yield await Promise.resolve(value)
}

async function all<T>(values: AsyncIterable<T>): Promise<T[]> {
  const taken: T[] = []
  for await (const value of values) taken.push(value)
  return taken
}

/** As they come over a port. */
async function crossing(lists: readonly InstancesList[]) {
  const sent = await all(changesOf(each(lists)))
  return sent.map((change) => instancesChange.parse(JSON.parse(JSON.stringify(change))))
}

async function received(lists: readonly InstancesList[]): Promise<readonly InstancesList[]> {
  const changes = await crossing(lists)
  return all(await wholeLists(() => Promise.resolve(each(changes)))())
}

test('only what has changed crosses', async () => {
  const [, next] = await crossing([
    list([instance(1, { uptime_mins: 1, gpu_name: 'RTX 4090' }), instance(2, { gpu_temp: 40 })]),
    list([instance(1, { uptime_mins: 2, gpu_name: 'RTX 4090' }), instance(2)]),
  ])
  expect(next?.instances?.changed).toEqual([
    { id: 1, fields: { uptime_mins: 2 } },
    { id: 2, gone: ['gpu_temp'] },
  ])
})

test('what is listed, and in which order, crosses when it has changed', async () => {
  const [one, two] = [instance(1), instance(2)]
  const changes = await crossing([
    list(null),
    list([one, two]),
    list([one, two]),
    list([two, one]),
    list([two]),
  ])
  expect(changes.map(({ instances }) => instances?.ids)).toEqual([undefined, [1, 2], undefined, [2, 1], [2]])
})

test('a change that is missing, comes twice, or comes too early is not taken for the next one', async () => {
  const [first, second, third] = await crossing([1, 2, 3].map((minute) => list([instance(1, { minute })])))
  if (!first || !second || !third) throw new Error('Three lists crossed as fewer changes')
  for (const wrong of [[second], [first, third], [first, first], [first, second, first]]) {
    const [last, ...before] = wrong.toReversed()
    const taken = await wholeLists(() => Promise.resolve(each(wrong)))()
    for (const _ of before) await taken.next()
    await expect(taken.next(), `Change ${last?.place}`).rejects.toThrow(/list of instances change/)
  }
})

test('an instance of which nothing has changed is the same object, also in another order', async () => {
  const ports = { '22/tcp': [{ HostPort: '1' }] }
  const [first, second] = await received([
    list([instance(1, { ports }), instance(2), instance(3)]),
    list([instance(2, { gpu_temp: 40 }), instance(1, structuredClone({ ports }))]),
  ])
  expect(second?.instances?.map(({ id }) => id)).toEqual([2, 1])
  expect(second?.instances?.[1]).toBe(first?.instances?.[0])
  expect(second?.instances?.[0]).not.toBe(first?.instances?.[1])
})

test('a list in which nothing has changed is the same one', async () => {
  const instances = [instance(1), instance(2)]
  const [first, second] = await received([list(instances), list([...instances], { nextPollAt: 9 })])
  expect(second?.instances).toBe(first?.instances)
  expect(second?.nextPollAt).toBe(9)
})

test('whoever follows anew is told all', async () => {
  const lists = [list([instance(1, { gpu_name: 'RTX 4090' })])]
  await received(lists)
  expect(await received(lists)).toEqual(lists)
})

const json = fc.jsonValue({ maxDepth: 2 })
const someInstance = fc
  .record({
    id: fc.integer({ min: 1, max: 4 }),
    status: fc.constantFrom('running', 'exited', null),
    record: fc.dictionary(fc.constantFrom('a', 'b', 'ports', 'label'), json),
    pendingSince: fc.option(fc.nat()),
    label: fc.option(fc.string({ maxLength: 3 })),
  })
  .map(({ id, status, record, pendingSince, label }): ListedInstance => {
    const pending: ListedInstance['pending'] =
      pendingSince === null ? null : { action: 'stop', since: pendingSince, failure: null, lists: 0 }
    const own = label === null ? {} : { own: { label: label.trim(), note: '' } }
    return { ...instance(id, record), status, pending, ...own }
  })
const someLists = fc.array(
  fc
    .option(fc.uniqueArray(someInstance, { selector: ({ id }) => id, maxLength: 4 }))
    .map((them) => list(them)),
  { maxLength: 6 },
)

test('the lists come out as they went in, whatever they are', async () => {
  await fc.assert(
    fc.asyncProperty(someLists, async (lists) => {
      // As JSON knows them: it has no −0.
      expect(await received(lists)).toEqual(JSON.parse(JSON.stringify(lists)))
    }),
  )
})
