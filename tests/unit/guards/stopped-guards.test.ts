import { describe, expect, test } from 'vitest'
import type { ChosenCondition, GuardOrder } from '#domain/guards/guard.ts'
import { ProblemError } from '#domain/base/problem.ts'
import { guardWorld as world, hour, minute } from './guard-world.ts'

/** A quarter of a day, so that the test has not got days to go through. */
const destroyOnceStopped: GuardOrder = {
  instanceId: 1,
  action: 'destroy',
  condition: { kind: 'stopped', days: 0.25 },
  place: 'slipway',
}

describe('a rule that destroys what has been stopped for days', () => {
  test('counts from when the list shows it stopped, and warns before it acts', async () => {
    const { clock, service, sent, run } = world()
    const { store, news } = await run()
    await store.set(destroyOnceStopped)
    await clock.advance(10 * hour)
    expect(store.state.value.guards).toMatchObject([{ dueAt: null }])
    service.stop()
    await clock.advance(6 * hour)
    expect([sent, news]).toEqual([[], [expect.stringMatching(/^soon /)]])
    await clock.advance(11 * minute)
    expect(sent).toEqual(['destroy 1'])
    expect(store.state.value.fired).toMatchObject([{ outcome: 'done' }])
  })

  test('begins anew when the instance runs in between', async () => {
    const { clock, machine, service, sent, run } = world()
    const { store } = await run()
    await store.set(destroyOnceStopped)
    service.stop()
    await clock.advance(4 * hour)
    Object.assign(machine, { actual_status: 'running', cur_state: 'running' })
    await clock.advance(hour)
    service.stop()
    await clock.advance(4 * hour)
    expect(sent).toEqual([])
    await clock.advance(3 * hour)
    expect(sent).toEqual(['destroy 1'])
  })

  test('missed while Slipway was closed: it warns at the start, and leaves what runs by then alone', async () => {
    const { clock, machine, service, sent, run } = world()
    const first = await run()
    service.stop()
    await first.watch.refresh()
    await first.store.set(destroyOnceStopped)
    await first.quit()
    await clock.advance(18 * hour)
    const { news, quit } = await run()
    await clock.advance(9 * minute)
    expect([sent, news]).toEqual([[], [expect.stringMatching(/^soon /)]])
    // The warning led to Slipway, and it was closed before the rule acted: it is given again.
    await quit()
    await clock.advance(18 * hour)
    const third = await run()
    await clock.advance(9 * minute)
    expect([sent, third.news]).toEqual([[], [expect.stringMatching(/^soon /)]])
    Object.assign(machine, { actual_status: 'running', cur_state: 'running' })
    await clock.advance(18 * hour)
    expect(sent).toEqual([])
  })

  test('does nothing by an old list', async () => {
    const { clock, service, sent, run } = world()
    const { store } = await run()
    await store.set(destroyOnceStopped)
    service.stop()
    await clock.advance(2 * hour)
    const { list } = service
    service.list = () => {
      throw new ProblemError({ kind: 'unreachable', cause: 'reset', origin: '' })
    }
    await clock.advance(8 * hour)
    expect(sent).toEqual([])
    service.list = list
    await clock.advance(5 * minute)
    expect(sent).toEqual([])
    await clock.advance(10 * minute)
    expect(sent).toEqual(['destroy 1'])
  })

  test('one that had begun to act leaves what runs by then alone, and warns again of what does not', async () => {
    const { clock, machine, service, sent, run } = world()
    const { destroy } = service
    service.destroy = () => {
      throw new ProblemError({ kind: 'unreachable', cause: 'reset', origin: '' })
    }
    const first = await run()
    await first.store.set(destroyOnceStopped)
    service.stop()
    await clock.advance(6 * hour + 11 * minute)
    const asked = [...sent]
    expect(asked).toContain('destroy 1')
    await first.quit()
    service.destroy = destroy
    const second = await run()
    await clock.advance(9 * minute)
    expect([sent, second.news]).toEqual([asked, [expect.stringMatching(/^soon /)]])
    Object.assign(machine, { actual_status: 'running', cur_state: 'running' })
    await clock.advance(6 * hour)
    expect(sent).toEqual(asked)
    expect(second.store.state.value.guards).toMatchObject([{ state: { kind: 'armed' }, dueAt: null }])
  })

  test('asks no more for what was started while its request failed', async () => {
    const { clock, machine, service, sent, run } = world()
    service.destroy = () => {
      throw new ProblemError({ kind: 'unreachable', cause: 'reset', origin: '' })
    }
    const { store } = await run()
    await store.set(destroyOnceStopped)
    service.stop()
    await clock.advance(6 * hour + 11 * minute)
    Object.assign(machine, { actual_status: 'running', cur_state: 'running' })
    await clock.advance(minute)
    const asked = sent.length
    await clock.advance(2 * hour)
    expect(sent).toHaveLength(asked)
  })

  test('the computer slept after the warning: it warns again, by a list of now', async () => {
    const { clock, machine, service, sent, run } = world()
    const { store, news, watch } = await run()
    await store.set(destroyOnceStopped)
    service.stop()
    await clock.advance(5 * hour + 56 * minute)
    expect(news).toHaveLength(1)
    clock.sleepThrough(18 * hour)
    await watch.refresh()
    await clock.advance(9 * minute)
    expect([sent, news.length]).toEqual([[], 2])
    Object.assign(machine, { actual_status: 'running', cur_state: 'running' })
    await clock.advance(hour)
    expect(sent).toEqual([])
  })

  test('leaves alone what says that it runs, whatever else it says', async () => {
    const { clock, machine, sent, run } = world()
    const { store } = await run()
    await store.set(destroyOnceStopped)
    machine['cur_state'] = 'stopped'
    await clock.advance(12 * hour)
    expect(sent).toEqual([])
  })

  test('one hour more', async () => {
    const { clock, service, sent, run } = world()
    const { store } = await run()
    await store.set(destroyOnceStopped)
    service.stop()
    await clock.advance(6 * hour)
    await store.postpone('guard-1')
    await clock.advance(50 * minute)
    expect(sent).toEqual([])
    await clock.advance(30 * minute)
    expect(sent).toEqual(['destroy 1'])
  })
})

describe('rules that contradict each other', () => {
  const set = (action: GuardOrder['action'], condition: ChosenCondition) => ({
    instanceId: 1,
    action,
    condition,
    place: 'slipway' as const,
  })

  test.each([
    ['repeated', set('stop', { kind: 'idle', minutes: 30 }), set('stop', { kind: 'idle', minutes: 60 })],
    [
      'destroyed-before',
      set('destroy', { kind: 'after', hours: 1 }),
      set('stop', { kind: 'after', hours: 2 }),
    ],
  ])('%s: refused with the reason, and the first one stays', async (code, one, other) => {
    const { store } = await world().run()
    await store.set(one)
    await expect(store.set(other)).rejects.toMatchObject({
      problem: { kind: 'guard-refused', reason: { code } },
    })
    expect(store.state.value.guards).toMatchObject([one])
  })

  test('one that stops what is stopped already', async () => {
    const { store } = await world().run()
    await expect(store.set(set('stop', { kind: 'stopped', days: 1 }))).rejects.toMatchObject({
      problem: { reason: { code: 'not-running' } },
    })
  })
})
