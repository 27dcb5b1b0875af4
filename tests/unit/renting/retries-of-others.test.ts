import { expect, test } from 'vitest'
import type { Problem } from '#domain/base/problem.ts'
import { retryWorld } from './retry-world.ts'

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
