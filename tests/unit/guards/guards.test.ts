import { describe, expect, test } from 'vitest'
import type { GuardOrder } from '#domain/guards/guard.ts'
import { ProblemError, type Problem } from '#domain/base/problem.ts'
import { guardWorld as world, here, hour, minute } from './guard-world.ts'

const reset: Problem = { kind: 'unreachable', cause: 'reset', origin: '' }

describe('a guard', () => {
  test('acts in time, warns ten minutes before, and tells what it did', async () => {
    const { clock, run, sent, destroyAfter } = world()
    const { store, news } = await run()
    const start = clock.now()
    await store.set(destroyAfter(1))
    await clock.advance(49 * minute)
    expect(news).toEqual([])
    await clock.advance(2 * minute)
    expect(news).toEqual([expect.stringMatching(/^soon /)])
    expect(sent).toEqual([])
    await clock.advance(10 * minute)
    expect(sent).toEqual(['destroy 1'])
    expect(news).toHaveLength(2)
    expect(store.state.value.guards).toEqual([])
    expect(store.state.value.fired).toMatchObject([
      { instanceId: 1, action: 'destroy', dueAt: start + hour, outcome: 'done' },
    ])
  })

  test('has the list asked for in time, however long the pause at rest is', async () => {
    const { clock, lists, instances, run, destroyAfter } = world()
    const { store } = await run()
    const longestGap = async (ms: number): Promise<number> => {
      const begunAt = clock.now()
      await clock.advance(ms)
      const seen = lists.filter((at) => at > begunAt)
      return Math.max(...seen.slice(1).map((at, index) => (at - (seen[index] ?? at)) / 1000))
    }
    expect(await longestGap(15 * minute)).toBe(300)
    await store.set(destroyAfter(1))
    await clock.advance(5 * minute)
    expect(await longestGap(40 * minute)).toBe(30)
    await clock.advance(6 * minute)
    expect(await longestGap(8 * minute)).toBe(10)
    // It has gone otherwise, and its rule stays: nothing is near.
    instances.splice(0)
    await clock.advance(2 * minute)
    expect(await longestGap(20 * minute)).toBe(30)
  })

  test('one hour more', async () => {
    const { clock, run, sent, destroyAfter } = world()
    const { store, news } = await run()
    await store.set(destroyAfter(1))
    await clock.advance(55 * minute)
    await store.postpone('guard-1')
    await clock.advance(60 * minute)
    expect(sent).toEqual([])
    expect(news).toHaveLength(2)
    await clock.advance(10 * minute)
    expect(sent).toEqual(['destroy 1'])
  })

  test('acts at a cost', async () => {
    const { clock, run, sent } = world()
    const { store } = await run()
    await store.set({ ...here, action: 'stop', condition: { kind: 'cost', usd: 3 } })
    await clock.advance(89 * minute)
    expect(sent).toEqual([])
    await clock.advance(2 * minute)
    expect(sent).toEqual(['stop 1'])
    expect(store.state.value.fired).toMatchObject([{ action: 'stop', outcome: 'done' }])
  })

  test('at a cost warns ten minutes before, also when a price leaps; one absurd price has no other effect', async () => {
    const { clock, machine, run, sent } = world()
    const { store, news, watch } = await run()
    const priced = machine['dph_total']
    await store.set({ ...here, action: 'destroy', condition: { kind: 'cost', usd: 100 } })
    await clock.advance(minute)
    machine['dph_total'] = 1e300
    await watch.refresh()
    await clock.advance(minute)
    expect(sent).toEqual([])
    expect(news).toEqual([expect.stringMatching(/^soon /)])
    machine['dph_total'] = priced
    await watch.refresh()
    await clock.advance(hour)
    expect(sent).toEqual([])
    expect(news).toHaveLength(1)

    machine['dph_total'] = 1e300
    await watch.refresh()
    await clock.advance(9 * minute)
    expect(sent).toEqual([])
    await clock.advance(2 * minute)
    expect(sent).toEqual(['destroy 1'])
  })

  test('at a cost that was reached while the machine slept acts on waking', async () => {
    const { clock, run, sent } = world()
    const { store } = await run()
    await store.set({ ...here, action: 'stop', condition: { kind: 'cost', usd: 3 } })
    await clock.advance(minute)
    clock.sleepThrough(3 * hour)
    await clock.advance(minute)
    expect(sent).toEqual(['stop 1'])
  })

  test('acts when nobody has been connected, counted from the last time somebody was', async () => {
    const { clock, run, sent, connected } = world()
    const { store } = await run()
    await store.set({ ...here, action: 'stop', condition: { kind: 'idle', minutes: 30 } })
    await clock.advance(20 * minute)
    connected.add(1)
    await clock.advance(3 * hour)
    connected.clear()
    await clock.advance(29 * minute)
    expect(sent).toEqual([])
    await clock.advance(2 * minute)
    expect(sent).toEqual(['stop 1'])
  })

  test('asks by the API key when the admin session is refused, and concludes nothing from that', async () => {
    const { clock, service, sent, run, destroyAfter, instances, file } = world()
    let isOver = false
    const destroy = service.destroy
    service.destroy = () => {
      if (isOver) return destroy()
      isOver = true
      throw new ProblemError({ kind: 'session-ended', otherUserId: null })
    }
    const app = await run()
    await app.store.set(destroyAfter(1))
    await clock.advance(hour)
    expect([sent, instances.length]).toEqual([['destroy 1', 'destroy 1'], 0])
    await clock.advance(minute)
    expect(file.value).toMatchObject({ guards: [], fired: [{ outcome: 'done' }] })
  })

  test('that is removed does nothing', async () => {
    const { clock, run, sent, destroyAfter } = world()
    const { store } = await run()
    await store.set(destroyAfter(1))
    await store.remove('guard-1')
    await clock.advance(2 * hour)
    expect(sent).toEqual([])
  })

  test('that could never act is refused', async () => {
    const { clock, machine, run } = world()
    const { store, watch } = await run()
    const set = (condition: GuardOrder['condition'], action: GuardOrder['action'] = 'destroy') =>
      store.set({ ...here, action, condition })
    const refused = (code: string) => ({ problem: { kind: 'guard-refused', reason: { code } } })
    await expect(set({ kind: 'at', at: clock.now() })).rejects.toMatchObject(refused('past'))
    delete machine['dph_total']
    await watch.refresh()
    await expect(set({ kind: 'cost', usd: 9 })).rejects.toMatchObject(refused('cost-unknown'))
    machine.actual_status = 'stopped'
    await watch.refresh()
    await expect(set({ kind: 'after', hours: 1 }, 'stop')).rejects.toMatchObject(refused('not-running'))
    expect(store.state.value.guards).toEqual([])
  })
})

describe('while Slipway is closed', () => {
  test('a guard that was missed acts at the start, and says how late', async () => {
    const { clock, run, sent, destroyAfter } = world()
    const first = await run()
    await first.store.set(destroyAfter(1))
    await first.quit()
    await clock.advance(5 * hour)
    expect(sent).toEqual([])
    const { store } = await run()
    await clock.advance(minute)
    expect(sent).toEqual(['destroy 1'])
    const [fired] = store.state.value.fired
    expect((fired?.firedAt ?? 0) - (fired?.dueAt ?? 0)).toBeGreaterThanOrEqual(4 * hour)
  })

  test('what somebody was connected to a minute before a crash is not idle since yesterday', async () => {
    const { clock, run, sent, connected } = world()
    const first = await run()
    await first.store.set({ ...here, action: 'destroy', condition: { kind: 'idle', minutes: 30 } })
    connected.add(1)
    await clock.advance(10 * hour)
    connected.clear()
    void first.quit()
    await run()
    await clock.advance(25 * minute)
    expect(sent).toEqual([])
    await clock.advance(10 * minute)
    expect(sent).toEqual(['destroy 1'])
  })

  test('one that had begun to act goes on', async () => {
    const { clock, run, sent, service, destroyAfter, instances } = world()
    const destroy = service.destroy
    service.destroy = () => {
      throw new ProblemError(reset)
    }
    const first = await run()
    await first.store.set(destroyAfter(1))
    await clock.advance(hour + 15_000)
    expect(sent).toEqual(['destroy 1'])
    await first.quit()
    service.destroy = destroy
    await run()
    await clock.advance(3 * minute)
    expect(sent).toEqual(['destroy 1', 'destroy 1'])
    expect(instances).toEqual([])
  })
})

describe('when things go wrong', () => {
  test('a request that is lost or refused is sent again until the list shows the effect', async () => {
    const { clock, run, sent, service, destroyAfter } = world()
    const destroy = service.destroy
    service.destroy = () => {
      throw new ProblemError(sent.length % 2 === 0 ? reset : { kind: 'not-allowed', code: '', message: '' })
    }
    const { store } = await run()
    await store.set(destroyAfter(1))
    await clock.advance(2 * hour)
    expect(sent.length).toBeGreaterThan(5)
    expect(sent.length).toBeLessThan(30)
    expect(store.state.value.fired).toEqual([])
    expect(store.state.value.guards).toMatchObject([{ state: { kind: 'acting' } }])
    service.destroy = destroy
    await clock.advance(10 * minute)
    expect(store.state.value.fired).toMatchObject([{ outcome: 'done' }])
  })

  test('a lost reply to what was done is not asked for again', async () => {
    const { clock, run, sent, service } = world()
    const stop = service.stop
    service.stop = () => {
      stop()
      throw new ProblemError(reset)
    }
    const { store } = await run()
    await store.set({ ...here, action: 'stop', condition: { kind: 'after', hours: 1 } })
    await clock.advance(3 * hour)
    expect(sent).toEqual(['stop 1'])
    expect(store.state.value.fired).toMatchObject([{ outcome: 'done' }])
  })

  test('no list at all: it acts all the same, and claims nothing', async () => {
    const { clock, run, sent, service, destroyAfter } = world()
    const first = await run()
    await first.store.set(destroyAfter(1))
    await first.quit()
    service.list = () => {
      throw new ProblemError({ kind: 'bad-reply', status: 200, path: 'instances.4.id', detail: '' })
    }
    await clock.advance(2 * hour)
    const { store } = await run()
    await clock.advance(2 * minute)
    expect(sent).toContain('destroy 1')
    expect(store.state.value.fired).toEqual([])
  })

  test('a list that is empty by mistake ends no guard', async () => {
    const { clock, run, sent, service, destroyAfter } = world()
    const list = service.list
    const { store } = await run()
    await store.set(destroyAfter(1))
    service.list = () => []
    await clock.advance(2 * hour)
    expect(sent).toEqual([])
    service.list = list
    await clock.advance(minute)
    expect(sent).toEqual(['destroy 1'])
  })

  test('guards that cannot be written still act, and tell it once', async () => {
    const { clock, run, sent, file, destroyAfter } = world()
    const { store, news } = await run()
    await store.set(destroyAfter(1))
    await clock.advance(55 * minute)
    const full = new ProblemError({ kind: 'storage-failed', file: 'guards.json', detail: 'ENOSPC' })
    Object.assign(file, { update: () => Promise.reject(full) })
    await clock.advance(20 * minute)
    expect(sent).toEqual(['destroy 1'])
    expect(news.filter((line) => line.startsWith('fired'))).toHaveLength(1)
  })

  test('the machine slept over it: it acts on waking', async () => {
    const { clock, run, sent, destroyAfter } = world()
    const { store } = await run()
    await store.set(destroyAfter(1))
    await clock.advance(minute)
    clock.sleepThrough(8 * hour)
    await clock.advance(minute)
    expect(sent).toEqual(['destroy 1'])
    expect(store.state.value.fired).toHaveLength(1)
  })

  test('set while the clock was ahead, which is then put right: the hours count from there', async () => {
    const { clock, run, sent, destroyAfter } = world()
    clock.sleepThrough(1000 * hour)
    const { store } = await run()
    await store.set(destroyAfter(1))
    clock.setBack(1000 * hour)
    await clock.advance(30 * minute)
    expect(sent).toEqual([])
    await clock.advance(35 * minute)
    expect(sent).toEqual(['destroy 1'])
  })
})
