import { expect, test } from 'vitest'
import type { CostLimit } from '#domain/guards/cost-limit.ts'
import { CostLimitWatch } from '#services/guards/cost-limit-watch.ts'
import { settle } from '../../support/fake-clock.ts'
import { memoryFile } from '../../support/memory-file.ts'
import { memoryLog } from '../../support/memory-log.ts'
import { guardWorld, hour, minute } from './guard-world.ts'

/** Slipway with a limit, over machine 1 at $2/h. `run()` again is a restart. */
function limitWorld() {
  const world = guardWorld()
  const { clock } = world
  const limitFile = memoryFile<CostLimit | null>(null)
  const told: string[] = []
  async function run() {
    const app = await world.run()
    const end = new AbortController()
    const limit = new CostLimitWatch({
      ...{ file: limitFile, store: app.store, watch: app.watch, clock, log: memoryLog() },
      notify: ({ title }) => void told.push(title),
    })
    void limit.follow(end.signal)
    await settle()
    const quit = async () => {
      end.abort()
      await app.quit()
    }
    return { ...app, limit, quit }
  }
  return { ...world, limitFile, told, run }
}

test('warns 10 minutes before, stops what runs, and is over', async () => {
  const world = limitWorld()
  const { store, limit } = await world.run()
  await limit.set(1)
  expect(limit.state.value).toMatchObject({ usd: 1, spentUsd: 0 })
  await world.clock.advance(19 * minute)
  expect(world.told).toEqual([])
  await world.clock.advance(2 * minute)
  expect(world.told).toEqual(['All instances will be stopped in 10 minutes'])
  expect(world.sent).toEqual([])
  await world.clock.advance(12 * minute)
  expect(world.sent).toEqual(['stop 1'])
  expect(world.told.at(-1)).toBe('Cost limit of $1 reached')
  expect(limit.state.value).toMatchObject({ reachedAt: expect.any(Number) })
  expect(store.state.value.fired).toMatchObject([
    { instanceId: 1, action: 'stop', condition: { kind: 'limit', usd: 1 }, outcome: 'done' },
  ])
  expect(store.all).toEqual([])
  await world.clock.advance(11 * minute)
  expect(limit.state.value).toBeNull()
  expect(world.limitFile.value).toBeNull()
})

test('what is rented later is neither counted nor stopped once it is over', async () => {
  const world = limitWorld()
  const { limit } = await world.run()
  await limit.set(1)
  await world.clock.advance(31 * minute)
  Object.assign(world.machine, { actual_status: 'running', start_date: world.clock.now() / 1000 })
  delete world.machine['cur_state']
  await world.clock.advance(3 * hour)
  expect(world.sent).toEqual(['stop 1'])
})

test('counts on at the next start, where it ended', async () => {
  const world = limitWorld()
  const first = await world.run()
  await first.limit.set(10)
  await world.clock.advance(hour)
  await first.quit()
  const { limit } = await world.run()
  expect(limit.state.value?.spentUsd).toBeCloseTo(2)
})

test('reached while Slipway was closed, it warns and waits before it stops anything', async () => {
  const world = limitWorld()
  const first = await world.run()
  await first.limit.set(1)
  await first.quit()
  world.clock.sleepThrough(5 * hour)
  await world.run()
  await world.clock.advance(minute)
  expect(world.told).toEqual(['All instances will be stopped in 10 minutes'])
  expect(world.sent).toEqual([])
  await world.clock.advance(11 * minute)
  expect(world.sent).toEqual(['stop 1'])
})

test('removed in time, it stops nothing', async () => {
  const world = limitWorld()
  const { limit } = await world.run()
  await limit.set(1)
  await world.clock.advance(25 * minute)
  await limit.remove()
  await world.clock.advance(hour)
  expect(world.sent).toEqual([])
  expect(limit.state.value).toBeNull()
})

const soon = 'All instances will be stopped in 10 minutes'

test('a sleep counts at the rate of after it: what stopped meanwhile stops no other', async () => {
  const world = limitWorld()
  const dear = { ...world.machine, id: 2, dph_total: 10 }
  world.instances.push(dear)
  const { limit } = await world.run()
  await limit.set(50)
  await world.clock.advance(minute)
  Object.assign(dear, { actual_status: 'stopped', cur_state: 'stopped', storage_total_cost: 0 })
  world.clock.sleepThrough(8 * hour)
  await world.clock.advance(20 * minute)
  expect([world.told, world.sent]).toEqual([[], []])
  expect(limit.state.value?.spentUsd).toBeLessThan(18)
})

test('a list with an absurd price is looked at once, and stops nothing when the next one has the usual', async () => {
  const world = limitWorld()
  const { limit, watch } = await world.run()
  await limit.set(500)
  await world.clock.advance(minute)
  world.machine['dph_total'] = 1e6
  await watch.refresh()
  await world.clock.advance(25_000)
  world.machine['dph_total'] = 2
  await watch.refresh()
  await world.clock.advance(30 * minute)
  expect(world.sent).toEqual([])
  expect(limit.state.value?.spentUsd).toBeLessThan(2)
})

test('a limit that cannot be written warns once and stops in this run all the same', async () => {
  const world = limitWorld()
  const { limit } = await world.run()
  await limit.set(1)
  Object.assign(world.limitFile, { write: () => Promise.reject(new Error('full')) })
  await world.clock.advance(40 * minute)
  expect(world.told).toEqual([soon, 'Cost limit of $1 reached'])
  expect(world.sent).toEqual(['stop 1'])
})

test('rules that cannot be written are told, and stop what runs once they can', async () => {
  const world = limitWorld()
  const { limit } = await world.run()
  await limit.set(1)
  const { update } = world.file
  Object.assign(world.file, { update: () => Promise.reject(new Error('full')) })
  await world.clock.advance(32 * minute)
  expect(world.told.at(-1)).toBe('Cost limit of $1 reached, but instances still run')
  expect(world.sent).toEqual([])
  Object.assign(world.file, { update })
  await world.clock.advance(2 * minute)
  expect(world.sent).toEqual(['stop 1'])
})

test('an instance that one list lacks is stopped by the next', async () => {
  const world = limitWorld()
  const { limit, watch, store } = await world.run()
  const other = { ...world.machine, id: 2 }
  world.instances.push(other)
  await limit.set(1)
  await world.clock.advance(14 * minute)
  world.instances.pop()
  await watch.refresh()
  await world.clock.advance(20_000)
  world.instances.push(other)
  await world.clock.advance(9 * minute)
  expect(world.sent).toContain('stop 2')
  expect(store.state.value.fired.length).toBeGreaterThan(0)
})

test('a warning of long ago stops nothing: another one is given', async () => {
  const world = limitWorld()
  const first = await world.run()
  await first.limit.set(1)
  await world.clock.advance(22 * minute)
  expect(world.told).toEqual([soon])
  await first.quit()
  world.clock.sleepThrough(4 * 24 * hour)
  await world.run()
  await world.clock.advance(5 * minute)
  expect([world.told, world.sent]).toEqual([[soon, soon], []])
})

test('another limit calls off what the former one had begun to stop', async () => {
  const world = limitWorld()
  world.service.stop = () => {
    throw new Error('not now')
  }
  const { limit, store } = await world.run()
  await limit.set(1)
  await world.clock.advance(33 * minute)
  expect(store.all).toMatchObject([{ condition: { kind: 'limit' } }])
  await limit.set(100)
  expect(store.all).toEqual([])
  const sent = world.sent.length
  await world.clock.advance(hour)
  expect(world.sent).toHaveLength(sent)
})

test('a warning that there was nobody to give is given once something runs', async () => {
  const world = limitWorld()
  Object.assign(world.machine, { actual_status: 'stopped', cur_state: 'stopped', storage_total_cost: 0.05 })
  const { limit } = await world.run()
  await limit.set(0.01)
  await world.clock.advance(11 * minute)
  Object.assign(world.machine, { actual_status: 'running', cur_state: 'running' })
  await world.clock.advance(5 * minute)
  expect([world.told, world.sent]).toEqual([[soon], []])
  await world.clock.advance(8 * minute)
  expect(world.sent).toEqual(['stop 1'])
})

test('a limit whose stops cannot be called off is not removed', async () => {
  const world = limitWorld()
  world.service.stop = () => {
    throw new Error('not now')
  }
  const { limit, store } = await world.run()
  await limit.set(1)
  await world.clock.advance(33 * minute)
  const { update } = world.file
  Object.assign(world.file, { update: () => Promise.reject(new Error('full')) })
  await expect(limit.remove()).rejects.toThrow('full')
  expect(limit.state.value).not.toBeNull()
  Object.assign(world.file, { update })
  await limit.remove()
  expect([limit.state.value, store.all]).toEqual([null, []])
})
