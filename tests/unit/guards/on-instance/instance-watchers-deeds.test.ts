import { describe, expect, test } from 'vitest'
import { hour, minute } from '../guard-world.ts'
import { stopAfter, stopWhenIdle, there, watchersWorld } from './watchers-world.ts'

/** Let be: the list is asked for, and what it says taken in. */
const aWhile = 2 * minute

test('a rule that was removed and that the instance never heard to be is told when it has run', async () => {
  const { script, run, act, notified } = watchersWorld()
  const { store, set, pass } = await run()
  const id = await set(stopAfter(3))
  script.connectProblem = { kind: 'timeout' }
  await store.remove(id)
  await pass(3 * hour)
  expect(notified).toEqual([])
  act(id)
  await pass(10 * minute)
  expect(notified).toEqual(['Instance 1 is stopped'])
})

describe('what an instance has done while Slipway was closed', () => {
  test('is told with its time, and not done again when it runs again', async () => {
    const { clock, script, run, act, startAgain, notified } = watchersWorld()
    const first = await run()
    const id = await first.set(stopAfter(3))
    await first.quit()
    await clock.advance(3 * hour)
    const ranAt = Math.floor(clock.now() / 1000) * 1000
    act(id)
    await clock.advance(5 * hour)
    startAgain()
    script.commands.length = 0
    const { store, pass } = await run('two')
    await pass(aWhile)
    expect(store.state.value).toMatchObject({
      guards: [],
      fired: [{ outcome: 'done', ranAt, place: 'instance' }],
    })
    expect(script.commands).toEqual(['state'])
    expect(notified).toEqual(['Instance 1 stopped itself'])
  })

  test('is told when it was idle for long enough, and exactly when it answers again', async () => {
    const { clock, run, act, startAgain, notified } = watchersWorld()
    const first = await run()
    const id = await first.set(stopWhenIdle)
    await first.quit()
    await clock.advance(40 * minute)
    const ranAt = Math.floor(clock.now() / 1000) * 1000
    act(id)
    await clock.advance(5 * hour)
    const { store, pass } = await run('two')
    await pass(aWhile)
    expect(store.state.value).toMatchObject({ guards: [], fired: [{ outcome: 'seen' }] })
    expect(notified).toEqual(['Instance 1 is stopped'])
    startAgain()
    await pass(6 * minute)
    expect(store.state.value.fired).toMatchObject([{ outcome: 'done', ranAt }])
  })

  test('of one that was made from scratch is not known: what was due is not done to what runs now', async () => {
    const { clock, script, run, notified } = watchersWorld()
    const first = await run()
    await first.set(stopAfter(3))
    await first.quit()
    await clock.advance(8 * hour)
    script.restart()
    Object.assign(script, { placed: false })
    const { store, pass } = await run('two')
    await pass(aWhile)
    expect([script.rules, store.all]).toEqual([[], []])
    expect(store.state.value.fired).toMatchObject([{ outcome: 'passed' }])
    expect(notified).toEqual(['Auto-stop rule didn’t run on instance 1'])
  })

  test('is nothing: what was missed is told to it now', async () => {
    const { clock, script, run } = watchersWorld()
    const first = await run()
    const id = await first.set(stopAfter(3))
    await first.quit()
    script.restart()
    await clock.advance(8 * hour)
    const { pass } = await run('two')
    await pass(aWhile)
    expect(script.rules).toMatchObject([{ id, seconds: 1 }])
  })
})

test('what answers is not destroyed: no deed that it began is told as done, and its rules stay', async () => {
  const { script, run, notified } = watchersWorld()
  const app = await run()
  const id = await app.set({ ...there, action: 'destroy', condition: { kind: 'after', hours: 1 } })
  await app.set(stopWhenIdle)
  const [rule] = script.rules
  script.acted.push({ owner: rule?.owner ?? '', id, action: 'destroy', at: 1, elapsed: 3600 })
  script.restart()
  await app.pass(6 * minute)
  expect(app.store.state.value).toMatchObject({ guards: [{ id }, {}], fired: [] })
  expect(notified).toEqual([])
})

test('what a stuck watcher is at is not told as done', async () => {
  const { script, run, notified } = watchersWorld()
  const app = await run()
  const id = await app.set(stopAfter(1))
  for (const rule of script.rules) {
    Object.assign(rule, { phase: 'acting', answer: 0 })
    script.acted.push({ owner: rule.owner, id, action: 'stop', at: 1, elapsed: 3600 })
  }
  script.age = 600
  await app.pass(6 * minute)
  expect(app.store.all).toMatchObject([{ id }])
  expect(notified).toEqual([])
})

test('a rule that was due while the lists showed its instance stopped is not done to what runs now', async () => {
  const { clock, machine, script, run, startAgain } = watchersWorld()
  const first = await run()
  script.connectProblem = { kind: 'timeout' }
  await first.set(stopAfter(3))
  await first.quit()
  await clock.advance(2 * hour)
  machine.actual_status = 'exited'
  const { store, pass, watch } = await run('two')
  // As the list is remembered from the former run.
  await pass(50 * minute)
  clock.sleepThrough(hour)
  startAgain()
  await watch.refresh()
  script.connectProblem = null
  await pass(10 * minute)
  expect(script.rules).toEqual([])
  expect(store.all).toEqual([])
})

describe('whose doing it was', () => {
  test('is the instance’s own when it had warned', async () => {
    const { script, run, machine } = watchersWorld()
    const app = await run()
    await app.set(stopAfter(0.1))
    for (const rule of script.rules) rule.phase = 'warned'
    await app.pass(6 * minute)
    Object.assign(machine, { actual_status: 'stopped' })
    await app.pass(minute)
    expect(app.store.state.value.fired).toMatchObject([{ outcome: 'done' }])
  })

  test('isn’t known when nothing was heard of it', async () => {
    const { clock, script, run, machine } = watchersWorld()
    const app = await run()
    await app.set(stopAfter(3))
    script.connectProblem = { kind: 'timeout' }
    clock.sleepThrough(3 * hour)
    Object.assign(machine, { actual_status: 'exited' })
    await app.pass(minute)
    expect(app.store.state.value.fired).toMatchObject([{ outcome: 'seen' }])
  })
})

test('a state between running and stopped takes nothing from what was heard', async () => {
  const { clock, script, run, machine } = watchersWorld()
  const app = await run()
  const id = await app.set(stopWhenIdle)
  script.connectProblem = { kind: 'timeout' }
  clock.sleepThrough(29 * minute)
  machine.actual_status = 'stopping'
  await app.pass(2 * minute)
  expect(app.view()).toMatchObject({
    problem: { kind: 'not-running' },
    watched: [{ id }],
    heardAt: expect.any(Number),
  })
  machine.actual_status = 'exited'
  await app.pass(minute)
  expect(app.store.state.value).toMatchObject({ guards: [], fired: [{ instanceId: 1 }] })
})

test('one list without the instance does not mean that it destroyed itself', async () => {
  const { clock, script, instances, machine, run } = watchersWorld()
  const app = await run()
  await app.set({ ...stopAfter(1), action: 'destroy' })
  script.connectProblem = { kind: 'timeout' }
  clock.sleepThrough(hour)
  instances.splice(0)
  await app.watch.refresh()
  await app.calm()
  expect(app.store.state.value.fired).toEqual([])
  instances.push(machine)
  await app.watch.refresh()
  await app.pass(minute)
  expect(app.store.all).toHaveLength(1)
  instances.splice(0)
  await app.pass(aWhile)
  expect(app.store.state.value).toMatchObject({ guards: [], fired: [{ outcome: 'seen', action: 'destroy' }] })
})

describe('a rule at a cost', () => {
  const stopAtCost = { ...there, action: 'stop', condition: { kind: 'cost', usd: 20 } } as const

  test('that can’t be reckoned now is kept as it was told, and told again when the rate changes', async () => {
    const { script, machine, run } = watchersWorld()
    const app = await run()
    await app.set(stopAtCost)
    const told = script.rules[0]?.seconds
    expect(told).toBe(10 * 3600)
    script.commands.length = 0
    delete machine['dph_total']
    await app.watch.refresh()
    await app.pass(6 * minute)
    expect([...new Set(script.commands)]).toEqual(['state'])
    expect(app.view()?.problem).toBeNull()
    machine['dph_total'] = 4
    await app.watch.refresh()
    await app.pass(6 * minute)
    expect(script.rules[0]?.seconds).toBeLessThan(5 * 3600)
    script.commands.length = 0
    machine['dph_total'] = 4.01
    await app.watch.refresh()
    await app.pass(6 * minute)
    expect([...new Set(script.commands)]).toEqual(['state'])
  })

  test('that was never reckoned is said not to be active, and an order that is the same isn’t sent again', async () => {
    const { script, machine, run } = watchersWorld()
    const app = await run()
    await app.set(stopWhenIdle)
    script.connectProblem = { kind: 'timeout' }
    await app.set(stopAtCost)
    delete machine['dph_total']
    await app.watch.refresh()
    script.connectProblem = null
    script.commands.length = 0
    await app.pass(6 * minute)
    expect([...new Set(script.commands)]).toEqual(['state'])
    expect(app.view()).toMatchObject({ problem: { kind: 'cost-unknown' }, watched: [{ condition: 'idle' }] })
  })
})
