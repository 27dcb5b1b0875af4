import { expect, test } from 'vitest'
import { countPendingGuards } from '#services/guards/pending-guards.ts'
import { guardWorld, hour, minute } from './guard-world.ts'
import { stopAfter, watchersWorld } from './on-instance/watchers-world.ts'

test('what a removed rule may still do counts until its instance has let it go', async () => {
  const { clock, script, run } = watchersWorld()
  const { store, watchers, set, calm, pass, view } = await run()
  const count = () => countPendingGuards(store.all, watchers.views.value, clock.now())
  const id = await set({ ...stopAfter(2), action: 'destroy' })
  expect(count()).toBe(0)
  script.connectProblem = { kind: 'timeout' }
  await store.remove(id)
  await calm()
  expect([store.all, count()]).toEqual([[], 1])
  expect(view()).toMatchObject({
    problem: { kind: 'not-connected' },
    watched: [{ id, action: 'destroy', isHeard: true }],
  })
  script.connectProblem = null
  await pass(minute)
  expect(count()).toBe(0)
})

test('a rule on an instance counts when its change did not get there, or when that was last heard from days ago', async () => {
  const { clock, script, run } = watchersWorld()
  const first = await run()
  const id = await first.set(stopAfter(200))
  await first.quit()
  script.connectProblem = { kind: 'timeout' }
  const { store, watchers, calm } = await run('two')
  const count = (now = clock.now()) => countPendingGuards(store.all, watchers.views.value, now)
  expect(count(), 'what it said to an earlier run holds').toBe(0)
  expect(count(clock.now() + 49 * hour)).toBe(1)
  await store.postpone(id)
  await calm()
  expect(count()).toBe(1)
})

test('a rule of an instance that has gone does not count', async () => {
  const { clock, instances, run, destroyAfter } = guardWorld()
  const { store, watch } = await run()
  await store.set(destroyAfter(48))
  const count = () => countPendingGuards(store.all, [], clock.now())
  expect(count()).toBe(1)
  instances.splice(0)
  await watch.refresh()
  expect(count(), 'one list may be wrong').toBe(1)
  await clock.advance(3 * minute)
  expect(count()).toBe(0)
})
