import { describe, expect, test } from 'vitest'
import type { MachineTimes } from '#domain/vault/clock-offset.ts'
import { CorrectedClock, type RememberedClock } from '#services/vault/codes/corrected-clock.ts'
import { memoryFile } from '../../../support/memory-file.ts'
import { memoryLog } from '../../../support/memory-log.ts'

const hourMs = 3_600_000
const startMs = Date.UTC(2026, 0, 1)

/** A machine whose wall clock is off, and which may sleep. */
function machine(wallOffMs: number) {
  let trueMs = startMs
  let awakeMs = 1_000_000
  const state = {
    wallOffMs,
    true: () => trueMs,
    pass: (ms: number) => {
      trueMs += ms
      awakeMs += ms
    },
    sleep: (ms: number) => void (trueMs += ms),
    times: (): MachineTimes => ({
      wallMs: trueMs + state.wallOffMs,
      awakeMs,
      uptimeMs: trueMs - startMs + 5_000_000,
      bootId: 'this start',
    }),
  }
  return state
}

function start(on: ReturnType<typeof machine>, file = memoryFile<RememberedClock>(null)) {
  const clock = new CorrectedClock({ times: on.times, file, log: memoryLog() })
  const reply = (): void => {
    const sentMs = on.times().wallMs
    on.pass(40)
    const dateMs = Math.floor(on.true() / 1000) * 1000
    on.pass(40)
    clock.note({ dateMs, sentMs, receivedMs: on.times().wallMs })
  }
  return { clock, reply, file, restart: () => start(on, file) }
}

const errorMs = (clock: CorrectedClock, on: ReturnType<typeof machine>) => Math.abs(clock.now() - on.true())

describe.each([
  ['right', 0, false],
  ['2 h fast', 2 * hourMs, true],
  ['2 h slow', -2 * hourMs, true],
])('a local clock that is %s', (_, wallOffMs, isWrong) => {
  test('gives the true time after one reply, and exactly after eight', () => {
    const on = machine(wallOffMs)
    const { clock, reply } = start(on)
    expect(clock.state.value).toEqual({ kind: 'unchecked', lastCheckedAtMs: null })
    reply()
    expect(errorMs(clock, on)).toBeLessThan(1000)
    expect(clock.state.value).toMatchObject({ kind: 'checked', isWrong })
    for (let replies = 0; replies < 8; replies += 1) {
      on.pass(1137)
      reply()
    }
    expect(errorMs(clock, on)).toBeLessThan(150)
    expect(clock.toLocal(on.true())).toBeCloseTo(on.times().wallMs, -3)
  })

  test('gives it also without a network, in a later run, and when it was set meanwhile', () => {
    const on = machine(wallOffMs)
    const first = start(on)
    first.reply()
    on.pass(hourMs)
    const { clock } = first.restart()
    expect(errorMs(clock, on)).toBeLessThan(2000)
    on.wallOffMs += 2 * hourMs
    expect(errorMs(clock, on)).toBeLessThan(2000)
    expect(errorMs(first.restart().clock, on)).toBeLessThan(2000)
  })

  test('is all that there is after sleep, until the next reply', () => {
    const on = machine(wallOffMs)
    const { clock, reply } = start(on)
    reply()
    on.sleep(hourMs)
    expect(clock.now()).toBe(on.times().wallMs)
    expect(clock.state.value).toMatchObject({ kind: 'unchecked', lastCheckedAtMs: expect.any(Number) })
    reply()
    expect(errorMs(clock, on)).toBeLessThan(1000)
    clock.drop()
    expect(clock.now()).toBe(on.times().wallMs)
  })
})

test('a watcher is told of what matters, not of every reply', async () => {
  const on = machine(0)
  const { clock, reply, file } = start(on)
  reply()
  const first = clock.state.value
  const written = file.value
  on.pass(10_000)
  reply()
  expect(clock.state.value).toBe(first)
  expect(file.value).toBe(written)
  on.wallOffMs = 60_000
  on.pass(10_000)
  reply()
  expect(clock.state.value).toMatchObject({ isWrong: true })
  expect(file.value).not.toBe(written)
})

test('a file that cannot be written is logged, and the time is right all the same', async () => {
  const on = machine(0)
  const log = memoryLog()
  const file = { value: null, write: () => Promise.reject(new Error('ENOSPC')) }
  const clock = new CorrectedClock({ times: on.times, file, log })
  clock.note({ dateMs: on.true(), sentMs: on.true(), receivedMs: on.true() })
  await expect.poll(() => log.lines).toEqual([expect.stringContaining('ENOSPC')])
  expect(clock.state.value.kind).toBe('checked')
})
