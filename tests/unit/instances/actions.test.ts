import { expect, test } from 'vitest'
import type { InstanceRecord } from '../../../src-main/domain/instance.ts'
import { ProblemError, type Problem } from '../../../src-main/domain/problem.ts'
import { createInstanceActions } from '../../../src-main/instances/actions.ts'
import { InstanceWatch } from '../../../src-main/instances/watch.ts'
import { FakeClock, settle } from '../../support/fake-clock.ts'
import { memoryLog } from '../../support/memory-log.ts'

async function machine() {
  const clock = new FakeClock()
  const instances: InstanceRecord[] = [{ id: 1, actual_status: 'running' }]
  const watch = new InstanceWatch({
    list: () => Promise.resolve(instances.map((one) => ({ ...one }))),
    clock,
    random: () => 0,
    log: memoryLog(),
  })
  watch.start()
  await settle()
  const calls: string[] = []
  const service = {
    stop: (id: number) => Promise.resolve(void calls.push(`stop ${id}`)),
    destroy: (id: number) => Promise.resolve(void calls.push(`destroy ${id}`)),
  }
  const actions = createInstanceActions({
    stop: (id) => service.stop(id),
    destroy: (id) => service.destroy(id),
    watch,
    clock,
  })
  return { clock, instances, watch, service, actions, calls }
}

const failed = (problem: Problem) => () => Promise.reject(new ProblemError(problem))
const lost: Problem = { kind: 'unreachable', cause: 'reset', origin: '' }

test('a stop is pending until the list shows another status', async () => {
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

test('an action without any effect is let go after five minutes, so that it can be asked for again', async () => {
  const { actions, watch, clock } = await machine()
  await actions.stop(1)
  await clock.advance(5 * 60_000)
  expect(watch.find(1)?.pending).not.toBeNull()
  await clock.advance(10_000)
  expect(watch.find(1)?.pending).toBeNull()
})

test('asked for twice before the answer, an action is sent once; afterwards it can be asked for again', async () => {
  const { actions, calls, service } = await machine()
  const stop = service.stop
  let answer: () => void = () => undefined
  service.stop = async (id) => {
    await stop(id)
    await new Promise<void>((resolve) => (answer = resolve))
  }
  const both = [actions.stop(1), actions.stop(1)]
  await settle()
  answer()
  await Promise.all(both)
  expect(calls).toEqual(['stop 1'])
  service.stop = stop
  await actions.stop(1)
  expect(calls).toEqual(['stop 1', 'stop 1'])
})
