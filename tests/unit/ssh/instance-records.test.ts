import { describe, expect, test, vi } from 'vitest'
import { Latest } from '#domain/base/latest.ts'
import { ProblemError, type Problem } from '#domain/base/problem.ts'
import type { InstanceRecord, InstancesSnapshot } from '#domain/instances/instance.ts'
import { InstanceRecords, whereListed, type InstanceRecordsOptions } from '#services/ssh/instance-records.ts'
import { FakeClock } from '../../support/fake-clock.ts'

const id = 7
const record = (host: string): InstanceRecord => ({ id, ssh_host: host, ssh_port: 31_022 })
const refused: Problem = { kind: 'unreachable', cause: 'refused', origin: 'https://service.example.com' }
const seenAt = Date.UTC(2025, 11, 31)

function open({
  instances = [record('listed')],
  problem = null,
}: { instances?: readonly InstanceRecord[]; problem?: Problem | null } = {}) {
  const clock = new FakeClock()
  const ask = vi.fn<InstanceRecordsOptions['ask']>(() => Promise.resolve(record('asked')))
  const list: InstanceRecordsOptions['list'] = new Latest({
    instances: instances.map((one) => ({
      id: one.id,
      status: 'running',
      record: one,
      history: [],
      pending: null,
    })),
    fetchedAt: seenAt,
    problem,
  })
  return { clock, ask, list, records: new InstanceRecords({ ask, list, clock }) }
}
const fails = (problem: Problem) => () => Promise.reject(new ProblemError(problem))

describe('where an instance is', () => {
  test('the service says, as long as it can be asked', async () => {
    const { records } = open()
    expect(await records.find(id)).toEqual(record('asked'))
    expect(records.asOf(id)).toBeNull()
  })

  for (const problem of [
    refused,
    { kind: 'service-failed', status: 502, message: '' },
    { kind: 'rate-limited', retryAfterSeconds: null, message: '' },
    { kind: 'bad-reply', status: 200, path: '', detail: '' },
    { kind: 'redirected', origin: '' },
    { kind: 'key-refused', message: '' },
    { kind: 'not-allowed', code: '', message: '' },
    { kind: 'keychain-locked', detail: '' },
    { kind: 'keychain-unavailable', detail: '' },
    { kind: 'secret-missing', what: '' },
    { kind: 'address-changed', address: '', keyIsFor: null },
  ] as const satisfies readonly Problem[])
    test(`with ${problem.kind} its last word counts, with its time`, async () => {
      const { ask, records } = open()
      ask.mockImplementation(fails(problem))
      expect(await records.find(id)).toEqual(record('listed'))
      expect(records.asOf(id)).toBe(seenAt)
      ask.mockResolvedValue(record('moved'))
      expect(await records.find(id)).toEqual(record('moved'))
      expect(records.asOf(id)).toBeNull()
    })

  test('what it says of the instance counts, also that there is none', async () => {
    for (const problem of [
      { kind: 'refused', status: 404, code: 'no_such_instance', message: '' },
      { kind: 'no-account' },
    ] as const satisfies readonly Problem[]) {
      const { ask, records } = open()
      ask.mockImplementation(fails(problem))
      await expect(records.find(id)).rejects.toMatchObject({ problem })
      expect(records.asOf(id)).toBeNull()
    }
  })

  test('what was asked for later than the list counts before it, and the list when that is newer', async () => {
    const { ask, list, clock, records } = open()
    await records.find(id)
    ask.mockImplementation(fails(refused))
    expect(await records.find(id)).toEqual(record('asked'))
    expect(records.asOf(id)).toBe(clock.now())
    list.set({ ...list.value, fetchedAt: clock.now() + 1 })
    expect(await records.find(id)).toEqual(record('listed'))
  })

  test('a service that hangs holds nobody up where an address is known, and nobody else gives up early', async () => {
    const { ask, clock, records } = open()
    const signals: AbortSignal[] = []
    ask.mockImplementation((_, { signal }) => {
      if (signal) signals.push(signal)
      return new Promise(() => undefined)
    })
    const finding = records.find(id)
    await clock.advance(4_999)
    expect(signals[0]?.aborted).toBe(false)
    await clock.advance(1)
    expect(await finding).toEqual(record('listed'))
    expect(signals[0]?.aborted).toBe(true)

    const unknown = open({ instances: [] })
    unknown.ask.mockImplementation(async () => {
      await unknown.clock.sleep(20_000)
      return record('asked')
    })
    const patient = unknown.records.find(id)
    await unknown.clock.advance(20_000)
    expect(await patient).toEqual(record('asked'))
  })

  test('one that is known to be away is asked once, and one that answered before again', async () => {
    const { ask, records } = open()
    await records.find(id)
    expect(ask.mock.lastCall?.[1].isRepeatable).toBe(true)
    const away = open({ problem: refused })
    await away.records.find(id)
    expect(away.ask.mock.lastCall?.[1].isRepeatable).toBe(false)
  })

  test('for one who wants it as listed, the service is asked only of what isn’t known', async () => {
    const { ask, records } = open()
    expect(await records.find(id, 'listed')).toEqual(record('listed'))
    expect(records.asOf(id)).toBeNull()
    expect(ask).not.toHaveBeenCalled()
    const away = open({ problem: refused })
    await away.records.find(id, 'listed')
    expect(away.records.asOf(id)).toBe(seenAt)
    const unknown = open({ instances: [] })
    expect(await unknown.records.find(id, 'listed')).toEqual(record('asked'))
  })

  test('where nothing is known, why it cannot be asked is told', async () => {
    const { ask, records } = open({ instances: [] })
    ask.mockImplementation(fails(refused))
    await expect(records.find(id)).rejects.toMatchObject({ problem: refused })
  })

  test('a question that was given up says nothing about a newer one', async () => {
    const { ask, clock, records } = open()
    ask.mockImplementationOnce(() => new Promise(() => undefined))
    const former = records.find(id)
    await records.find(id)
    await clock.advance(5_000)
    await former
    expect(records.asOf(id)).toBeNull()
  })
})

test('where an instance is listed is concluded from a list only while the service gives new ones', () => {
  const list: InstancesSnapshot = {
    instances: [{ id, status: 'running', record: record('listed'), history: [], pending: null }],
    unreadable: [],
    fetchedAt: seenAt,
    problem: null,
    nextPollAt: null,
    notices: [],
  }
  expect(whereListed(list, id)).toEqual([{ host: 'listed', port: 31_022 }])
  expect(whereListed(list, 8)).toBe('gone')
  for (const silent of [{ problem: refused }, { instances: null }])
    for (const one of [id, 8]) expect(whereListed({ ...list, ...silent }, one)).toBeNull()
  const unreadable = [{ place: 2, id: null, detail: 'id: not a number' }]
  expect(whereListed({ ...list, unreadable }, 8)).toBeNull()
})
