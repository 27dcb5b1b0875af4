import { describe, expect, test } from 'vitest'
import type { InstanceRecord } from '#domain/instances/instance.ts'
import { ProblemError, type Problem } from '#domain/base/problem.ts'
import { InstanceWatch } from '#services/instances/watch.ts'
import { FakeClock, settle } from '../../support/fake-clock.ts'
import { memoryLog } from '../../support/memory-log.ts'
import { wholeList } from '../../support/whole-list.ts'

function watchOn(list: () => readonly InstanceRecord[], restingPauseMs = () => 30_000) {
  const clock = new FakeClock()
  const asked: number[] = []
  const watch = new InstanceWatch({
    list: () => {
      asked.push(clock.now())
      return Promise.resolve().then(list).then(wholeList)
    },
    restingPauseMs,
    clock,
    random: () => 0,
    log: memoryLog(),
  })
  const gaps = () => asked.slice(1).map((at, index) => (at - (asked[index] ?? at)) / 1000)
  return { watch, clock, asked, gaps }
}

const failing = (problem: Problem) => () => {
  throw new ProblemError(problem)
}

describe('the poll', () => {
  test('asks every 10 s while an instance boots and every 30 s once it runs', async () => {
    let status: string | null = null
    const { watch, clock, gaps } = watchOn(() => [{ id: 1, actual_status: status }])
    watch.start()
    await clock.advance(20_000)
    status = 'running'
    await clock.advance(70_000)
    expect(gaps()).toEqual([10, 10, 10, 30, 30])
  })

  test('asks once more right after an action, and then goes on from there', async () => {
    const { watch, clock, asked } = watchOn(() => [{ id: 1, actual_status: 'running' }])
    watch.start()
    await clock.advance(5_000)
    await watch.refresh()
    await clock.advance(29_000)
    expect(asked).toHaveLength(2)
    await clock.advance(1_000)
    expect(asked).toHaveLength(3)
  })

  test('a refresh during a request is served by a request that began after it', async () => {
    const replies: (() => void)[] = []
    const clock = new FakeClock()
    const watch = new InstanceWatch({
      list: () => new Promise((resolve) => replies.push(() => resolve(wholeList([])))),
      clock,
      random: () => 0,
      log: memoryLog(),
    })
    watch.start()
    await settle()
    let refreshed = false
    const refresh = watch.refresh().then(() => (refreshed = true))
    replies[0]?.()
    await settle()
    expect(refreshed).toBe(false)
    replies[1]?.()
    await refresh
    expect(replies).toHaveLength(2)
  })

  test('is told once, together with when the next one will be', async () => {
    let list = (): readonly InstanceRecord[] => [{ id: 1, actual_status: 'running' }]
    const { watch, clock } = watchOn(() => list())
    const told: {
      readonly polls: number | null
      readonly nextInMs: number
      readonly problem: string | null
    }[] = []
    const end = new AbortController()
    const following = (async () => {
      for await (const { fetchedAt, nextPollAt, problem } of watch.snapshot.watch(end.signal))
        if (nextPollAt !== null)
          told.push({ polls: fetchedAt, nextInMs: nextPollAt - clock.now(), problem: problem?.kind ?? null })
    })()
    const begun = clock.now()
    watch.start()
    await clock.advance(30_000)
    list = failing({ kind: 'service-failed', status: 502, message: '' })
    await clock.advance(30_000)
    end.abort()
    await following
    expect(told).toEqual([
      { polls: begun, nextInMs: 30_000, problem: null },
      { polls: begun + 30_000, nextInMs: 30_000, problem: null },
      { polls: begun + 30_000, nextInMs: 30_000, problem: 'service-failed' },
    ])
  })

  test('backs off after errors, keeps the last list, and recovers', async () => {
    let list = (): readonly InstanceRecord[] => [{ id: 1, actual_status: 'running' }]
    const { watch, clock, gaps } = watchOn(() => list())
    watch.start()
    await settle()
    list = failing({ kind: 'service-failed', status: 502, message: '' })
    await clock.advance(30_000 + 30_000 + 60_000 + 120_000)
    expect(gaps()).toEqual([30, 30, 60, 120])
    expect(watch.snapshot.value.problem).toEqual({ kind: 'service-failed', status: 502, message: '' })
    expect(watch.snapshot.value.instances).toHaveLength(1)
    list = () => []
    await watch.refresh()
    expect(watch.snapshot.value).toMatchObject({ problem: null, instances: [] })
  })

  test('never asks sooner than a rate limit allows', async () => {
    const { watch, clock, asked } = watchOn(
      failing({ kind: 'rate-limited', retryAfterSeconds: 100, message: '' }),
    )
    watch.start()
    await clock.advance(99_000)
    expect(asked).toHaveLength(1)
    await clock.advance(1_000)
    expect(asked).toHaveLength(2)
  })

  test('stopped, it asks nothing and shows nothing of the account before', async () => {
    const { watch, clock, asked } = watchOn(() => [{ id: 1 }])
    watch.start()
    await settle()
    watch.stop()
    await clock.advance(120_000)
    expect(asked).toHaveLength(1)
    expect(watch.snapshot.value.instances).toBeNull()
  })
})

describe('what is on the screen', () => {
  const running = (): readonly InstanceRecord[] => [{ id: 1, actual_status: 'running' }]
  /** Holds the list at the pace of the screen, until the signal is aborted. */
  async function show(watch: InstanceWatch): Promise<AbortController> {
    const shown = new AbortController()
    const held = watch.whileShown(shown.signal)
    await held.next()
    void held.next()
    return shown
  }

  test('is asked for every 10 s, at once when the last list is older, and at the pause at rest afterwards', async () => {
    const { watch, clock, gaps } = watchOn(running)
    watch.start()
    await clock.advance(35_000)
    // Two pages, of which one goes.
    const [first, second] = [await show(watch), await show(watch)]
    await clock.advance(20_000)
    first.abort()
    await clock.advance(10_000)
    second.abort()
    await clock.advance(75_000)
    await show(watch)
    await settle()
    expect(gaps()).toEqual([30, 10, 10, 10, 30, 30, 20])
  })

  test('never has a service asked that wants a pause, with or without a time', async () => {
    let retryAfterSeconds: number | null = 100
    const { watch, clock, gaps } = watchOn(() => {
      throw new ProblemError({ kind: 'rate-limited', retryAfterSeconds, message: '' })
    })
    watch.start()
    await clock.advance(1_000)
    const shown = await show(watch)
    await clock.advance(99_000)
    expect(gaps()).toEqual([100])
    retryAfterSeconds = null
    await clock.advance(100_000)
    await clock.advance(120_000)
    shown.abort()
    expect(gaps()).toEqual([100, 100, 120])
  })

  test('another pause at rest holds at once', async () => {
    let restingMs = 300_000
    const { watch, clock, gaps } = watchOn(running, () => restingMs)
    watch.start()
    await clock.advance(60_000)
    restingMs = 40_000
    watch.repace()
    await clock.advance(40_000)
    restingMs = 120_000
    watch.repace()
    await clock.advance(80_000)
    expect(gaps()).toEqual([60, 40])
    expect(watch.snapshot.value.nextPollAt).toBe(clock.now() + 40_000)
  })

  test('a clock that is set back makes no pause longer', async () => {
    const { watch, clock, asked } = watchOn(running)
    watch.start()
    await settle()
    clock.setBack(3_600_000)
    watch.repace()
    await clock.advance(30_000)
    expect(asked).toHaveLength(2)
  })
})

describe('transitions', () => {
  test('are kept in the order seen, with the time of each', async () => {
    const statuses = [null, null, 'loading', 'running'] as const
    let polls = 0
    const { watch, clock } = watchOn(() => [{ id: 7, actual_status: statuses[polls++] ?? null }])
    const start = clock.now()
    watch.start()
    await clock.advance(30_000)
    const history = watch.find(7)?.history.map(({ status, at }) => [status, (at - start) / 1000])
    expect(history).toEqual([
      [null, 0],
      ['loading', 20],
      ['running', 30],
    ])
  })
})
