import { describe, expect, test } from 'vitest'
import { Latest } from '#domain/base/latest.ts'
import { ticks } from '#services/instances/ticks.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { heldBytes } from '../../support/heap.ts'

const everyMs = 1_000

/** Counts ticks; `work` is what is done at each. */
function counted(work: (tick: number) => Promise<unknown> = () => Promise.resolve()) {
  const clock = new FakeClock()
  const latest = new Latest(0)
  const end = new AbortController()
  const seen = { ticks: 0 }
  const ended = (async () => {
    for await (const _ of ticks(latest, { clock, everyMs, signal: end.signal })) {
      seen.ticks += 1
      await work(seen.ticks)
    }
  })()
  return { clock, latest, seen, end, ended }
}

describe('ticks', () => {
  test('come at once, with time, and with each change', async () => {
    const { clock, latest, seen, end, ended } = counted()
    await clock.advance(0)
    expect(seen.ticks).toBe(1)
    await clock.advance(3 * everyMs)
    expect(seen.ticks).toBe(4)
    latest.set(1)
    await clock.advance(0)
    expect(seen.ticks).toBe(5)
    end.abort()
    await ended
    expect(seen.ticks).toBe(5)
  })

  test('come once more for a change while one is worked on', async () => {
    const work = Promise.withResolvers<undefined>()
    const { clock, latest, seen, end, ended } = counted((tick) =>
      tick === 1 ? work.promise : Promise.resolve(),
    )
    await clock.advance(0)
    latest.set(1)
    await clock.advance(0)
    expect(seen.ticks).toBe(1)
    work.resolve(undefined)
    await clock.advance(0)
    expect(seen.ticks).toBe(2)
    end.abort()
    await ended
  })

  test('leave nothing behind, however long nothing changes', async () => {
    const { clock, seen, end, ended } = counted()
    await clock.advance(1_000 * everyMs)
    const before = await heldBytes()
    await clock.advance(10_000 * everyMs)
    expect(seen.ticks).toBeGreaterThan(10_000)
    expect(await heldBytes()).toBeLessThan(before + 1_000_000)
    end.abort()
    await ended
  })
})
