import { describe, expect, test } from 'vitest'
import { hour, minute } from '../guard-world.ts'
import { stopAfter, stopWhenIdle, watchersWorld } from './watchers-world.ts'

describe('a change that an instance does not take', () => {
  test('leaves the former rule, which is told to go on', async () => {
    const { script, run } = watchersWorld()
    const app = await run()
    const id = await app.set(stopAfter(3))
    expect(app.view()).toMatchObject({ problem: null, watched: [{ id, notBefore: null, isHeard: true }] })
    script.refuses = 'no-service'
    await app.store.postpone(id)
    await app.calm()
    expect(app.view()).toMatchObject({
      heardAt: expect.any(Number),
      problem: { kind: 'refused', why: 'no-service' },
      watched: [{ id, notBefore: null, leftSeconds: 3 * 3600 }],
    })
    script.refuses = null
    await app.pass(minute)
    expect(app.view()).toMatchObject({ problem: null, watched: [{ notBefore: app.store.all[0]?.notBefore }] })
  })

  test('that it never had is not active', async () => {
    const { script, run } = watchersWorld()
    script.refuses = 'no-tool'
    const app = await run()
    await app.set(stopAfter(3))
    expect(app.view()?.problem).toEqual({ kind: 'refused', why: 'no-tool' })
    expect(app.view()?.watched.filter(({ isHeard }) => isHeard)).toEqual([])
  })

  test('is removed without a script being placed, also on a full disk', async () => {
    const { script, run } = watchersWorld()
    const app = await run()
    const id = await app.set(stopAfter(3))
    script.commands.length = 0
    await app.store.remove(id)
    await app.calm()
    expect([script.commands, script.rules]).toEqual([['state', 'arm'], []])
    expect(app.watchers.views.value).toEqual([])
  })

  test('and never had is not left to be removed', async () => {
    const { script, run } = watchersWorld()
    script.refuses = 'read-only'
    const app = await run()
    const id = await app.set(stopAfter(3))
    expect(app.view()).toMatchObject({ problem: { kind: 'refused', why: 'read-only' }, watched: [] })
    await app.store.remove(id)
    await app.pass(minute)
    expect(app.watchers.views.value).toEqual([])
  })

  test('a removal that it refuses is shown, with the rule that it still has', async () => {
    const { script, run } = watchersWorld()
    const app = await run()
    const id = await app.set(stopAfter(3))
    script.refuses = 'no-service'
    await app.store.remove(id)
    await app.calm()
    expect(app.view()).toMatchObject({
      problem: { kind: 'refused', why: 'no-service' },
      watched: [{ id, action: 'stop', condition: 'after' }],
    })
  })
})

describe('an instance that gives no answer', () => {
  test('over a link that is cut is not connected, and what it said last holds', async () => {
    const { script, run } = watchersWorld()
    const app = await run()
    const id = await app.set(stopAfter(3))
    script.link = 'cut'
    await app.watchers.lookNow(1)
    expect(app.view()).toMatchObject({ problem: { kind: 'not-connected' }, heardAt: expect.any(Number) })
    expect(app.view()?.watched).toMatchObject([{ id, isHeard: true }])
  })

  test('for a minute is not connected', async () => {
    const { script, clock, run } = watchersWorld()
    const app = await run()
    await app.set(stopAfter(3))
    script.link = 'silent'
    const look = app.watchers.lookNow(1)
    await clock.advance(2 * minute)
    await look
    expect(app.view()).toMatchObject({ problem: { kind: 'not-connected' }, heardAt: expect.any(Number) })
  })

  test('that makes sense gets its script again, once per look, also for a removal', async () => {
    const { script, run } = watchersWorld()
    const app = await run()
    const id = await app.set(stopAfter(3))
    script.commands.length = 0
    script.nonsense = 'until-placed'
    await app.watchers.lookNow(1)
    expect(script.commands).toEqual(['state', 'place and arm'])
    expect(app.view()).toMatchObject({ problem: null, watched: [{ id }] })

    script.nonsense = 'always'
    script.commands.length = 0
    await app.watchers.lookNow(1)
    expect(script.commands).toEqual(['state', 'place and arm'])
    expect(app.view()).toMatchObject({ problem: { kind: 'not-understood' }, watched: [{ id }] })

    script.nonsense = 'until-placed'
    await app.store.remove(id)
    await app.calm()
    await app.pass(minute)
    expect([script.rules, app.watchers.views.value]).toEqual([[], []])
  })

  test.each([
    ['another version', { version: 0 }],
    ['a watcher that is stuck', { age: 200 }],
    ['a watcher that has gone', { running: false }],
  ])('of this script, but of %s, is armed again', async (_, difference) => {
    const { script, run } = watchersWorld()
    const app = await run()
    await app.set(stopAfter(3))
    script.commands.length = 0
    Object.assign(script, difference)
    await app.watchers.lookNow(1)
    expect(script.commands.at(-1)).toMatch(/arm$/)
    expect(app.view()).toMatchObject({ problem: null, watched: [{ isHeard: true }] })
  })
})

test('one look at a time, also when the user asks while another one is under way', async () => {
  const { looks, run } = watchersWorld()
  const app = await run()
  await app.set(stopWhenIdle)
  await Promise.all([1, 2, 3].map(() => app.watchers.lookNow(1)))
  expect(looks).toEqual({ now: 0, mostAtOnce: 1 })
})

test('all rules are removed, those of other computers too, and this one’s are given again', async () => {
  const { script, run } = watchersWorld()
  const app = await run()
  const id = await app.set(stopWhenIdle)
  script.orders.push({ owner: 'desktop', revision: 'r' })
  script.rules.push(...script.rules.map((rule) => ({ ...rule, owner: 'desktop', id: 'other' })))
  await app.watchers.lookNow(1)
  expect(app.view()).toMatchObject({ foreign: 1 })
  await app.watchers.lookNow(1, true)
  expect(script.rules.map((one) => one.id)).toEqual([id])
  expect(app.view()).toMatchObject({ foreign: 0, watched: [{ id }] })
})

test('“Add 1 hour” twice on an idle rule adds two hours', async () => {
  const { clock, run } = watchersWorld()
  const app = await run()
  const id = await app.set(stopWhenIdle)
  await app.store.postpone(id)
  const once = app.store.all[0]?.notBefore ?? 0
  await app.store.postpone(id)
  expect(once).toBeGreaterThanOrEqual(clock.now() + hour)
  expect(app.store.all[0]?.notBefore).toBe(once + hour)
})

test('a rule for a stopped instance is refused on the instance', async () => {
  const { run } = watchersWorld()
  const app = await run()
  const order = { ...stopWhenIdle, action: 'destroy', condition: { kind: 'stopped', days: 1 } } as const
  await expect(app.store.set(order)).rejects.toMatchObject({
    problem: { kind: 'guard-refused', reason: { code: 'only-in-slipway' } },
  })
})

test('a rule for the end of a process is refused in Slipway, which sees none', async () => {
  const { run } = watchersWorld()
  const app = await run()
  const order = {
    ...stopWhenIdle,
    condition: { kind: 'process', name: 'train.py' },
    place: 'slipway',
  } as const
  await expect(app.store.set(order)).rejects.toMatchObject({
    problem: { kind: 'guard-refused', reason: { code: 'only-on-instance' } },
  })
})

test('instances at rest keep no running one from its rules, however many they are', async () => {
  const { instances, machine, run } = watchersWorld()
  const others = [2, 3, 4, 5].map((id) => ({ ...machine, id }))
  instances.push(...others)
  const app = await run()
  for (const { id } of others) await app.store.set({ ...stopAfter(9), instanceId: id })
  await app.calm()
  for (const one of others) Object.assign(one, { actual_status: 'stopped', cur_state: 'stopped' })
  await app.watch.refresh()
  await app.pass(minute)
  await app.set(stopWhenIdle)
  await app.pass(minute)
  const view = app.watchers.views.value.find(({ instanceId }) => instanceId === 1)
  expect(view).toMatchObject({ problem: null, watched: [{ isHeard: true }] })
})
