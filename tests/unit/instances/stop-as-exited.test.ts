import { describe, expect, test } from 'vitest'
import { needsDecision, outlookOf } from '#domain/instances/instance-status.ts'
import type { InstanceWatch } from '#services/instances/watch.ts'
import { failed, lost, machine, never } from './action-world.ts'

describe('a stop that ends as exited', () => {
  const outlook = (watch: InstanceWatch): string => outlookOf(watch.find(1) ?? never()).kind

  test('has stopped the instance, which waits for nobody', async () => {
    const { actions, watch, instances, clock } = await machine()
    await actions.stop(1)
    instances[0] = { id: 1, actual_status: 'exited' }
    await clock.advance(10_000)
    expect(outlook(watch)).toBe('stopped')
    expect(needsDecision(watch.find(1) ?? never())).toBe(false)
    await clock.advance(600_000)
    expect(outlook(watch)).toBe('stopped')
  })

  test('is still a stop after a host that was silent for a while; a host that stays silent isn’t', async () => {
    const { actions, watch, instances, clock } = await machine()
    await actions.stop(1)
    for (const status of ['unknown', 'exited']) {
      instances[0] = { id: 1, actual_status: status }
      await clock.advance(60_000)
      expect(outlook(watch)).toBe(status === 'unknown' ? 'dead-end' : 'stopped')
    }
  })

  test('is none once the instance has run again', async () => {
    const { actions, watch, instances, clock } = await machine()
    await actions.stop(1)
    for (const status of ['exited', 'running', 'exited']) {
      instances[0] = { id: 1, actual_status: status }
      await clock.advance(60_000)
    }
    expect(outlook(watch)).toBe('dead-end')
  })

  test('isn’t taken for one when the service gave no clear answer, or nobody asked', async () => {
    const { actions, watch, instances, service, clock } = await machine()
    service.stop = failed(lost)
    await actions.stop(1)
    instances[0] = { id: 1, actual_status: 'exited' }
    await clock.advance(10_000)
    expect(outlook(watch)).toBe('dead-end')
    expect(needsDecision(watch.find(1) ?? never())).toBe(true)
  })

  test('is one, too, when Slipway was closed meanwhile, and in the runs after that', async () => {
    const first = await machine()
    await first.actions.stop(1)
    const before = first.watch.snapshot.value.instances?.map((one) => ({ ...one, pending: null })) ?? []
    first.quit()
    const second = await machine(first.journal, { status: 'exited', before })
    expect(outlook(second.watch)).toBe('stopped')
    expect(second.watch.find(1)?.pending).toBeNull()
    const later = second.watch.snapshot.value.instances ?? []
    second.quit()
    expect(outlook((await machine(first.journal, { status: 'exited', before: later })).watch)).toBe('stopped')
  })
})
