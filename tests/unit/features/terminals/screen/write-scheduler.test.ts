import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  createWriteScheduler,
  sliceBytes,
  stallMs,
  turnMs,
} from '../../../../../src-renderer/features/terminals/screen/write-scheduler.ts'
import { addWatched, FakePage, type Watched } from '../fake-page.ts'

const text = (length: number, seed = 0): Uint8Array =>
  Uint8Array.from({ length }, (_, index) => (index + seed) % 251)

function setUp() {
  const page = new FakePage()
  return { page, scheduler: createWriteScheduler(page) }
}

describe('what reaches the parser', () => {
  it('is every byte, in order, in slices of at most 32 KiB', () => {
    const { page, scheduler } = setUp()
    const screen = addWatched(scheduler, page)
    const chunks = [text(10), text(100_000, 3), text(1), text(sliceBytes, 9)]
    for (const chunk of chunks) screen.give(chunk)
    page.run(1_000)
    expect(screen.parser.parsed).toEqual(chunks.flatMap((chunk) => [...chunk]))
    expect(Math.max(...screen.parser.pieces)).toBe(sliceBytes)
    expect(screen.taken()).toBe(100_011 + sliceBytes)
    expect(screen.drains()).toBe(1)
  })

  it('is every byte, however pieces, terminals, priorities and pauses fall', () => {
    const step = fc.record({
      screen: fc.nat(2),
      length: fc.oneof(fc.nat(40), fc.nat(90_000)),
      priority: fc.constantFrom('focused' as const, 'visible' as const, 'hidden' as const),
      pauseMs: fc.constantFrom(0, 1, 5, 40),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        const { page, scheduler } = setUp()
        const screens = [0.3, 1, 3].map((ms) => addWatched(scheduler, page, ms))
        const given: number[][] = [[], [], []]
        let untilMs = 0
        steps.forEach(({ screen: index, length, priority, pauseMs }, seed) => {
          const screen = screens[index]
          const bytes = text(length, seed)
          screen?.setPriority(priority)
          screen?.give(bytes)
          for (const byte of bytes) given[index]?.push(byte)
          untilMs += pauseMs
          page.run(untilMs)
        })
        page.run(untilMs + 10_000)
        screens.forEach((screen, index) => {
          expect(screen.taken()).toBe(given[index]?.length)
          expect(Buffer.compare(Buffer.from(screen.parser.parsed), Buffer.from(given[index] ?? []))).toBe(0)
        })
      }),
      { numRuns: 60 },
    )
  })
})

describe('the frame', () => {
  it('gets its turn after 8 ms of parsing', () => {
    const { page, scheduler } = setUp()
    const screen = addWatched(scheduler, page, 2)
    screen.give(text(sliceBytes * 8))
    page.run(15)
    // The first one counts as a short one.
    expect(screen.parser.pieces).toHaveLength(1 + turnMs / 2)
    expect(page.frames).toBe(1)
    page.run(31)
    expect(screen.parser.pieces).toHaveLength(8)
  })

  it('is not waited for when nothing that is drawn has output', () => {
    const { page, scheduler } = setUp()
    const screen = addWatched(scheduler, page, 2)
    screen.setPriority('hidden')
    screen.give(text(sliceBytes * 40))
    page.run(100)
    expect(page.frames).toBe(0)
    expect(page.yields).toBeGreaterThan(5)
    expect(screen.parser.pieces).toHaveLength(40)
  })

  it('is not waited for by an echo after a pause', () => {
    const { page, scheduler } = setUp()
    const screen = addWatched(scheduler, page, 8)
    for (const atMs of [0, 40, 80]) {
      page.run(atMs)
      screen.give(text(1))
      page.run(atMs)
      expect(screen.taken()).toBe(atMs / 40 + 1)
    }
    expect(page.frames).toBe(0)
  })

  it('does not count the time until the parser begins', () => {
    const { page, scheduler } = setUp()
    const screen = addWatched(scheduler, page, 2)
    screen.give(text(sliceBytes * 4))
    page.nowMs += 50
    page.run(50)
    expect(screen.parser.pieces).toHaveLength(4)
    expect(page.frames).toBe(0)
  })
})

describe('whose turn it is', () => {
  it('puts the focused terminal before the visible one, and hidden ones last', () => {
    const { page, scheduler } = setUp()
    const order: string[] = []
    const add = (name: 'hidden' | 'visible' | 'focused'): void => {
      const parser = page.createParser(1)
      const screen = scheduler.addScreen({ write: parser.write, drained: () => order.push(name) })
      screen.setPriority(name)
      screen.push(text(sliceBytes * 2), () => {})
    }
    // Something is already being parsed when the three arrive.
    const busy = addWatched(scheduler, page)
    busy.give(text(1))
    add('hidden')
    add('visible')
    add('focused')
    page.run(200)
    expect(order).toEqual(['focused', 'visible', 'hidden'])
  })

  it('shares evenly among terminals of the same standing, turn by turn, and hidden ones have a slice of each', () => {
    const { page, scheduler } = setUp()
    const [one, two, hidden] = [1, 1, 1].map((ms) => addWatched(scheduler, page, ms))
    if (!one || !two || !hidden) throw new Error('three were added')
    hidden.setPriority('hidden')
    for (const screen of [one, two, hidden]) screen.give(text(sliceBytes * 300))
    page.run(16 * 20)
    expect(Math.abs(one.parser.pieces.length - two.parser.pieces.length)).toBeLessThanOrEqual(turnMs + 1)
    expect(hidden.parser.pieces.length).toBeGreaterThanOrEqual(15)
    expect(page.frames).toBeGreaterThanOrEqual(15)
  })

  it('gives a hidden terminal one slice a frame beside a flood, so that it never starves', () => {
    const { page, scheduler } = setUp()
    const [flood, hidden] = [addWatched(scheduler, page, 1), addWatched(scheduler, page, 1)]
    flood.setPriority('focused')
    hidden.setPriority('hidden')
    flood.give(text(sliceBytes * 100))
    hidden.give(text(sliceBytes * 100))
    page.run(16 * 5)
    expect(hidden.parser.pieces.length).toBeGreaterThanOrEqual(4)
    expect(hidden.parser.pieces.length).toBeLessThanOrEqual(6)
    expect(flood.parser.pieces.length).toBeGreaterThanOrEqual(4 * turnMs)
  })
})

describe('what goes wrong', () => {
  it('gives a hidden terminal its slices beside two whose small pieces come in turn', () => {
    const { page, scheduler } = setUp()
    const [one, two, hidden] = [1, 1, 1].map((ms) => addWatched(scheduler, page, ms))
    if (!one || !two || !hidden) throw new Error('three were added')
    hidden.setPriority('hidden')
    hidden.give(text(sliceBytes * 100))
    const follow = (screen: Watched): void =>
      screen.push(text(1_000), () => void page.later(0, () => follow(screen)))
    for (const screen of [one, two]) follow(screen)
    page.run(5 * 16)
    expect(hidden.parser.pieces.length).toBeGreaterThanOrEqual(4)
  })

  it('counts bytes that are thrown away as taken, also those with the parser', () => {
    const { page, scheduler } = setUp()
    const screen = addWatched(scheduler, page)
    screen.parser.stuck = true
    screen.give(text(sliceBytes * 3 + 5))
    screen.give(text(7))
    page.run(1)
    screen.dispose()
    screen.give(text(11))
    expect(screen.taken()).toBe(sliceBytes * 3 + 5 + 7 + 11)
  })

  it('goes on with the others when a terminal is disposed of while it parses', () => {
    const { page, scheduler } = setUp()
    const [gone, other] = [addWatched(scheduler, page), addWatched(scheduler, page)]
    gone.parser.stuck = true
    gone.give(text(10))
    other.give(text(10))
    page.run(1)
    gone.dispose()
    page.run(2)
    expect(other.taken()).toBe(10)
  })

  it('lets a parser that does not answer hold up nobody but itself, and takes it back when it does', () => {
    const { page, scheduler } = setUp()
    const [stuck, other] = [addWatched(scheduler, page), addWatched(scheduler, page)]
    stuck.parser.stuck = true
    stuck.give(text(100))
    other.give(text(100))
    page.run(stallMs - 1)
    expect(other.taken()).toBe(0)
    page.run(stallMs + 100)
    expect(other.taken()).toBe(100)
    // No credit for what was not taken: its server waits.
    expect(stuck.taken()).toBe(0)
    stuck.parser.stuck = false
    stuck.parser.work()
    page.run(stallMs + 200)
    expect(stuck.taken()).toBe(100)
    expect(stuck.parser.parsed).toEqual([...text(100)])
  })
})
