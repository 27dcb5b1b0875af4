import { describe, expect, it, vi } from 'vitest'
import {
  createFrameGate,
  floodBytes,
  floodFrameMs,
} from '../../../../../src-renderer/features/terminals/screen/frame-gate.ts'
import { FakePage } from '../fake-page.ts'

/** A terminal that asks for a frame whenever it was written to, as xterm.js does. */
function setUp(page = new FakePage()) {
  const state = { isBusy: true }
  const gate = createFrameGate(page, () => state.isBusy)
  const drawnAtMs: number[] = []
  let isAsked = false
  const write = (bytes: number): void => {
    gate.wrote(bytes)
    if (isAsked) return
    isAsked = true
    gate.request(() => {
      isAsked = false
      drawnAtMs.push(page.nowMs)
    })
  }
  /** So many bytes in each millisecond until then. */
  const writeUntil = (ms: number, bytesPerMs: number): void => {
    while (page.nowMs < ms) {
      write(bytesPerMs)
      page.run(page.nowMs + 1)
    }
  }
  return { page, gate, state, drawnAtMs, write, writeUntil }
}

const flood = 32 * 1024

describe('a terminal', () => {
  it('is drawn in the next frame when it has little to show', () => {
    const { page, write, drawnAtMs } = setUp()
    write(100)
    page.run(16)
    page.run(1_000)
    write(100)
    page.run(2_000)
    expect(drawnAtMs).toEqual([16, 1_008])
  })

  it('is drawn in each frame by a program that draws its whole screen', () => {
    const { writeUntil, drawnAtMs } = setUp()
    writeUntil(1_600, 1_000)
    expect(drawnAtMs).toHaveLength(100)
  })

  it('is drawn 20 times a second in a flood', () => {
    const { writeUntil, drawnAtMs } = setUp()
    writeUntil(200, flood)
    const before = drawnAtMs.length
    writeUntil(1_200, flood)
    expect(drawnAtMs.length - before).toBe(1_000 / floodFrameMs)
  })

  it('is drawn for the last time within 50 ms and a frame after a flood', () => {
    const { page, state, writeUntil, drawnAtMs } = setUp()
    writeUntil(1_001, flood)
    state.isBusy = false
    page.run(2_000)
    expect(drawnAtMs.at(-1)).toBeGreaterThan(1_000)
    expect(drawnAtMs.at(-1)).toBeLessThanOrEqual(1_001 + floodFrameMs + 16)
  })

  it('is drawn in the next frame when there is nothing to see until then', () => {
    const { page, gate, writeUntil, drawnAtMs } = setUp()
    writeUntil(1_010, flood)
    const before = drawnAtMs.length
    page.run(1_024)
    expect(drawnAtMs).toHaveLength(before)
    gate.atOnce()
    page.run(1_040)
    expect(drawnAtMs.slice(before)).toEqual([1_040])
  })

  it('is calm again soon after a flood', () => {
    const { page, gate, writeUntil } = setUp()
    writeUntil(1_000, flood)
    page.run(1_000 + floodFrameMs + 16 + (2 * floodBytes) / 1024)
    let drawnAtMs = 0
    const askedAtMs = page.nowMs
    gate.request(() => (drawnAtMs = page.nowMs))
    page.run(2_000)
    expect(drawnAtMs).toBeLessThanOrEqual(askedAtMs + 16)
  })
})

describe('several terminals in a flood', () => {
  it('are drawn in the same frames', () => {
    const page = new FakePage()
    const [one, two] = [setUp(page), setUp(page)]
    while (page.nowMs < 500) {
      one.write(flood)
      if (page.nowMs > 7) two.write(flood)
      page.run(page.nowMs + 1)
    }
    expect(two.drawnAtMs.slice(-10)).toEqual(one.drawnAtMs.slice(-10))
  })
})

describe('a key in a flood', () => {
  it('is followed by a frame as soon as nothing more comes', () => {
    const { page, gate, state, writeUntil, write, drawnAtMs } = setUp()
    writeUntil(1_217, flood)
    const before = drawnAtMs.length
    gate.typed()
    write(flood)
    page.run(1_220)
    state.isBusy = false
    gate.settled()
    page.run(1_232)
    expect(drawnAtMs.slice(before)).toEqual([1_232])
    // Also when the prompt comes later than all that was on its way.
    page.run(1_250)
    write(flood)
    gate.settled()
    page.run(1_264)
    expect(drawnAtMs.slice(before)).toEqual([1_232, 1_264])
  })

  it('draws no frame for a moment in which there is nothing to take', () => {
    const { page, gate, state, writeUntil, write, drawnAtMs } = setUp()
    writeUntil(1_217, flood)
    const before = drawnAtMs.length
    gate.typed()
    write(flood)
    for (const atMs of [1_218, 1_220, 1_222]) {
      state.isBusy = false
      gate.settled()
      page.run(atMs)
      state.isBusy = true
      write(flood)
    }
    page.run(1_249)
    expect(drawnAtMs).toHaveLength(before)
  })

  it('is over after half a second', () => {
    const { page, gate, state, writeUntil, drawnAtMs } = setUp()
    writeUntil(1_005, flood)
    gate.typed()
    writeUntil(1_617, flood)
    const before = drawnAtMs.length
    gate.wrote(flood)
    state.isBusy = false
    gate.settled()
    page.run(1_639)
    expect(drawnAtMs).toHaveLength(before)
  })
})

it('draws nothing that was taken back, and nothing of a terminal that is gone', () => {
  const { page, gate, writeUntil } = setUp()
  let drawn = 0
  const handle = gate.request(() => (drawn += 1))
  gate.request(() => (drawn += 10))
  gate.cancel(handle)
  page.run(100)
  expect(drawn).toBe(10)
  writeUntil(1_001, flood)
  gate.request(() => (drawn += 100))
  gate.dispose()
  page.run(2_000)
  expect(drawn).toBe(10)
})

it('draws what else is asked for although one part of it fails, and tells each failure', () => {
  const reported: unknown[] = []
  vi.stubGlobal('reportError', (error: unknown) => reported.push(error))
  const { page, gate, drawnAtMs, write } = setUp()
  gate.request(() => {
    throw new Error('no memory')
  })
  write(100)
  page.run(16)
  expect(reported).toEqual([new Error('no memory')])
  expect(drawnAtMs).toEqual([16])
  write(100)
  page.run(100)
  expect(drawnAtMs).toEqual([16, 32])
})
