import { describe, expect, test } from 'vitest'
import { hour, minute } from '../guard-world.ts'
import { stopAfter, stopWhenIdle, there, watchersWorld } from './watchers-world.ts'

const day = 24 * hour

describe('the clock of this computer', () => {
  test('is set on by a day and put right: the instance hears nothing of it, and goes on as it was told', async () => {
    const { clock, script, run, notified } = watchersWorld()
    const { set, pass, store, view } = await run()
    const id = await set(stopAfter(3))
    await pass(minute)
    const rules = structuredClone(script.rules)
    script.commands.length = 0

    script.clockAheadMs = day
    clock.sleepThrough(day)
    await pass(10 * minute)
    expect(view()).toMatchObject({ problem: null, watched: [{ id, isHeard: true }] })
    expect(view()?.watched[0]?.leftSeconds).toBeGreaterThan(2 * 3600)
    const looks = script.commands.length
    expect(looks).toBeGreaterThan(0)

    script.clockAheadMs = 0
    clock.setBack(day)
    await pass(10 * minute)
    expect(script.commands.length, 'it is asked as often as before').toBeGreaterThan(looks)
    expect([...new Set(script.commands)]).toEqual(['state'])
    expect(script.rules).toEqual(rules)
    expect(store.state.value).toMatchObject({ guards: [{ id }], fired: [] })
    expect(notified).toEqual([])
  })
})

test.each([
  ['ahead', day],
  ['behind', -day],
])('an instance whose clock is a day %s has acted between when it was told and now', async (_, wrongBy) => {
  const { clock, script, run, act, startAgain } = watchersWorld()
  const first = await run()
  const id = await first.set(stopAfter(3))
  const setAt = clock.now()
  await first.quit()
  await clock.advance(3 * hour)
  act(id)
  script.acted = script.acted.map((deed) => ({ ...deed, at: deed.at + wrongBy / 1000 }))
  await clock.advance(hour)
  startAgain()
  const { store, pass } = await run('two')
  await pass(2 * minute)
  const [fired] = store.state.value.fired
  expect(fired).toMatchObject({ outcome: 'done' })
  expect(fired?.ranAt).toBeGreaterThanOrEqual(setAt)
  expect(fired?.ranAt).toBeLessThanOrEqual(clock.now())
})

test('this computer slept through the time, and somebody has started the instance since: nothing is done twice', async () => {
  const { clock, script, run, act, startAgain, sent, notified } = watchersWorld()
  const { set, pass, store } = await run()
  const id = await set(stopAfter(3))
  await pass(minute)
  script.commands.length = 0
  clock.sleepThrough(3 * hour)
  act(id)
  clock.sleepThrough(2 * hour)
  startAgain()
  await pass(10 * minute)
  expect(store.state.value).toMatchObject({ guards: [], fired: [{ id, outcome: 'done', place: 'instance' }] })
  expect([...new Set(script.commands)]).toEqual(['state'])
  expect(sent).toEqual([])
  expect(notified).toEqual(['Instance 1 stopped itself'])
})

test('an instance that somebody else destroys before: no rule of its is told as done, and none is left for ever', async () => {
  const { clock, instances, run, sent, notified } = watchersWorld()
  const { set, pass, store } = await run()
  await set({ ...there, action: 'destroy', condition: { kind: 'after', hours: 3 } })
  await set(stopWhenIdle)
  await pass(minute)
  instances.splice(0)
  await pass(4 * hour)
  expect(store.state.value.fired).toEqual([])
  clock.sleepThrough(7 * day)
  await pass(10 * minute)
  expect(store.all).toEqual([])
  expect(sent).toEqual([])
  expect(notified).toEqual([])
})
