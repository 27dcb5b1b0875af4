import { describe, expect, test } from 'vitest'
import type { InstanceRecord } from '#domain/instances/instance.ts'
import { ProblemError, type Problem } from '#domain/base/problem.ts'
import type { UnreadableRecord } from '#domain/rental-api/unreadable-record.ts'
import { Renting, type Journal } from '#services/renting/renting.ts'
import type { RentalEntry } from '#services/renting/rental-journal.ts'
import { InstanceWatch } from '#services/instances/watch.ts'
import { FakeClock, settle } from '../../support/fake-clock.ts'
import { memoryLog } from '../../support/memory-log.ts'
import { wholeList } from '../../support/whole-list.ts'

const reset: Problem = { kind: 'unreachable', cause: 'reset', origin: 'https://service.example' }

/** A service with instances, and the app around it; `run()` again on the same world is a restart. */
function world() {
  const clock = new FakeClock()
  const instances: InstanceRecord[] = [{ id: 1, actual_status: 'running' }]
  const unreadable: UnreadableRecord[] = []
  const entries: RentalEntry[] = []
  const sent: number[] = []
  /** Instances that were told to be rented. */
  const told: number[] = []
  let nextId = 100
  const service = {
    list: () => Promise.resolve({ ...wholeList([...instances]), unreadable: [...unreadable] }),
    /** What happens to a rental: the reply arrives, or the work is done and the reply is lost, or neither. */
    create: (offerId: number): Promise<number> => {
      sent.push(offerId)
      const id = nextId++
      instances.push({ id, actual_status: null })
      return Promise.resolve(id)
    },
  }
  const journal: Journal = {
    readAll: () => Promise.resolve(entries),
    append: (entry) => Promise.resolve(void entries.push(entry)),
    compact: (keep) => Promise.resolve(void entries.splice(0, entries.length, ...entries.filter(keep))),
  }
  let ids = 0
  async function run({ restingPauseMs = 30_000 } = {}) {
    const end = new AbortController()
    const watch = new InstanceWatch({
      list: () => service.list(),
      restingPauseMs: () => restingPauseMs,
      clock,
      random: () => 0,
      log: memoryLog(),
    })
    const renting = new Renting({
      create: async (offerId) => ({ instanceId: await service.create(offerId), instanceKey: null }),
      watch,
      journal,
      onRented: async (id) => void told.push(id),
      clock,
      randomId: () => `rental-${++ids}`,
      log: memoryLog(),
    })
    await renting.resume()
    void renting.follow(end.signal)
    watch.start()
    await settle()
    const notices = () => watch.snapshot.value.notices.map(({ offerId, outcome }) => ({ offerId, outcome }))
    return { watch, renting, notices, quit: () => (end.abort(), watch.stop()) }
  }
  return { clock, instances, unreadable, entries, sent, told, service, journal, run }
}

const body = { image: 'pytorch', disk: 8 }

describe('renting', () => {
  test('writes the intent before anything is sent, without what may be secret', async () => {
    const { run, service, entries } = world()
    const { renting } = await run()
    let writtenBefore: RentalEntry[] = []
    const create = service.create
    service.create = (offerId) => {
      writtenBefore = structuredClone(entries)
      return create(offerId)
    }
    const result = await renting.rent(7, { ...body, onstart: 'export TOKEN=canary' })
    expect(result).toEqual({ kind: 'rented', instanceId: 100, instanceKey: null })
    expect(writtenBefore).toMatchObject([{ kind: 'intent', offerId: 7, knownIds: [1] }])
    expect(JSON.stringify(entries)).not.toContain('canary')
  })

  test('one that was rented elsewhere since the last list is not adopted, however long the list rests', async () => {
    const { run, service, instances, clock } = world()
    service.create = () => Promise.reject(new ProblemError(reset))
    const { renting, notices } = await run({ restingPauseMs: 300_000 })
    await clock.advance(100_000)
    instances.push({ id: 2, actual_status: 'running' })
    await clock.advance(100_000)
    await renting.rent(7, body)
    expect(notices()).toEqual([{ offerId: 7, outcome: { kind: 'checking' } }])
    await clock.advance(30_000)
    expect(notices()).toEqual([{ offerId: 7, outcome: { kind: 'nothing-created' } }])
  })

  const limited: Problem = { kind: 'rate-limited', retryAfterSeconds: null, message: '' }
  test.each([
    [limited, limited],
    // As the problem of a rental, it would say that something may have been rented.
    [reset, { kind: 'list-unavailable' }],
  ])('sends nothing when the list is older than 10 s and cannot be asked for: %j', async (why, problem) => {
    const { run, service, sent, entries, clock } = world()
    const { renting } = await run({ restingPauseMs: 300_000 })
    service.list = () => Promise.reject(new ProblemError(why))
    await clock.advance(11_000)
    await expect(renting.rent(7, body)).rejects.toMatchObject({ problem })
    expect(sent).toEqual([])
    expect(entries).toEqual([])
  })

  test('sends nothing when the intent cannot be written', async () => {
    const { run, journal, sent } = world()
    const full = new ProblemError({ kind: 'storage-failed', file: 'journal', detail: 'ENOSPC' })
    const { renting } = await run()
    Object.assign(journal, { append: () => Promise.reject(full) })
    await expect(renting.rent(7, body)).rejects.toBe(full)
    expect(sent).toEqual([])
  })

  test('a clear no is passed on, and leaves nothing open', async () => {
    const { run, service } = world()
    const gone = new ProblemError({ kind: 'refused', status: 404, code: 'no_such_ask', message: 'gone' })
    service.create = () => Promise.reject(gone)
    const app = await run()
    await expect(app.renting.rent(7, body)).rejects.toBe(gone)
    expect(app.notices()).toEqual([])
    app.quit()
    const again = await run()
    expect(again.notices()).toEqual([])
  })

  test('a reply lost after the work was done: the machine is adopted, and asked for once', async () => {
    const { run, service, sent, told } = world()
    const create = service.create
    service.create = async (offerId) => {
      await create(offerId)
      throw new ProblemError(reset)
    }
    const { renting } = await run()
    const result = await renting.rent(7, body)
    expect(result).toMatchObject({
      kind: 'reply-lost',
      notice: { offerId: 7, outcome: { kind: 'adopted', instanceId: 100 } },
    })
    expect(sent).toEqual([7])
    expect(told, 'its rule is set as that of any other').toEqual([100])
  })

  test.each([
    ['HTML instead of JSON', { kind: 'bad-reply', status: 200, path: '', detail: '' }],
    ['a failing service', { kind: 'service-failed', status: 502, message: '' }],
    ['a timeout', { kind: 'unreachable', cause: 'timeout', origin: '' }],
  ] satisfies [string, Problem][])('%s may hide a rental, so the list is asked', async (_, problem) => {
    const { run, service } = world()
    const create = service.create
    service.create = async (offerId) => {
      await create(offerId)
      throw new ProblemError(problem)
    }
    const { renting } = await run()
    expect(await renting.rent(7, body)).toMatchObject({ notice: { outcome: { kind: 'adopted' } } })
  })

  test('a rental whose reply was lost is looked for as long as a record that can’t be read may be it', async () => {
    const { run, service, unreadable, clock } = world()
    service.create = () => Promise.reject(new ProblemError(reset))
    unreadable.push({ place: 2, id: null, detail: 'id: expected number' })
    const { renting, notices } = await run()
    await renting.rent(7, body)
    await clock.advance(120_000)
    expect(notices()).toEqual([{ offerId: 7, outcome: { kind: 'checking' } }])
    unreadable.splice(0)
    await clock.advance(120_000)
    expect(notices()).toEqual([{ offerId: 7, outcome: { kind: 'nothing-created' } }])
  })

  test('one that may have been there unread is not adopted as the rental whose reply was lost', async () => {
    const { run, service, unreadable, instances, clock } = world()
    service.create = () => Promise.reject(new ProblemError(reset))
    unreadable.push({ place: 2, id: null, detail: 'id: expected number' })
    const { renting, notices } = await run()
    await renting.rent(7, body)
    unreadable.splice(0)
    instances.push({ id: 2, actual_status: 'running' })
    await clock.advance(10_000)
    expect(notices()).toEqual([{ offerId: 7, outcome: { kind: 'ambiguous', instanceIds: [2] } }])
  })

  test('a reply lost before the work was done: checked for half a minute, then said plainly', async () => {
    const { run, service, clock } = world()
    service.create = () => Promise.reject(new ProblemError(reset))
    const { renting, notices } = await run()
    expect(await renting.rent(7, body)).toMatchObject({ notice: { outcome: { kind: 'checking' } } })
    await clock.advance(20_000)
    expect(notices()).toMatchObject([{ outcome: { kind: 'checking' } }])
    await clock.advance(10_000)
    expect(notices()).toEqual([{ offerId: 7, outcome: { kind: 'nothing-created' } }])
  })

  test('the same offer is not sent again before it is known what became of it', async () => {
    const { run, service, sent, clock } = world()
    const create = service.create
    service.create = (offerId) => {
      sent.push(offerId)
      return Promise.reject(new ProblemError(reset))
    }
    const { renting } = await run()
    const first = await renting.rent(7, body)
    expect(await renting.rent(7, body)).toEqual(first)
    expect(sent).toEqual([7])
    await clock.advance(40_000)
    service.create = create
    expect(await renting.rent(7, body)).toEqual({
      kind: 'rented',
      instanceId: 100,
      instanceKey: null,
    })
  })

  test('the app ends between request and reply: the next run adopts the machine', async () => {
    const { run, service, sent, entries } = world()
    const create = service.create
    service.create = async (offerId) => {
      await create(offerId)
      return new Promise(() => undefined) // no reply before the end
    }
    const killed = await run()
    void killed.renting.rent(7, body)
    await settle()
    killed.quit()
    const app = await run()
    expect(app.notices()).toEqual([{ offerId: 7, outcome: { kind: 'adopted', instanceId: 100 } }])
    expect(sent).toEqual([7])
    await app.renting.dismiss(app.watch.snapshot.value.notices[0]?.id ?? '')
    app.quit()
    const later = await run()
    expect(later.notices()).toEqual([])
    expect(entries).toEqual([])
  })

  test('several new machines are not guessed among', async () => {
    const { run, service, instances } = world()
    const create = service.create
    service.create = async (offerId) => {
      instances.push({ id: 55, actual_status: null }) // rented elsewhere, on the web
      await create(offerId)
      throw new ProblemError(reset)
    }
    const { renting } = await run()
    expect(await renting.rent(7, body)).toMatchObject({
      notice: { outcome: { kind: 'ambiguous', instanceIds: [55, 100] } },
    })
  })

  test('a machine of an earlier rental of this run is never taken for the lost one', async () => {
    const { run, service } = world()
    const create = service.create
    const { renting } = await run()
    const first = renting.rent(7, body)
    const second = (async () => {
      await first
      service.create = () => Promise.reject(new ProblemError(reset))
      return renting.rent(8, body)
    })()
    expect(await first).toEqual({ kind: 'rented', instanceId: 100, instanceKey: null })
    expect(await second).toMatchObject({ notice: { outcome: { kind: 'checking' } } })
    service.create = create
  })

  test('what appears while another rental is on its way is not taken for the lost one', async () => {
    const { run, service, instances, clock } = world()
    const { renting, notices } = await run()
    service.create = () => Promise.reject(new ProblemError(reset))
    await renting.rent(7, body)
    let reply: (id: number) => void = () => undefined
    service.create = () => {
      instances.push({ id: 200, actual_status: null })
      return new Promise((resolve) => (reply = resolve))
    }
    const second = renting.rent(8, body)
    await clock.advance(10_000) // a poll shows the second machine before the service has answered
    expect(notices()).toEqual([{ offerId: 7, outcome: { kind: 'checking' } }])
    reply(200)
    expect(await second).toEqual({ kind: 'rented', instanceId: 200, instanceKey: null })
    await clock.advance(30_000)
    expect(notices()).toEqual([{ offerId: 7, outcome: { kind: 'nothing-created' } }])
  })
})
