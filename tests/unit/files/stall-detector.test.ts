import { describe, expect, onTestFinished, test } from 'vitest'
import { StallDetector } from '#services/files/stall-detector.ts'
import { FakeClock } from '../../support/fake-clock.ts'

const patienceMs = 40_000
/** The count is looked at four times within it, and has to be more than all of those. */
const givenUpAfterMs = 50_000

/** Somebody who waits for a server whose sshd answers so late; `null` for never, `'unasked'` where it cannot be asked. */
function waitingFor(sshdAnswersMs: number | null | 'unasked') {
  const clock = new FakeClock()
  const end = new AbortController()
  onTestFinished(() => end.abort())
  const state = { waitsFor: 1 as number | null, isTooLong: null as boolean | null }
  const stall = new StallDetector({
    clock,
    ms: patienceMs,
    ask: () =>
      sshdAnswersMs === 'unasked'
        ? null
        : sshdAnswersMs === null
          ? new Promise(() => undefined)
          : clock.sleep(sshdAnswersMs),
  })
  void stall
    .isTooLong(() => state.waitsFor, end.signal)
    .then((isIt) => {
      state.isTooLong = isIt
    })
  return { clock, end, stall, state }
}

describe('a file server that says nothing', () => {
  test.each([50, 'unasked'] as const)('is given up in time where sshd answers (%s)', async (sshd) => {
    const { clock, state } = waitingFor(sshd)
    await clock.advance(givenUpAfterMs - 1)
    expect(state.isTooLong).toBeNull()
    await clock.advance(1)
    expect(state.isTooLong).toBe(true)
  })

  test('has all the time that what is asked stands in line for', async () => {
    const { clock, stall, state } = waitingFor(120_000)
    await clock.advance(119_000)
    expect(state.isTooLong).toBeNull()
    // With sshd's answer, its own.
    await clock.advance(2_000)
    stall.end()
    await clock.advance(1_000)
    state.waitsFor = null
    await clock.advance(10_000)
    expect(state.isTooLong).toBe(false)
  })

  test('is given up at last where sshd answers nothing either', async () => {
    const { clock, state } = waitingFor(null)
    await clock.advance(10 * patienceMs - 10_000)
    expect(state.isTooLong).toBeNull()
    await clock.advance(2 * 10_000 + 10_000)
    expect(state.isTooLong).toBe(true)
  })

  test('is waited for as long as disks take, where they are at work', async () => {
    const { clock, state } = waitingFor(50)
    state.waitsFor = 8
    await clock.advance(8 * patienceMs)
    expect(state.isTooLong).toBeNull()
    await clock.advance(10_000)
    expect(state.isTooLong).toBe(true)
  })
})

test('each answer begins the count anew', async () => {
  const { clock, stall, state } = waitingFor(50)
  for (let answers = 0; answers < 10; answers += 1) {
    await clock.advance(givenUpAfterMs - 10_000)
    stall.end()
  }
  expect(state.isTooLong).toBeNull()
})

test('nobody is told to give up when the channel has ended meanwhile', async () => {
  const { clock, end, state } = waitingFor(50)
  await clock.advance(1_000)
  end.abort()
  await clock.advance(0)
  expect(state.isTooLong).toBe(false)
})
