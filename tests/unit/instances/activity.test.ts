import { describe, expect, onTestFinished, test } from 'vitest'
import type { InstanceRecord } from '#domain/instances/instance.ts'
import { activityLine, ActivityLog, type ActivityLine } from '#services/instances/activity.ts'
import { InstanceWatch } from '#services/instances/watch.ts'
import { FakeClock, settle } from '../../support/fake-clock.ts'
import { memoryJournal } from '../../support/memory-journal.ts'
import { memoryLog } from '../../support/memory-log.ts'
import { wholeList } from '../../support/whole-list.ts'

const dayMs = 24 * 3_600_000

/** A service's list and the log over it; `run()` again on the same world is a restart. */
function world() {
  const clock = new FakeClock()
  const records: InstanceRecord[] = []
  const journal = memoryJournal<ActivityLine>()
  async function run() {
    const end = new AbortController()
    onTestFinished(() => end.abort())
    const list = async () => wholeList(structuredClone(records))
    const watch = new InstanceWatch({ list, clock, random: () => 0, log: memoryLog() })
    const before = lastSeen
    const activity = new ActivityLog({ journal, watch, remembered: () => before, clock, log: memoryLog() })
    await activity.open()
    void activity.follow(end.signal)
    watch.start(before)
    await settle()
    const seen = async (id: number) => {
      lastSeen = watch.snapshot.value.instances ?? []
      const { value } = await activity.entries(id).next()
      return (value ?? []).map(({ event }) => event)
    }
    return { activity, watch, seen, quit: () => end.abort() }
  }
  let lastSeen: NonNullable<InstanceWatch['snapshot']['value']['instances']> = []
  return { clock, records, journal, run }
}

const running = { id: 7, actual_status: 'running', ssh_host: 'ssh4.example.com', ssh_port: 31_022 }

describe('what is seen of an instance', () => {
  test('is told once: its first sight, each change of state and address, and its end', async () => {
    const { clock, records, run } = world()
    const { seen, watch } = await run()
    records.push({ id: 7, actual_status: null })
    await watch.refresh()
    records[0] = running
    await clock.advance(10_000)
    await clock.advance(60_000)
    records.length = 0
    await clock.advance(30_000)
    expect(await seen(7)).toEqual([
      { kind: 'appeared', status: null },
      { kind: 'status', from: null, to: 'running' },
      { kind: 'address', of: 'proxy', address: 'ssh4.example.com:31022' },
      { kind: 'gone', asked: false },
    ])
  })

  test('an instance with two addresses has both in its log, each by its name', async () => {
    const { clock, records, run } = world()
    const { seen, watch } = await run()
    records.push({ ...running, public_ipaddr: '203.0.113.7', ports: { '22/tcp': [{ HostPort: '40021' }] } })
    await watch.refresh()
    records[0] = running
    await clock.advance(60_000)
    expect(await seen(7)).toEqual([
      { kind: 'appeared', status: 'running' },
      { kind: 'address', of: 'direct', address: '203.0.113.7:40021' },
      { kind: 'address', of: 'proxy', address: 'ssh4.example.com:31022' },
      { kind: 'address', of: 'direct', address: null },
    ])
  })

  test('a stop that ends as exited is told as a stop', async () => {
    const { clock, records, run } = world()
    records.push(running)
    const { seen, watch } = await run()
    watch.setPending(7, { action: 'stop', since: clock.now(), failure: null, lists: 0 })
    records[0] = { ...running, actual_status: 'exited' }
    await clock.advance(30_000)
    expect((await seen(7)).at(-1)).toEqual({ kind: 'status', from: 'running', to: 'exited', isStopped: true })
  })

  test('a destroy that was asked for, and not refused, explains the end', async () => {
    const { clock, records, run } = world()
    records.push(running)
    const { activity, seen } = await run()
    await activity.note(7, { kind: 'asked', action: 'destroy', by: 'user' })
    records.length = 0
    await clock.advance(30_000)
    expect((await seen(7)).at(-1)).toEqual({ kind: 'gone', asked: true })
  })

  test('a destroy that was refused does not', async () => {
    const { clock, records, run } = world()
    records.push(running)
    const { activity, seen } = await run()
    await activity.note(7, { kind: 'asked', action: 'destroy', by: 'user' })
    const problem = { kind: 'not-allowed', code: '', message: '' } as const
    await activity.note(7, { kind: 'refused', action: 'destroy', problem })
    records.length = 0
    await clock.advance(30_000)
    expect((await seen(7)).at(-1)).toEqual({ kind: 'gone', asked: false })
  })
})

describe('after a restart', () => {
  test('it goes on: nothing is first seen twice, and what went meanwhile is told', async () => {
    const { records, run } = world()
    records.push(running, { ...running, id: 8 })
    const first = await run()
    await first.seen(7)
    first.quit()
    records.splice(1, 1)
    records[0] = { ...running, actual_status: 'exited' }
    const { seen } = await run()
    expect((await seen(7)).map(({ kind }) => kind)).toEqual(['appeared', 'address', 'status'])
    expect((await seen(8)).at(-1)).toEqual({ kind: 'gone', asked: false })
  })

  test('a month after its end it is forgotten; what is longer than 200 entries loses its beginning', async () => {
    const { clock, records, journal, run } = world()
    records.push(running)
    const { activity, watch, seen, quit } = await run()
    for (let index = 0; index < 250; index += 1) await activity.note(8, { kind: 'port-opened', port: index })
    records.length = 0
    await watch.refresh()
    await settle()
    await seen(7)
    quit()
    await clock.advance(31 * dayMs)
    const later = await run()
    expect(await later.seen(7)).toEqual([])
    const kept = await later.seen(8)
    expect(kept).toHaveLength(200)
    expect(kept.at(-1)).toEqual({ kind: 'port-opened', port: 249 })
    expect(journal.entries).toHaveLength(200)
  })
})

test('a log that cannot be written costs only its lines on the disk', async () => {
  const { records, run, journal } = world()
  Object.assign(journal, { append: () => Promise.reject(new Error('disk full')) })
  records.push(running)
  const { seen } = await run()
  expect((await seen(7)).map(({ kind }) => kind)).toEqual(['appeared', 'address'])
})

test('what an earlier version noted of the one editor that it knew is read on', () => {
  const line = { instanceId: 7, at: 1, event: { kind: 'vscode-opened' } }
  expect(activityLine.parse(line)).toMatchObject({ event: { kind: 'editor-opened', editor: 'vscode' } })
})
