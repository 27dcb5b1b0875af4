import { describe, expect, test } from 'vitest'
import { isOverdue, needsDecision } from '#domain/instances/instance-status.ts'
import { ProblemError, type Problem } from '#domain/base/problem.ts'
import { openActions, type ActionEntry } from '#services/instances/action-journal.ts'
import { settle } from '../../support/fake-clock.ts'
import { memoryJournal } from '../../support/memory-journal.ts'
import { failed, lost, machine, never } from './action-world.ts'

test.each([
  ['its status', { actual_status: 'stopped' }],
  ['the listed state', { actual_status: 'winding-down', cur_state: 'stopped' }],
  ['a status that never runs', { actual_status: 'exited' }],
])('a stop has taken effect once %s says so', async (_, shown) => {
  const { actions, watch, instances, clock } = await machine()
  await actions.stop(1)
  instances[0] = { id: 1, ...shown }
  await clock.advance(10_000)
  expect(watch.find(1)?.pending).toBeNull()
})

test('an instance that one list lacks after its destroy: the list that settles it comes 10 s later', async () => {
  const { actions, watch, instances, clock } = await machine()
  await actions.destroy(1)
  instances.splice(0)
  await clock.advance(10_000)
  const lacking = watch.snapshot.value.fetchedAt ?? 0
  await clock.advance(10_000)
  expect((watch.snapshot.value.fetchedAt ?? 0) - lacking).toBe(10_000)
})

test('a word that the API does not have is no stop', async () => {
  const { actions, watch, instances, clock } = await machine()
  await actions.stop(1)
  instances[0] = { id: 1, actual_status: 'winding-down' }
  await clock.advance(60_000)
  expect(watch.find(1)?.pending).toMatchObject({ action: 'stop' })
  expect(isOverdue(watch.find(1)?.pending ?? never())).toBe(true)
})

test('a stop is pending until the list shows that it is stopped', async () => {
  const { actions, watch, instances, clock } = await machine()
  await actions.stop(1)
  expect(watch.find(1)?.pending).toMatchObject({ action: 'stop', failure: null })
  instances[0] = { id: 1, actual_status: 'stopped' }
  await clock.advance(10_000)
  expect(watch.find(1)).toMatchObject({ status: 'stopped', pending: null })
})

test('a destroy whose reply is lost is pending with the reason, until the list has it no more', async () => {
  const { actions, watch, instances, service, clock, calls } = await machine()
  service.destroy = failed(lost)
  await actions.destroy(1)
  expect(watch.find(1)?.pending).toMatchObject({ action: 'destroy', failure: lost })
  instances.length = 0
  await clock.advance(10_000)
  expect(watch.find(1)).toBeUndefined()
  expect(calls).toEqual([])
})

test('a refused action is reported and not pending', async () => {
  const { actions, watch, service } = await machine()
  const refusal: Problem = { kind: 'not-allowed', code: '', message: 'scope' }
  service.stop = failed(refusal)
  await expect(actions.stop(1)).rejects.toMatchObject({ problem: refusal })
  expect(watch.find(1)?.pending).toBeNull()
})

test('destroying what is already gone is no error', async () => {
  const { actions, watch, instances, service } = await machine()
  instances.length = 0
  service.destroy = failed({ kind: 'refused', status: 404, code: 'not_found', message: '' })
  await actions.destroy(1)
  expect(watch.find(1)).toBeUndefined()
})

describe('an action that does not take', () => {
  test('is told after six lists, stays in sight, and may be sent again', async () => {
    const { actions, watch, clock, calls } = await machine()
    await actions.destroy(1)
    await clock.advance(40_000)
    expect(isOverdue(watch.find(1)?.pending ?? never())).toBe(false)
    await clock.advance(10_000)
    expect(isOverdue(watch.find(1)?.pending ?? never())).toBe(true)
    expect(needsDecision(watch.find(1) ?? never())).toBe(true)
    await clock.advance(3_600_000)
    expect(watch.find(1)?.pending).toMatchObject({ action: 'destroy' })
    await actions.destroy(1)
    expect(isOverdue(watch.find(1)?.pending ?? never())).toBe(false)
    expect(calls).toEqual(['destroy 1', 'destroy 1'])
  })

  test('is told sooner when its reply was lost', async () => {
    const { actions, watch, clock, service } = await machine()
    service.destroy = failed(lost)
    await actions.destroy(1)
    await clock.advance(20_000)
    expect(isOverdue(watch.find(1)?.pending ?? never())).toBe(true)
  })

  test('can be let go', async () => {
    const { actions, watch, clock } = await machine()
    await actions.destroy(1)
    await actions.forget(1)
    await clock.advance(60_000)
    expect(watch.find(1)?.pending).toBeNull()
  })
})

test('a boot that goes on is no sign that a stop took', async () => {
  const { actions, watch, instances, clock } = await machine()
  instances[0] = { id: 1, actual_status: 'loading' }
  await watch.refresh()
  await actions.stop(1)
  instances[0] = { id: 1, actual_status: 'running' }
  await clock.advance(10_000)
  expect(watch.find(1)?.pending).toMatchObject({ action: 'stop' })
  instances[0] = { id: 1, actual_status: 'running', cur_state: 'stopped' }
  await clock.advance(10_000)
  expect(watch.find(1)?.pending).toBeNull()
})

describe('a stop and a destroy of one instance', () => {
  const refusal: Problem = { kind: 'not-allowed', code: '', message: 'scope' }

  test('a stop that is refused leaves the destroy pending, with its reason, also after a restart', async () => {
    const { actions, watch, service, journal, quit } = await machine()
    service.destroy = failed(lost)
    await actions.destroy(1)
    service.stop = failed(refusal)
    await expect(actions.stop(1)).rejects.toMatchObject({ problem: refusal })
    expect(watch.find(1)?.pending).toMatchObject({ action: 'destroy', failure: lost })
    quit()
    const next = await machine(journal)
    expect(next.watch.find(1)?.pending).toMatchObject({ action: 'destroy' })
  })

  test('a stop that takes effect leaves the destroy pending, also after a restart', async () => {
    const { actions, watch, instances, service, clock, journal, quit } = await machine()
    service.destroy = failed(lost)
    await actions.destroy(1)
    await actions.stop(1)
    expect(watch.find(1)?.pending).toMatchObject({ action: 'stop' })
    instances[0] = { id: 1, actual_status: 'stopped' }
    await clock.advance(10_000)
    expect(watch.find(1)).toMatchObject({ status: 'stopped', pending: { action: 'destroy', failure: lost } })
    quit()
    const next = await machine(journal)
    expect(next.watch.find(1)?.pending).toMatchObject({ action: 'destroy' })
  })

  test('both refused while both are under way, nothing is pending', async () => {
    const { actions, watch, service, journal } = await machine()
    const refuse: ((error: Error) => void)[] = []
    service.stop = () => new Promise((_, reject) => refuse.push(reject))
    service.destroy = service.stop
    const asked = [actions.stop(1), actions.destroy(1)].map((one) => one.catch(() => 'refused'))
    await settle()
    refuse[0]?.(new ProblemError(refusal))
    await settle()
    expect(watch.find(1)?.pending).toMatchObject({ action: 'destroy' })
    refuse[1]?.(new ProblemError(refusal))
    expect(await Promise.all(asked)).toEqual(['refused', 'refused'])
    expect(watch.find(1)?.pending).toBeNull()
    expect(openActions(journal.entries)).toEqual([])
  })

  test('letting go lets go of both', async () => {
    const { actions, watch, clock, journal } = await machine()
    await actions.destroy(1)
    await actions.stop(1)
    await actions.forget(1)
    await clock.advance(60_000)
    expect(watch.find(1)?.pending).toBeNull()
    expect(openActions(journal.entries)).toEqual([])
  })
})

describe('after a restart', () => {
  test('what was asked for and did not happen is pending again, and told', async () => {
    const first = await machine()
    first.service.destroy = () => new Promise(() => undefined) // no reply before the end
    void first.actions.destroy(1)
    await settle()
    first.quit()
    const { watch, clock } = await machine(first.journal)
    expect(watch.find(1)?.pending).toMatchObject({ action: 'destroy', failure: null })
    await clock.advance(90_000)
    expect(isOverdue(watch.find(1)?.pending ?? never())).toBe(true)
  })

  test('what has happened is at an end', async () => {
    const first = await machine()
    await first.actions.stop(1)
    first.instances[0] = { id: 1, actual_status: 'stopped' }
    await first.clock.advance(10_000)
    first.quit()
    const { watch, journal } = await machine(first.journal)
    expect(watch.find(1)?.pending).toBeNull()
    expect(journal.entries).toEqual([])
  })

  test('one list without the instance, as a fault may give it, ends nothing', async () => {
    const { actions, watch, instances, clock } = await machine()
    const [record] = instances.splice(0)
    await actions.destroy(1)
    instances.push(record ?? never())
    await clock.advance(30_000)
    expect(watch.find(1)?.pending).toMatchObject({ action: 'destroy' })
  })
})

test('an action is sent although its journal cannot be written', async () => {
  const journal = memoryJournal<ActionEntry>()
  const { actions, calls } = await machine({ ...journal, append: failed(lost) })
  await actions.destroy(1)
  expect(calls).toEqual(['destroy 1'])
})
