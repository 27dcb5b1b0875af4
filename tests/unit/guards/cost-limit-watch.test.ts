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
  expect(limit.state.value).toBeNull()
  expect(world.limitFile.value).toBeNull()
  expect(store.state.value.fired).toMatchObject([
    { instanceId: 1, action: 'stop', condition: { kind: 'limit', usd: 1 }, outcome: 'done' },
  ])
  expect(store.all).toEqual([])
})

test('what is rented later is neither counted nor stopped once it is over', async () => {
  const world = limitWorld()
  const { limit } = await world.run()
  await limit.set(1)
  await world.clock.advance(35 * minute)
  world.machine.actual_status = 'running'
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
