import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Problem } from '#domain/base/problem.ts'
import { settle } from '../../support/fake-clock.ts'
import { retryWorld, type Faults } from './retry-world.ts'

const reset: Problem = { kind: 'unreachable', cause: 'reset', origin: '' }

test('the app is killed at any point: never two machines, and in the end exactly one', async () => {
  for (let at = 1; ; at += 1) {
    const { service, clock, run } = retryWorld()
    service.fates = ['exited', 'offline', 'running', 'running', 'running']
    let events = 0
    const killer: Faults = (what) => (what !== 'list' && ++events === at ? 'crash' : 'go')
    const first = await run(killer)
    void first.begin()
    await clock.advance(15 * 60_000)
    const survived = first.isAlive()
    first.quit()
    const again = await run()
    await clock.advance(15 * 60_000)
    const begun = again.retries.state.value.length > 0
    expect(service.most, `killed at ${at}`).toBeLessThanOrEqual(1)
    if (begun) {
      expect(service.machines, `killed at ${at}`).toHaveLength(1)
      expect(again.steps().at(-1), `killed at ${at}`).toMatchObject({ outcome: { kind: 'running' } })
    } else expect(service.journal).toEqual([])
    again.quit()
    if (survived) {
      expect(at).toBeGreaterThan(30)
      return
    }
  }
})

test('killed again and again, with replies lost on the way: never two machines', async () => {
  const trouble = fc.record({
    at: fc.integer({ min: 1, max: 25 }),
    fault: fc.constantFrom('crash' as const, reset),
    when: fc.constantFrom('before' as const, 'after' as const),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(trouble, { maxLength: 4 }), async (troubles) => {
      const { service, clock, run } = retryWorld()
      service.fates = ['exited', 'offline', 'running', 'running', 'running']
      for (const { at, fault, when } of [...troubles, null].map(
        (one) => one ?? { at: 0, fault: reset, when: 'before' as const },
      )) {
        let events = 0
        // A file that cannot be written is another story: here, only the service's replies are lost.
        const app = await run((what, now) => {
          const isFile = /^(chain|rental|action) /.test(what)
          if (what === 'list' || now !== when || (fault !== 'crash' && isFile)) return 'go'
          return ++events === at ? fault : 'go'
        })
        if (app.retries.state.value.length === 0) void app.begin()
        await clock.advance(20 * 60_000)
        app.quit()
        await settle()
      }
      expect(service.most).toBeLessThanOrEqual(1)
      const last = await run()
      const end = last.steps().at(-1)
      expect(end).toMatchObject({ kind: 'ended' })
      if (end?.kind === 'ended' && end.outcome.kind === 'running') expect(service.machines).toHaveLength(1)
      last.quit()
    }),
    { numRuns: 20 },
  )
})

test('quit while the next machine is searched for: the next run rents it', async () => {
  const { service, clock, run } = retryWorld()
  service.fates = ['running', 'exited', 'running']
  const other = service.create(999)
  let isSearched = false
  const first = await run((what) => {
    if (what === 'search') {
      isSearched = true
      first.watch.stop()
    }
    return 'go'
  })
  void first.begin()
  await clock.advance(10 * 60_000)
  expect(isSearched).toBe(true)
  first.quit()
  await settle()
  const second = await run()
  await clock.advance(20 * 60_000)
  expect(second.steps().at(-1)).toMatchObject({ kind: 'ended', outcome: { kind: 'running' } })
  expect(service.machines.map(({ id }) => id)).toContain(other)
  second.quit()
})

test('after a day away, nothing more is rented, and what had failed is destroyed', async () => {
  const { service, clock, run } = retryWorld()
  service.fates = ['exited']
  const first = await run()
  await first.begin()
  await clock.advance(30_000)
  first.quit()
  await clock.advance(24 * 3_600_000)
  const again = await run()
  await clock.advance(10 * 60_000)
  expect(service.journal).toEqual(['rent 1', 'destroy 100'])
  expect(again.steps().at(-1)).toMatchObject({ outcome: { kind: 'out-of-time' } })
})

test('a clock that is set back gives a machine its time again, and no more', async () => {
  const { service, clock, run } = retryWorld()
  service.fates = [null, 'running']
  const app = await run()
  await app.begin()
  await clock.advance(60_000)
  clock.setBack(24 * 3_600_000)
  await clock.advance(9 * 60_000)
  expect(service.journal).toEqual(['rent 1'])
  await clock.advance(3 * 60_000)
  expect(service.journal).toEqual(['rent 1', 'destroy 100', 'rent 2'])
})

test('a day passes before the first rental: nothing is rented', async () => {
  const { service, clock, run } = retryWorld()
  const first = await run((what) => (what === 'rental intent' ? 'crash' : 'go'))
  await first.begin()
  await clock.advance(1000)
  first.quit()
  await clock.advance(24 * 3_600_000)
  const again = await run()
  await clock.advance(10 * 60_000)
  expect(service.journal).toEqual([])
  expect(again.steps().at(-1)).toMatchObject({ outcome: { kind: 'out-of-time' } })
})

test('what was to be destroyed when Slipway ended is, also if it runs by now', async () => {
  const { service, clock, retryEntries, run } = retryWorld()
  service.fates = ['running']
  const first = await run()
  await first.begin()
  await clock.advance(30_000)
  const [retry] = first.retries.state.value
  first.quit()
  const step = { kind: 'stopping', machine: 'destroy' } as const
  await retryEntries.append({ kind: 'step', id: String(retry?.id), at: clock.now(), step })
  await clock.advance(60_000)
  const again = await run()
  await clock.advance(10 * 60_000)
  expect(service.journal).toEqual(['rent 1', 'destroy 100'])
  expect(again.steps().at(-1)).toMatchObject({ outcome: { kind: 'stopped', instanceId: null } })
})
