import fc from 'fast-check'
import { expect, test } from 'vitest'
import { settle } from '../../support/fake-clock.ts'
import { autoRentWorld } from './auto-rent-world.ts'
import type { Faults } from './retry-world.ts'

const minuteMs = 60_000

test('as many instances as agreed are rented, within the price, each told, and then none', async () => {
  const { service, clock, told, run } = autoRentWorld()
  // With its disk, the second one costs more than the limit.
  service.offers.splice(1, 1, {
    id: 2,
    machine_id: 20,
    dph_total: 0.6,
    storage_cost: 0,
    gpu_name: 'RTX 4090',
  })
  const app = await run()
  await app.begin()
  await clock.advance(10 * minuteMs)
  expect(service.journal).toEqual(['rent 1', 'rent 3', 'rent 4'])
  expect(app.view()).toMatchObject({ outcome: { kind: 'complete' }, instanceIds: [100, 101, 102] })
  expect(told).toEqual([100, 101, 102].map((id) => `Instance ${id} rented automatically at $0.30/h`))
  expect(app.autoRent.armed).toBe(0)
})

test('nothing is rented while nothing is cheap enough; a price that isn’t known may be any', async () => {
  const { service, clock, run } = autoRentWorld()
  service.offers.splice(
    0,
    5,
    { id: 1, machine_id: 10, dph_total: 0.51, storage_cost: 0 },
    { id: 2, machine_id: 20 },
  )
  const app = await run()
  await app.begin()
  await clock.advance(30 * minuteMs)
  expect(service.journal).toEqual([])
  service.offers.push({ id: 3, machine_id: 30, dph_total: 0.5, storage_cost: 0 })
  await clock.advance(2 * minuteMs)
  expect(service.journal).toEqual(['rent 3'])
})

test('the user stops it: nothing more is rented, and it can be dismissed then', async () => {
  const { service, clock, run } = autoRentWorld()
  service.offers.splice(1)
  const app = await run()
  await app.begin()
  await clock.advance(minuteMs)
  const id = app.view()?.id ?? ''
  await app.autoRent.dismiss(id)
  expect(app.view()).toBeDefined()
  await app.autoRent.stop(id)
  service.offers.push({ id: 9, machine_id: 90, dph_total: 0.1, storage_cost: 0 })
  await clock.advance(5 * minuteMs)
  expect(service.journal).toEqual(['rent 1'])
  expect(app.view()).toMatchObject({ outcome: { kind: 'stopped' }, instanceIds: [100] })
  await app.autoRent.dismiss(id)
  expect(app.view()).toBeUndefined()
  app.quit()
  expect((await run()).view()).toBeUndefined()
})

type State = ReturnType<typeof autoRentWorld>['state']

test.for([
  ['the search was saved anew', 'search-changed', (state: State): void => void (state.query = null)],
  ['credit is low', 'low-credit', (state: State): void => void (state.obstacle = () => 'low-credit')],
  [
    'all have cost as much as they may',
    'limit-reached',
    (state: State): void => void (state.obstacle = () => 'limit-reached'),
  ],
  ['what to rent is lost', 'request-lost', (state: State): void => void (state.sealedIsLost = true)],
] as const)('when %s, it ends and says so', async ([, kind, happens]) => {
  const { service, clock, state, told, run } = autoRentWorld()
  const offers = service.offers.splice(0)
  const app = await run()
  await app.begin()
  await clock.advance(2 * minuteMs)
  happens(state)
  service.offers.push(...offers)
  await clock.advance(5 * minuteMs)
  expect(service.journal).toEqual([])
  expect(app.view()?.outcome).toMatchObject({ kind })
  expect(told).toHaveLength(1)
})

test('a key that is refused ends it; an offer that is gone is passed over, but not for ever', async () => {
  const refused = autoRentWorld()
  const app = await refused.run((what, when) =>
    what === 'create' && when === 'before' ? refused.problem('key') : 'go',
  )
  await app.begin()
  await refused.clock.advance(5 * minuteMs)
  expect(app.view()?.outcome).toMatchObject({ kind: 'refused', problem: { kind: 'key-refused' } })
  expect(refused.told).toEqual(['Auto-rent is off because it can’t rent'])

  const gone = autoRentWorld()
  gone.service.offers.push(
    ...Array.from({ length: 40 }, (_, index) => ({
      id: 50 + index,
      machine_id: 500 + index,
      dph_total: 0.2,
      storage_cost: 0,
    })),
  )
  let sent = 0
  const other = await gone.run((what, when) =>
    what === 'create' && when === 'before' && ++sent > 0 ? gone.problem('gone') : 'go',
  )
  await other.begin()
  await gone.clock.advance(20 * minuteMs)
  expect(sent).toBe(13)
  expect(other.view()?.outcome).toMatchObject({ kind: 'refused', problem: { kind: 'refused' } })
})

test('a service that limits requests is waited for, and its offers aren’t passed over', async () => {
  const { service, clock, problem, run } = autoRentWorld()
  let sentAt: number[] = []
  const app = await run((what, when) => {
    if (what !== 'create' || when !== 'before') return 'go'
    sentAt = [...sentAt, clock.now()]
    return sentAt.length === 1 ? problem('limited') : 'go'
  })
  await app.begin({ instances: 1 })
  await clock.advance(80_000)
  expect(app.view()).toMatchObject({ problem: { kind: 'rate-limited' }, outcome: null })
  expect(sentAt).toHaveLength(1)
  await clock.advance(5 * minuteMs)
  expect((sentAt[1] ?? 0) - (sentAt[0] ?? 0)).toBeGreaterThanOrEqual(90_000)
  expect(service.journal).toEqual(['rent 1'])
  expect(app.view()).toMatchObject({ problem: null, outcome: { kind: 'complete' } })
})

test('while auto-retry rents, nothing is rented automatically', async () => {
  const { service, clock, state, run } = autoRentWorld()
  state.isRetrying = true
  const app = await run()
  await app.begin()
  await clock.advance(5 * minuteMs)
  expect(service.journal).toEqual([])
  state.isRetrying = false
  await clock.advance(2 * minuteMs)
  expect(service.journal).toHaveLength(3)
})

test('an instance from elsewhere beside a rental without a reply ends it: which is which isn’t guessed', async () => {
  const { service, clock, problem, told, run } = autoRentWorld()
  const app = await run((what, when) => {
    if (what !== 'create' || when !== 'after') return 'go'
    service.create(999)
    return problem('reset')
  })
  await app.begin()
  await clock.advance(10 * minuteMs)
  expect(service.machines).toHaveLength(2)
  expect(app.view()?.outcome).toMatchObject({ kind: 'ambiguous', instanceIds: [100, 101] })
  expect(told).toEqual(['A rental needs your decision'])
})

test('the app is killed at any point: in the end there are as many as agreed, and one fewer only where a request may have left', async () => {
  for (let at = 1; ; at += 1) {
    const { service, clock, run } = autoRentWorld()
    let events = 0
    let killed = ''
    const killer: Faults = (what, when) => {
      if (what === 'list' || ++events !== at) return 'go'
      killed = `${when} ${what}`
      return 'crash'
    }
    const mayHaveLeft = (): boolean => ['after rental intent', 'before create'].includes(killed)
    const first = await run(killer)
    void first.begin({ instances: 2 })
    await clock.advance(5 * minuteMs)
    const survived = first.isAlive()
    first.quit()
    const again = await run()
    await clock.advance(10 * minuteMs)
    const view = again.view()
    if (view === undefined) expect(service.journal).toEqual([])
    else {
      expect(view.outcome, `killed at ${at}`).toEqual({ kind: 'complete' })
      expect(service.machines, `killed ${killed}`).toHaveLength(mayHaveLeft() ? 1 : 2)
      expect(view.instanceIds, `killed ${killed}`).toEqual(service.machines.map(({ id }) => id))
    }
    again.quit()
    if (survived) {
      expect(at).toBeGreaterThan(15)
      return
    }
  }
})

test('whatever is lost, refused, limited, not written, or killed: never more than agreed, and never above the price', async () => {
  const trouble = fc.record({
    at: fc.integer({ min: 1, max: 14 }),
    fault: fc.constantFrom(
      'crash' as const,
      'reset' as const,
      'limited' as const,
      'gone' as const,
      'disk' as const,
    ),
    when: fc.constantFrom('before' as const, 'after' as const),
  })
  const prices = fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(
      fc.array(trouble, { maxLength: 5 }),
      fc.integer({ min: 1, max: 4 }),
      prices,
      fc.constantFrom(0, 40_000, 80_000, 120_000),
      async (troubles, instances, cents, listedAfterMs) => {
        const { service, clock, state, problem, run } = autoRentWorld()
        state.listedAfterMs = listedAfterMs
        const offers = cents.map((each, index) => ({
          id: index + 1,
          machine_id: (index + 1) * 10,
          dph_total: each / 100,
          storage_cost: 0,
        }))
        service.offers.splice(0, 5, ...offers)
        const enough = Math.min(instances, cents.filter((each) => each <= 50).length)
        for (const one of [...troubles, null]) {
          let events = 0
          const app = await run((what, now) => {
            const isFile = what !== 'create'
            // What refuses or limits has done nothing.
            if (one === null || what === 'list' || now !== one.when) return 'go'
            const isOther = one.fault === 'crash' ? false : isFile !== (one.fault === 'disk')
            if (isOther || ++events !== one.at) return 'go'
            if (one.fault === 'crash') return 'crash'
            if (one.fault === 'disk') return { kind: 'storage-failed', file: '', detail: '' }
            return now === 'after' ? problem('reset') : problem(one.fault)
          })
          if (app.view() === undefined) app.begin({ instances }).catch(() => undefined)
          await clock.advance(12 * minuteMs)
          app.quit()
          await settle()
        }
        expect(service.machines.length).toBeLessThanOrEqual(instances)
        for (const { offerId } of service.machines)
          expect(offers.find(({ id }) => id === offerId)?.dph_total).toBeLessThanOrEqual(0.5)
        // Without trouble, as many as can be.
        if (troubles.length === 0) expect(service.machines).toHaveLength(enough)
      },
    ),
    { numRuns: 60 },
  )
})

test('a rental without a reply that is listed late is waited for, and not made again', async () => {
  const { service, clock, state, problem, run } = autoRentWorld()
  state.listedAfterMs = 80_000
  let sent = 0
  const app = await run((what, when) =>
    what === 'create' && when === 'after' && ++sent === 1 ? problem('reset') : 'go',
  )
  await app.begin({ instances: 2 })
  await clock.advance(20 * minuteMs)
  expect(service.machines.length).toBeLessThanOrEqual(2)
  // What turned up after the list had said that there is none isn't taken for anybody's.
  expect(app.view()?.outcome).toMatchObject({ kind: 'ambiguous', instanceIds: [100] })
})
