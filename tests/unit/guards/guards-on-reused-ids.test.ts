import { expect, test } from 'vitest'
import { guardWorld, hour, minute } from './guard-world.ts'

test.each([
  ['another machine', { machine_id: 71 }],
  ['another rental of the machine', { start_date: Date.UTC(2026, 0, 1, 0, 30) / 1000 }],
])('an id that belongs to %s now: the guard leaves it alone, and says so', async (_, difference) => {
  const { clock, run, sent, instances, destroyAfter } = guardWorld()
  const { store, news } = await run()
  await store.set(destroyAfter(1))
  const [before] = instances.splice(0)
  await clock.advance(20 * minute)
  if (before) instances.push({ ...before, ...difference })
  await clock.advance(2 * hour)
  expect(sent).toEqual([])
  expect(store.state.value).toMatchObject({ guards: [], fired: [{ outcome: 'other-instance' }] })
  expect(news.map((line) => line.split(' ')[0])).toEqual(['disowned'])
})

test('a guard on another instance with the id goes on when one is disowned', async () => {
  const { clock, run, sent, instances, destroyAfter } = guardWorld()
  const first = await run()
  await first.store.set(destroyAfter(5))
  await first.quit()
  const [before] = instances.splice(0)
  if (before) instances.push({ ...before, machine_id: 71 })
  const { store } = await run('later')
  await store.set(destroyAfter(1))
  await clock.advance(55 * minute)
  expect(store.state.value.guards).toMatchObject([{ identity: { machineId: 71 } }])
  await clock.advance(10 * minute)
  expect(sent).toEqual(['destroy 1'])
})

test('what was not known when a guard was set is learned from the list', async () => {
  const { clock, run, sent, machine, instances, destroyAfter } = guardWorld()
  delete machine['machine_id']
  const { store } = await run()
  await store.set(destroyAfter(1))
  machine['machine_id'] = 70
  await clock.advance(minute)
  instances.splice(0, 1, { ...machine, machine_id: 71 })
  await clock.advance(2 * hour)
  expect(sent).toEqual([])
})
