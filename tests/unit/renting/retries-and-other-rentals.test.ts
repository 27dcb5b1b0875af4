import { expect, test } from 'vitest'
import type { Problem } from '#domain/base/problem.ts'
import { defaultOfferQuery } from '#domain/offers/offer.ts'
import { body, plan, retryWorld } from './retry-world.ts'

const reset: Problem = { kind: 'unreachable', cause: 'reset', origin: '' }

test('no reply, and somebody else has rented meanwhile: their machine is left alone, whatever becomes of it', async () => {
  const { service, clock, run } = retryWorld()
  service.fates = ['exited']
  let creates = 0
  const app = await run((what, when) => {
    if (what !== 'create' || when !== 'before' || ++creates > 1) return 'go'
    // In the web console, say.
    service.create(5)
    return reset
  })
  await app.begin()
  await clock.advance(30 * 60_000)
  expect(service.journal).toEqual(['rent 5'])
  expect(app.steps().at(-1)).toEqual({ kind: 'ended', outcome: { kind: 'other-machine', instanceId: 100 } })
})

test('the id of a machine that was destroyed belongs to another one: it is not destroyed', async () => {
  const { service, clock, run } = retryWorld()
  service.fates = ['exited', null]
  const app = await run()
  await app.begin()
  await clock.advance(3 * 60_000)
  expect(service.journal).toEqual(['rent 1', 'destroy 100', 'rent 2'])
  service.machines.push({ id: 100, status: 'running', offerId: 5, at: clock.now() })
  await clock.advance(30 * 60_000)
  expect(service.journal.filter((line) => line === 'destroy 100')).toHaveLength(1)
})

test('one that was rented elsewhere while the list rested is not adopted, and not destroyed', async () => {
  const { service, clock, run } = retryWorld()
  service.fates = ['exited', 'running']
  const app = await run(
    (what, when) => {
      if (what !== 'create' || when !== 'before' || service.most > 1) return 'go'
      return service.journal.length === 1 ? reset : 'go'
    },
    { restingPauseMs: () => 300_000 },
  )
  await clock.advance(100_000)
  service.create(1) // in the web console, say, and of the machine that is rented next
  await clock.advance(100_000)
  await app.begin()
  await clock.advance(30 * 60_000)
  expect(service.journal).not.toContain('destroy 100')
  expect(app.steps()[0]).toMatchObject({ kind: 'trying', knownIds: [100] })
})

test('the list rests no longer than 10 s from the moment it is begun', async () => {
  const { clock, run } = retryWorld()
  const problem: Problem = { kind: 'rate-limited', retryAfterSeconds: null, message: '' }
  const app = await run((what) => (what === 'create' ? problem : 'go'), { restingPauseMs: () => 300_000 })
  await clock.advance(1000)
  await app.begin()
  await clock.advance(0)
  expect(app.steps().at(-1)).toMatchObject({ kind: 'not-rented', problem })
  expect((app.watch.snapshot.value.nextPollAt ?? 0) - clock.now()).toBeLessThanOrEqual(10_000)
})

test('another machine under the id of one that was rented has no order', async () => {
  const { service, clock, run } = retryWorld()
  service.fates = ['running']
  const app = await run()
  await app.begin()
  const rentedAt = clock.now()
  await clock.advance(3 * 60_000)
  expect(app.retries.orderOf(100)).toMatchObject({ capPerHourUsd: 1, at: rentedAt })
  service.machines.splice(0, 1, { id: 100, status: 'exited', offerId: 4, at: clock.now() })
  await app.watch.refresh()
  expect(app.retries.orderOf(100)).toBeNull()
})

test('nothing is begun for whoever does not want it any more', async () => {
  const { service, clock, retryEntries, run } = retryWorld()
  const app = await run()
  const reason = new Error('given up')
  const order = { offer: service.offers[0] ?? { id: 1 }, body, query: defaultOfferQuery, plan }
  await expect(app.retries.begin({ ...order, signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  await clock.advance(10 * 60_000)
  expect([service.journal, retryEntries.entries]).toEqual([[], []])
})
