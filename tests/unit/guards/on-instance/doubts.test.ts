import { describe, expect, test } from 'vitest'
import { hour, minute } from '../guard-world.ts'
import { stopAfter, stopWhenIdle, watchersWorld } from './watchers-world.ts'

describe('a rule that its instance does not watch though it runs', () => {
  test('is told once after some minutes, over restarts of Slipway, with what to do', async () => {
    const { script, connection, notified, bodies, run } = watchersWorld()
    script.connectProblem = { kind: 'timeout' }
    const app = await run()
    await app.set(stopWhenIdle)
    await app.pass(4 * minute)
    expect(notified).toEqual([])
    connection.set({
      ...{ kind: 'unknown-host', address: { host: 'h', port: 22 } },
      offered: { algorithm: 'ssh-ed25519', fingerprint: 'SHA256:f' },
    })
    await app.pass(2 * minute)
    expect(notified).toEqual(['Auto-stop rule isn’t active on instance 1'])
    expect(bodies[0]).toContain('Open the instance’s page and answer.')
    await app.quit()
    const { pass } = await run('two')
    await pass(10 * minute)
    expect(notified).toHaveLength(1)
  })

  test('is told again once it was watched and isn’t any more', async () => {
    const { script, notified, run } = watchersWorld()
    script.connectProblem = { kind: 'timeout' }
    const app = await run()
    await app.set(stopWhenIdle)
    await app.pass(6 * minute)
    expect(notified).toHaveLength(1)
    script.connectProblem = null
    await app.pass(10 * minute)
    expect(app.view()).toMatchObject({ watched: [{ isHeard: true }] })
    script.restart()
    Object.assign(script, { refuses: 'no-tool' })
    await app.pass(20 * minute)
    expect(notified).toHaveLength(2)
  })

  test('is not told of one that it watches', async () => {
    const { notified, run } = watchersWorld()
    const app = await run()
    await app.set(stopAfter(2))
    await app.pass(10 * minute)
    expect(notified).toEqual([])
  })
})

test.each([401, 403, 404])(
  'that the service answers %i when an instance acts is told once',
  async (answer) => {
    const { script, notified, run } = watchersWorld()
    const app = await run()
    await app.set(stopAfter(1))
    for (const rule of script.rules) Object.assign(rule, { phase: 'acting', answer })
    await app.pass(6 * minute)
    expect(app.view()).toMatchObject({ watched: [{ phase: 'acting', reply: answer }] })
    expect(notified).toEqual(['Instance 1 can’t stop itself'])
  },
)

test('that the key was not confirmed is known', async () => {
  const { script, run } = watchersWorld()
  script.proven = false
  const app = await run()
  await app.set(stopAfter(1))
  expect(app.view()).toMatchObject({ isProven: false, problem: null })
})

test('the keys of an instance that was rented just now may come later, and are tried again', async () => {
  const { script, clock, run } = watchersWorld()
  script.connectProblem = {
    ...{
      kind: 'authentication-failed',
      user: 'root',
      tried: ['k'],
      skipped: [],
      accepts: [],
      partial: false,
    },
  }
  const app = await run()
  await app.set(stopAfter(9))
  await app.pass(minute)
  script.connectProblem = null
  await app.pass(2 * minute)
  expect(app.view()).toMatchObject({ problem: null, watched: [{ isHeard: true }] })
  await app.quit()
  clock.sleepThrough(hour)
  script.connectProblem = {
    ...{
      kind: 'authentication-failed',
      user: 'root',
      tried: ['k'],
      skipped: [],
      accepts: [],
      partial: false,
    },
  }
  const later = await run('two')
  await later.pass(minute)
  script.connectProblem = null
  await later.pass(10 * minute)
  expect(later.view()?.problem, 'only the user can help').toEqual({ kind: 'not-connected' })
})

describe('a rule that never got to its instance', () => {
  test('is not shown as due, and has the list not asked for more often', async () => {
    const { clock, script, lists, run } = watchersWorld()
    script.connectProblem = { kind: 'timeout' }
    const app = await run()
    await app.set({ ...stopAfter(0.1), action: 'destroy' })
    expect(app.store.state.value.guards).toMatchObject([{ dueAt: null }])
    await app.pass(5 * minute)
    const before = lists.length
    await app.pass(5 * minute)
    expect((lists.length - before) / 5).toBeLessThanOrEqual(2)
    expect(app.store.state.value.guards).toMatchObject([{ dueAt: null }])
    expect(clock.now()).toBeGreaterThan(0)
  })

  test('one that did is due by its instance’s word, and not for ever', async () => {
    const { clock, script, run } = watchersWorld()
    const app = await run()
    const dueAt = clock.now() + 6 * minute
    await app.set({ ...stopAfter(0.1), action: 'destroy' })
    expect(app.store.state.value.guards).toMatchObject([{ dueAt }])
    script.connectProblem = { kind: 'timeout' }
    await app.pass(10 * minute)
    expect(app.store.state.value.guards).toMatchObject([{ dueAt }])
    await app.pass(10 * minute)
    expect(app.store.state.value.guards).toMatchObject([{ dueAt: null }])
  })
})
