import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Problem } from '#domain/base/problem.ts'
import { settle } from '../../support/fake-clock.ts'
import { retryWorld, type Faults } from './retry-world.ts'

const reset: Problem = { kind: 'unreachable', cause: 'reset', origin: '' }

/** A world with an instance (100) that somebody else has rented, on machine 10, and that has come to its first fate. */
async function withDead(...fates: (string | null)[]) {
  const world = retryWorld()
  world.service.fates = fates
  world.service.create(1)
  await world.clock.advance(61_000)
  return world
}

test('an instance that somebody else rented is destroyed, and only then the next offer is rented, on another machine', async () => {
  const { service, clock, run } = await withDead('exited', 'running')
  const app = await run()
  await app.replace(100)
  await clock.advance(10 * 60_000)
  expect(service.journal).toEqual(['rent 1', 'destroy 100', 'rent 2'])
  expect(service.most).toBe(1)
  expect(app.steps()).toMatchObject([
    { kind: 'replacing', instanceId: 100, why: 'exited' },
    { kind: 'destroying', instanceId: 100 },
    { kind: 'gone', instanceId: 100 },
    { kind: 'trying', offer: { offerId: 2 } },
    { kind: 'rented', instanceId: 101 },
    { kind: 'ended', outcome: { kind: 'running', instanceId: 101 } },
  ])
})

test('what is replaced doesn’t count among the machines that may be rented', async () => {
  const { service, clock, run } = await withDead('exited', 'offline', 'running')
  const app = await run()
  await app.replace(100, { machines: 2 })
  await clock.advance(10 * 60_000)
  expect(service.journal).toEqual(['rent 1', 'destroy 100', 'rent 2', 'destroy 101', 'rent 3'])
})

test('one that runs by now is left alone, by a list that is asked for at that time', async () => {
  const { service, clock, run } = await withDead('exited')
  const app = await run()
  service.fates = ['running']
  await expect(app.replace(100)).rejects.toMatchObject({
    problem: { kind: 'rental-refused', reason: { code: 'not-dead', instanceId: 100 } },
  })
  await clock.advance(60_000)
  expect(service.journal).toEqual(['rent 1'])
  expect(app.retries.state.value).toEqual([])
})

test('one that is listed as stopped is left alone, though its status is one that never runs', async () => {
  const { service, clock, run } = await withDead('exited')
  const list = service.list.bind(service)
  service.list = () => list().map((one) => ({ ...one, cur_state: 'stopped' }))
  const app = await run()
  await expect(app.replace(100)).rejects.toMatchObject({
    problem: { kind: 'rental-refused', reason: { code: 'not-dead', instanceId: 100 } },
  })
  await clock.advance(60_000)
  expect(service.journal).toEqual(['rent 1'])
})

test('one that begins to run after the crash that came before its destruction is left alone', async () => {
  const { service, clock, run } = await withDead('exited')
  const first = await run((what) => (what === 'chain step' ? 'crash' : 'go'))
  await first.replace(100)
  await settle()
  first.quit()
  service.fates = ['running']
  const again = await run()
  await clock.advance(10 * 60_000)
  expect(service.journal).toEqual(['rent 1'])
  expect(again.steps().at(-1)).toEqual({ kind: 'ended', outcome: { kind: 'revived', instanceId: 100 } })
})

test('one that begins to run while its destruction had no effect isn’t destroyed by a second request', async () => {
  const { service, clock, run } = await withDead('exited')
  const destroy = service.destroy.bind(service)
  service.destroy = () => {
    service.journal.push('destroy ignored')
    service.fates = ['running']
    service.destroy = destroy
  }
  const app = await run()
  await app.replace(100)
  await clock.advance(20 * 60_000)
  expect(service.journal).toEqual(['rent 1', 'destroy ignored'])
  expect(app.steps().at(-1)).toEqual({ kind: 'ended', outcome: { kind: 'revived', instanceId: 100 } })
})

test('one that somebody else has destroyed before is no reason to rent', async () => {
  const { service, clock, run } = await withDead('exited')
  const first = await run((what) => (what === 'chain step' ? 'crash' : 'go'))
  await first.replace(100)
  await settle()
  first.quit()
  service.machines.splice(0)
  const again = await run()
  await clock.advance(10 * 60_000)
  expect(service.journal).toEqual(['rent 1'])
  expect(again.steps().at(-1)).toEqual({ kind: 'ended', outcome: { kind: 'taken-over', instanceId: 100 } })
})

test('another machine under its id is left alone', async () => {
  const { service, clock, run } = await withDead('exited')
  const first = await run((what) => (what === 'chain step' ? 'crash' : 'go'))
  await first.replace(100)
  await settle()
  first.quit()
  service.machines.splice(0, 1, { id: 100, status: 'exited', offerId: 4, at: clock.now() })
  const again = await run()
  await clock.advance(10 * 60_000)
  expect(service.journal).toEqual(['rent 1'])
  expect(again.steps().at(-1)).toEqual({
    kind: 'ended',
    outcome: { kind: 'other-machine', instanceId: 100 },
  })
})

test('where no offer is within the limit, or the list can’t be asked, nothing is destroyed', async () => {
  const { service, clock, run } = await withDead('exited')
  let isAway = false
  const app = await run((what) => (isAway && what === 'list' ? reset : 'go'))
  await expect(app.replace(100, { capPerHourUsd: 0.1 })).rejects.toMatchObject({
    problem: { kind: 'rental-refused', reason: { code: 'no-offer' } },
  })
  isAway = true
  await expect(app.replace(100)).rejects.toMatchObject({ problem: reset })
  isAway = false
  service.offers.splice(1)
  await expect(app.replace(100)).rejects.toMatchObject({
    problem: { kind: 'rental-refused', reason: { code: 'no-offer' } },
  })
  await clock.advance(10 * 60_000)
  expect(service.journal).toEqual(['rent 1'])
})

describe('when nothing can be rented any more, an instance that could not be destroyed is kept:', () => {
  /** “Destroy and rent next”, and the request to destroy doesn't reach the service before the app is quit. */
  async function withUnsent() {
    const world = await withDead('exited')
    const app = await world.run((what, when) => (what === 'destroy' && when === 'before' ? reset : 'go'))
    await app.replace(100)
    await world.clock.advance(10_000)
    expect(app.steps().filter(({ kind }) => kind === 'destroying')).toHaveLength(1)
    app.quit()
    await settle()
    return world
  }

  test('the time is up', async () => {
    const { service, clock, run } = await withUnsent()
    await clock.advance(24 * 3_600_000)
    const again = await run()
    await clock.advance(20 * 60_000)
    expect(service.journal).toEqual(['rent 1'])
    expect(again.steps().at(-1)).toEqual({
      kind: 'ended',
      outcome: { kind: 'kept', instanceId: 100, why: 'out-of-time' },
    })
  })

  test('no offer is within the limits', async () => {
    const { service, clock, run } = await withUnsent()
    service.offers.splice(1)
    const again = await run()
    await clock.advance(20 * 60_000)
    expect(service.journal).toEqual(['rent 1'])
    expect(again.steps().at(-1)).toEqual({
      kind: 'ended',
      outcome: { kind: 'kept', instanceId: 100, why: 'no-offers' },
    })
  })

  test('the request is lost', async () => {
    const { service, clock, run } = await withUnsent()
    const again = await run(undefined, { unseal: async () => null })
    await clock.advance(20 * 60_000)
    expect(service.journal).toEqual(['rent 1'])
    expect(again.steps().at(-1)).toEqual({
      kind: 'ended',
      outcome: { kind: 'kept', instanceId: 100, why: 'request-lost' },
    })
  })

  test('as long as that can’t be told, nothing is sent, and the trouble is said once', async () => {
    const { service, clock, run } = await withUnsent()
    let isAway = true
    const again = await run((what) => (isAway && what === 'search' ? reset : 'go'))
    await clock.advance(20 * 60_000)
    expect(service.journal).toEqual(['rent 1'])
    expect(again.steps().filter(({ kind }) => kind === 'trouble')).toHaveLength(1)
    isAway = false
    await clock.advance(20 * 60_000)
    expect(service.journal.slice(0, 3)).toEqual(['rent 1', 'destroy 100', 'rent 2'])
  })

  test('one that begins to run while that is looked at isn’t destroyed', async () => {
    const { service, clock, run } = await withDead('exited')
    let looks = 0
    const app = await run((what, when) => (what === 'destroy' && when === 'before' ? reset : 'go'), {
      unseal: async (text) => {
        looks += 1
        if (looks === 2) {
          service.fates = ['running']
          await app.watch.refresh()
        }
        return text
      },
    })
    await app.replace(100)
    await clock.advance(20 * 60_000)
    expect(app.steps().filter(({ kind }) => kind === 'destroying')).toHaveLength(1)
    expect(app.steps().at(-1)).toEqual({ kind: 'ended', outcome: { kind: 'revived', instanceId: 100 } })
  })
})

test('stopped while its destruction is not confirmed: nothing is sent again, and nothing rented', async () => {
  const { service, clock, run } = await withDead('exited')
  const app = await run((what, when) => (what === 'destroy' && when === 'before' ? reset : 'go'))
  await app.replace(100)
  await clock.advance(10_000)
  await app.retries.stop(app.retries.state.value[0]?.id ?? '', 'destroy')
  await clock.advance(20 * 60_000)
  expect(service.journal).toEqual(['rent 1'])
  expect(app.steps().filter(({ kind }) => kind === 'destroying')).toHaveLength(1)
  expect(app.steps().at(-1)).toEqual({ kind: 'ended', outcome: { kind: 'stopped', instanceId: 100 } })
})

test('the app is killed at any point: the new one is never there before the old one has gone, and never twice', async () => {
  for (let at = 1; ; at += 1) {
    const { service, clock, run } = await withDead('exited', 'offline', 'running', 'running')
    let events = 0
    const killer: Faults = (what) => (what !== 'list' && ++events === at ? 'crash' : 'go')
    const first = await run(killer)
    void first.replace(100)
    await clock.advance(15 * 60_000)
    const survived = first.isAlive()
    first.quit()
    const again = await run()
    await clock.advance(15 * 60_000)
    expect(service.most, `killed at ${at}`).toBe(1)
    if (again.retries.state.value.length === 0) expect(service.journal).toEqual(['rent 1'])
    else {
      expect(service.machines, `killed at ${at}`).toHaveLength(1)
      expect(again.steps().at(-1), `killed at ${at}`).toMatchObject({ outcome: { kind: 'running' } })
    }
    again.quit()
    if (survived) {
      expect(at).toBeGreaterThan(30)
      return
    }
  }
})

test('killed again and again, with replies lost on the way: never two instances', async () => {
  const trouble = fc.record({
    at: fc.integer({ min: 1, max: 25 }),
    fault: fc.constantFrom('crash' as const, reset),
    when: fc.constantFrom('before' as const, 'after' as const),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(trouble, { maxLength: 4 }), async (troubles) => {
      const { service, clock, run } = await withDead('exited', 'offline', 'running', 'running', 'running')
      for (const { at, fault, when } of [...troubles, { at: 0, fault: reset, when: 'before' as const }]) {
        let events = 0
        const app = await run((what, now) => {
          const isFile = /^(chain|rental|action) /.test(what)
          if (what === 'list' || now !== when || (fault !== 'crash' && isFile)) return 'go'
          return ++events === at ? fault : 'go'
        })
        if (app.retries.state.value.length === 0) app.replace(100).catch(() => undefined)
        await clock.advance(20 * 60_000)
        app.quit()
        await settle()
      }
      expect(service.most).toBe(1)
      // Where it was begun, it has come to its end; where not, nothing was touched.
      const last = await run()
      const end = last.steps().at(-1)
      if (end === undefined) expect(service.journal).toEqual(['rent 1'])
      else expect(end).toMatchObject({ kind: 'ended' })
      last.quit()
    }),
    { numRuns: 20 },
  )
})
