import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { OutputBatches } from '#services/terminals/output-batches.ts'
import { FakeClock } from '../../support/fake-clock.ts'

const kib = 1024

function collect() {
  const clock = new FakeClock()
  const posted: Uint8Array[] = []
  const batches = new OutputBatches((bytes) => posted.push(bytes), clock)
  return { clock, posted, batches, sizes: () => posted.map(({ length }) => length) }
}

/** Pieces that the network brings together come in one go; what is said of them is said after it. */
const settled = (): Promise<void> => Promise.resolve()

describe('output on its way to the screen', () => {
  test('goes at once to a screen with nothing to do: it may be an echo', async () => {
    const { batches, sizes } = collect()
    batches.push(Buffer.from('a'))
    await settled()
    batches.push(Buffer.from('b'))
    await settled()
    expect(sizes()).toEqual([1, 1])
  })

  test('goes together when it comes together', async () => {
    const { batches, sizes } = collect()
    for (const piece of ['a', 'bc', 'def']) batches.push(Buffer.from(piece))
    await settled()
    expect(sizes()).toEqual([6])
  })

  test('goes together within 4 ms to a screen that has enough to do', async () => {
    const { clock, batches, sizes } = collect()
    batches.push(Buffer.alloc(64 * kib))
    for (const piece of ['a', 'bc', 'def']) {
      batches.push(Buffer.from(piece))
      await settled()
    }
    await clock.advance(3)
    expect(sizes()).toEqual([64 * kib])
    await clock.advance(1)
    expect(sizes()).toEqual([64 * kib, 6])
  })

  test('is not kept waiting when the screen has taken nearly all', async () => {
    const { clock, batches, sizes } = collect()
    batches.push(Buffer.alloc(64 * kib))
    await clock.advance(50)
    batches.push(Buffer.from('a'))
    batches.take(16 * kib)
    await settled()
    expect(sizes()).toEqual([64 * kib])
    batches.take(48 * kib)
    expect(sizes()).toEqual([64 * kib, 1])
  })

  test('comes in no single pieces in a flood, however little the screen has to do', async () => {
    const { clock, batches, sizes } = collect()
    batches.push(Buffer.alloc(64 * kib))
    batches.take(64 * kib)
    for (const piece of ['a', 'bc', 'def']) {
      batches.push(Buffer.from(piece))
      await settled()
    }
    expect(sizes()).toEqual([64 * kib])
    await clock.advance(4)
    expect(sizes()).toEqual([64 * kib, 6])
  })

  test('64 KiB are not kept waiting', () => {
    const { batches, sizes } = collect()
    for (let count = 0; count < 4; count += 1) batches.push(Buffer.alloc(32 * kib))
    expect(sizes()).toEqual([64 * kib, 64 * kib])
  })

  test('at the end nothing waits, and nothing is posted twice', async () => {
    const { clock, batches, sizes } = collect()
    batches.push(Buffer.from('a'))
    batches.push(Buffer.from('bc'))
    batches.flush()
    batches.flush()
    await clock.advance(100)
    expect(sizes()).toEqual([3])
  })

  test('a batch has a memory of its own, of its exact size: a port would copy the whole of another', () => {
    const { posted, batches } = collect()
    batches.push(Buffer.alloc(64 * kib).subarray(100, 110))
    batches.flush()
    expect(posted[0]?.buffer.byteLength).toBe(10)
  })

  test('is what came in, in order, in batches below 64 KiB and a piece, no later than 4 ms', async () => {
    const steps = fc.array(
      fc.record({
        bytes: fc.uint8Array({ maxLength: 300 }),
        times: fc.nat(400),
        pauseMs: fc.nat(10),
        takes: fc.boolean(),
      }),
      { maxLength: 20 },
    )
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const { clock, posted, batches, sizes } = collect()
        const pushed: Uint8Array[] = []
        const lengthOf = (pieces: readonly Uint8Array[]): number =>
          pieces.reduce((sum, { length }) => sum + length, 0)
        for (const { bytes, times, pauseMs, takes } of sequence) {
          const piece = Buffer.concat(Array.from({ length: times }, () => bytes))
          for (const part of partsOf(piece, 32 * kib)) {
            batches.push(part)
            pushed.push(part)
          }
          if (takes) batches.take(lengthOf(posted))
          await clock.advance(pauseMs)
          if (pauseMs >= 4) expect(lengthOf(posted)).toBe(lengthOf(pushed))
        }
        batches.flush()
        expect(Buffer.concat(posted).equals(Buffer.concat(pushed))).toBe(true)
        expect(Math.max(0, ...sizes())).toBeLessThan((64 + 32) * kib)
        expect(sizes()).not.toContain(0)
      }),
      { numRuns: 50 },
    )
  })
})

/** As SSH's packets cut it. */
function partsOf(bytes: Buffer, size: number): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  )
}
