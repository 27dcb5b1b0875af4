import { expect, test } from 'vitest'
import type { InstanceRecord } from '#domain/instances/instance.ts'
import type { UnreadableRecord } from '#domain/rental-api/unreadable-record.ts'
import { InstancePresence } from '#services/instances/instance-presence.ts'
import { InstanceWatch } from '#services/instances/watch.ts'
import { FakeClock, settle } from '../../support/fake-clock.ts'
import { memoryLog } from '../../support/memory-log.ts'

/** Lists of which the second instance can't be read after the first one. */
async function watching() {
  const clock = new FakeClock()
  const unreadable: UnreadableRecord[] = []
  const records: InstanceRecord[] = [
    { id: 1, actual_status: 'running' },
    { id: 2, actual_status: 'running' },
  ]
  const watch = new InstanceWatch({
    list: async () => ({ records: [...records], unreadable: [...unreadable] }),
    clock,
    random: () => 0,
    log: memoryLog(),
  })
  watch.start()
  await settle()
  records.splice(1, 1)
  unreadable.push({ place: 2, id: null, detail: 'id: expected number' })
  await watch.refresh()
  return { watch, clock, unreadable }
}

test('an instance that a record of the list may be stays as it was, and is in sight', async () => {
  const { watch, unreadable } = await watching()
  expect(watch.snapshot.value).toMatchObject({ instances: [{ id: 1 }, { id: 2 }], unreadable })
  unreadable.splice(0)
  await watch.refresh()
  expect(watch.snapshot.value).toMatchObject({ instances: [{ id: 1 }], unreadable: [] })
})

test('no instance has gone while a record of the list may be it', async () => {
  const { watch, clock, unreadable } = await watching()
  const presence = new InstancePresence(3, 0)
  const look = async (): Promise<boolean> => {
    await clock.advance(30_000)
    presence.look(watch.snapshot.value)
    return presence.isGone
  }
  const seenAt = presence.seenAt
  expect([await look(), await look(), await look()]).toEqual([false, false, false])
  // Nor has it been seen: nothing may be decided by how it was before.
  expect(presence.seenAt).toBe(seenAt)
  unreadable.splice(0)
  expect([await look(), await look()]).toEqual([false, true])
})

test('what an earlier run asked of an instance stays asked, though the first list can’t be read as far as that goes', async () => {
  const unreadable: UnreadableRecord[] = [{ place: 1, id: 1, detail: 'actual_status: expected string' }]
  const records: InstanceRecord[] = []
  const watch = new InstanceWatch({
    list: async () => ({ records: [...records], unreadable: [...unreadable] }),
    clock: new FakeClock(),
    random: () => 0,
    log: memoryLog(),
  })
  const asked = { action: 'destroy', since: 0, lists: 0, failure: null } as const
  watch.setPending(1, asked)
  // As the list of before is remembered, without what was asked.
  const record = { id: 1, actual_status: 'running' }
  watch.start([{ id: 1, status: 'running', record, history: [{ status: 'running', at: 0 }], pending: null }])
  await settle()
  expect(watch.find(1)?.pending).toMatchObject({ action: 'destroy' })
  unreadable.splice(0)
  records.push(record)
  await watch.refresh()
  expect(watch.find(1)?.pending).toMatchObject({ action: 'destroy' })
})
