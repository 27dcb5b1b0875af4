import { describe, expect, test } from 'vitest'
import type { Problem } from '#domain/base/problem.ts'
import { retryWorld, type Faults } from './retry-world.ts'

const reset: Problem = { kind: 'unreachable', cause: 'reset', origin: '' }

/** A fault that meets the nth thing of its name. */
function once(name: string, when: 'before' | 'after', fault: 'crash' | Problem, nth = 1): Faults {
  let seen = 0
  return (what, at) => (what === name && at === when && ++seen === nth ? fault : 'go')
}

const threeTries = ['rent 1', 'destroy 100', 'rent 2', 'destroy 101', 'rent 3']

describe('an auto-retry', () => {
  test('destroys each machine that does not run, and only then rents the next', async () => {
    const { service, clock, run } = retryWorld()
    service.fates = ['exited', 'offline', 'running']
    const app = await run()
    await app.begin()
    await clock.advance(10 * 60_000)
    expect(service.journal).toEqual(threeTries)
    expect(service.machines.map(({ id }) => id)).toEqual([102])
    expect(service.most).toBe(1)
    expect(app.steps()).toMatchObject([
      { kind: 'trying', offer: { offerId: 1 } },
      { kind: 'rented', instanceId: 100 },
      { kind: 'failing', why: 'exited' },
      { kind: 'destroying' },
      { kind: 'gone', instanceId: 100 },
      { kind: 'trying', offer: { offerId: 2 } },
      { kind: 'rented', instanceId: 101 },
      { kind: 'failing', why: 'offline' },
      { kind: 'destroying' },
      { kind: 'gone', instanceId: 101 },
      { kind: 'trying', offer: { offerId: 3 } },
      { kind: 'rented', instanceId: 102 },
      { kind: 'ended', outcome: { kind: 'running', instanceId: 102 } },
    ])
  })

  test.each(['create', 'destroy'])(
    'goes on by the API key when the admin session is refused in the middle: %s',
    async (refused) => {
      const { service, clock, run } = retryWorld()
      service.fates = ['exited', 'offline', 'running']
      const app = await run(once(refused, 'before', { kind: 'session-ended', otherUserId: null }))
      await app.begin()
      await clock.advance(20 * 60_000)
      // Nothing was learned of the offer that it was refused for, nor of the machine.
      expect(service.journal).toEqual(threeTries)
      expect(app.steps().at(-1)).toEqual({ kind: 'ended', outcome: { kind: 'running', instanceId: 102 } })
      expect(app.steps()).not.toContainEqual(expect.objectContaining({ kind: 'trouble' }))
    },
  )

  test('rents no more machines than it may', async () => {
    const { service, clock, run } = retryWorld()
    service.fates = ['exited', 'exited', 'exited', 'running']
    const app = await run()
    await app.begin()
    await clock.advance(20 * 60_000)
    expect(app.steps().at(-1)).toEqual({ kind: 'ended', outcome: { kind: 'exhausted' } })
    expect(service.machines).toEqual([])
    expect(service.journal.filter((line) => line.startsWith('rent'))).toHaveLength(3)
  })

  test('passes over tried machines, and over what costs more than the cap or an unknown price', async () => {
    const { service, clock, run } = retryWorld()
    service.fates = ['exited', 'running']
    service.offers.splice(
      1,
      3,
      { id: 2, machine_id: 10, dph_total: 0.1 },
      { id: 3, machine_id: 30, dph_total: 1.01 },
      { id: 4, machine_id: 40 },
    )
    const app = await run()
    await app.begin()
    await clock.advance(10 * 60_000)
    expect(service.journal).toEqual(['rent 1', 'destroy 100', 'rent 5'])
    expect(app.steps().at(-1)).toMatchObject({ outcome: { kind: 'running' } })
  })

  test('counts the disk that is asked for against the cap', async () => {
    const { service, clock, run } = retryWorld()
    service.fates = ['exited', 'running']
    // 8 GB at 73 $/GB/month are 0.8 $/h.
    service.offers.splice(1, 1, { id: 2, machine_id: 20, dph_total: 0.3, storage_cost: 73 })
    const app = await run()
    await app.begin()
    await clock.advance(10 * 60_000)
    expect(service.journal).toEqual(['rent 1', 'destroy 100', 'rent 3'])
  })

  test('gives a machine its time, and judges it by a list from after that', async () => {
    const { service, clock, run } = retryWorld()
    service.fates = [null, 'running']
    const app = await run()
    await app.begin()
    await clock.advance(9.9 * 60_000)
    expect(service.journal).toEqual(['rent 1'])
    await clock.advance(5 * 60_000)
    expect(service.journal).toEqual(['rent 1', 'destroy 100', 'rent 2'])
  })

  test('a service that is away while the time passes: what came to run is kept', async () => {
    const { service, clock, run } = retryWorld()
    service.fates = ['running']
    let isAway = false
    const app = await run((what) => (isAway && what === 'list' ? reset : 'go'))
    await app.begin()
    await clock.advance(10_000)
    isAway = true
    await clock.advance(60 * 60_000)
    expect(service.journal).toEqual(['rent 1'])
    isAway = false
    await clock.advance(10 * 60_000)
    expect(service.journal).toEqual(['rent 1'])
    expect(app.steps().at(-1)).toMatchObject({ outcome: { kind: 'running', instanceId: 100 } })
  })

  test('rents nothing more after its time', async () => {
    const { service, clock, run } = retryWorld()
    service.fates = [null]
    const app = await run()
    await app.begin({ bootMinutes: 10, giveUpAfterMinutes: 5 })
    await clock.advance(30 * 60_000)
    expect(service.journal).toEqual(['rent 1', 'destroy 100'])
    expect(app.steps().at(-1)).toMatchObject({ outcome: { kind: 'out-of-time' } })
  })

  test('a machine that somebody destroys or stops meanwhile is theirs: no other is rented', async () => {
    const { service, clock, run } = retryWorld()
    service.fates = [null]
    const app = await run()
    await app.begin()
    await clock.advance(30_000)
    await app.actions.destroy(100)
    await clock.advance(30 * 60_000)
    expect(service.journal).toEqual(['rent 1', 'destroy 100'])
    expect(app.steps().at(-1)).toMatchObject({ kind: 'ended' })
  })

  test('an offer that is refused costs nothing and is passed over', async () => {
    const { service, clock, run } = retryWorld()
    service.fates = ['running']
    const taken: Problem = { kind: 'refused', status: 404, code: 'no_such_ask', message: '' }
    const app = await run(once('create', 'before', taken))
    await app.begin()
    await clock.advance(10 * 60_000)
    expect(service.journal).toEqual(['rent 2'])
    expect(app.steps()).toMatchObject([
      { kind: 'trying' },
      { kind: 'not-rented', problem: taken },
      { kind: 'trying' },
      { kind: 'rented' },
      { kind: 'ended' },
    ])
  })

  test('a key that may not rent ends it', async () => {
    const { service, clock, run } = retryWorld()
    const problem: Problem = { kind: 'not-allowed', code: '', message: '' }
    const app = await run((what) => (what === 'create' ? problem : 'go'))
    await app.begin()
    await clock.advance(10 * 60_000)
    expect(app.steps().at(-1)).toEqual({ kind: 'ended', outcome: { kind: 'refused', problem } })
    expect(service.journal).toEqual([])
  })

  test('one list that has lost a machine is no proof that it is gone', async () => {
    const { service, clock, run } = retryWorld()
    service.fates = ['exited', 'running']
    const list = service.list.bind(service)
    const destroy = service.destroy.bind(service)
    let lies = 0
    service.destroy = (id) => {
      // The first one is accepted and does nothing; the list lies once.
      if (lies === 0) {
        lies = 1
        service.journal.push('destroy ignored')
        service.list = () => {
          service.list = list
          return []
        }
      } else destroy(id)
    }
    const app = await run()
    await app.begin()
    await clock.advance(20 * 60_000)
    expect(service.most).toBe(1)
    expect(service.journal).toEqual(['rent 1', 'destroy ignored', 'destroy 100', 'rent 2'])
    expect(app.steps().at(-1)).toMatchObject({ outcome: { kind: 'running', instanceId: 101 } })
  })

  test('a destroy that is refused is said once, and asked for until it is done; nothing is rented meanwhile', async () => {
    const { service, clock, run } = retryWorld()
    service.fates = ['exited', 'running']
    let isRefusing = true
    const problem: Problem = { kind: 'rate-limited', retryAfterSeconds: null, message: '' }
    const app = await run((what) => (what === 'destroy' && isRefusing ? problem : 'go'))
    await app.begin()
    await clock.advance(60 * 60_000)
    expect(service.journal).toEqual(['rent 1'])
    expect(app.steps()).toContainEqual({ kind: 'trouble', problem })
    isRefusing = false
    await clock.advance(10 * 60_000)
    expect(service.journal).toEqual(['rent 1', 'destroy 100', 'rent 2'])
  })
})

describe('stopping it', () => {
  test.each([
    ['keep', [100], ['rent 1']],
    ['destroy', [], ['rent 1', 'destroy 100']],
  ] as const)('and the machine: %s', async (machine, left, journal) => {
    const { service, clock, run } = retryWorld()
    service.fates = [null]
    const app = await run()
    await app.begin()
    await clock.advance(30_000)
    await app.retries.stop(app.retries.state.value[0]?.id ?? '', machine)
    await clock.advance(10 * 60_000)
    expect(service.machines.map(({ id }) => id)).toEqual(left)
    expect(service.journal).toEqual(journal)
    expect(app.steps().at(-1)).toMatchObject({ kind: 'ended', outcome: { kind: 'stopped' } })
  })
})

describe('a lost reply', () => {
  test('to the rental, after the work: the machine is found, and asked for once', async () => {
    const { service, clock, run } = retryWorld()
    service.fates = ['running']
    const app = await run(once('create', 'after', reset))
    await app.begin()
    await clock.advance(10 * 60_000)
    expect(service.journal).toEqual(['rent 1'])
    expect(app.steps().at(-1)).toMatchObject({ outcome: { kind: 'running', instanceId: 100 } })
  })

  test('to the rental, before the work: the next offer, once it is sure that nothing was rented', async () => {
    const { service, clock, run } = retryWorld()
    service.fates = ['running']
    const app = await run(once('create', 'before', reset))
    await app.begin()
    await clock.advance(60_000)
    expect(service.journal).toEqual([])
    await clock.advance(10 * 60_000)
    expect(service.journal).toEqual(['rent 2'])
    expect(app.steps().at(-1)).toMatchObject({ outcome: { kind: 'running' } })
  })

  test('to the rental: the list is asked for every 10 s, so that the next offer does not wait for one at rest', async () => {
    const { clock, run } = retryWorld()
    const lists: number[] = []
    let hasFailed = false
    const app = await run((what, when) => {
      if (what === 'list' && when === 'before') lists.push(clock.now())
      if (what !== 'create' || when !== 'before' || hasFailed) return 'go'
      hasFailed = true
      return reset
    })
    await app.begin()
    await clock.advance(3 * 60_000)
    const gaps = lists.slice(2).map((at, index) => at - (lists[index + 1] ?? at))
    expect(Math.max(...gaps)).toBe(10_000)
  })

  test('to the rental, and the machine turns up late: nothing more is rented, and the user is told', async () => {
    const { service, clock, run } = retryWorld()
    const app = await run(once('create', 'before', reset))
    await app.begin()
    await clock.advance(50_000)
    service.create(1)
    await clock.advance(10 * 60_000)
    expect(service.journal).toEqual(['rent 1'])
    expect(app.steps().at(-1)).toEqual({
      kind: 'ended',
      outcome: { kind: 'ambiguous', instanceIds: [100] },
    })
  })

  test.each(['before', 'after'] as const)('to the destroy, %s the work: never two machines', async (when) => {
    const { service, clock, run } = retryWorld()
    service.fates = ['exited', 'offline', 'running']
    const app = await run(once('destroy', when, reset))
    await app.begin()
    await clock.advance(20 * 60_000)
    expect(service.journal).toEqual(threeTries)
    expect(service.most).toBe(1)
    expect(app.steps().at(-1)).toMatchObject({ outcome: { kind: 'running', instanceId: 102 } })
  })
})
