import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DiskOutput, lineReader, measuredBetween, MovedBytes } from '#services/figures/speed-output.ts'

const most = 1_000

function outcomeOf(...lines: readonly string[]) {
  const output = new DiskOutput(most)
  for (const line of lines) output.take(line)
  return output.outcome()
}

test.each([
  [
    'what was written last',
    ['room 900 fdatasync', 'written 300 50', 'written 900 200'],
    { kind: 'measured', bytes: 900, bytesPerSecond: 450, isCached: false },
  ],
  ['a dd that can’t wait', ['room 900 none', 'written 900 100'], { isCached: true, bytesPerSecond: 900 }],
  ['why it isn’t', ['refused no-room'], { kind: 'refused', why: 'no-room' }],
  ['a reason that is none', ['refused because'], { kind: 'unmeasured' }],
  ['more than was asked for', ['room 1 fsync', 'written 1001 1'], { kind: 'unmeasured' }],
  ['bytes in no time', ['room 1 fsync', 'written 5 0'], { kind: 'unmeasured' }],
  ['less than before', ['written 900 100', 'written 5 900'], { bytes: 900 }],
  ['nothing', [], { kind: 'unmeasured' }],
])('%s', (_, lines, outcome) => expect(outcomeOf(...lines)).toMatchObject(outcome))

test('whatever an instance says, a speed is a number above 0, of no more than was asked for', () => {
  const line = fc.oneof(
    fc.string(),
    fc.tuple(fc.integer(), fc.integer()).map(([bytes, time]) => `written ${bytes} ${time}`),
    fc.tuple(fc.nat(2 * most), fc.nat(10)).map(([bytes, time]) => `written ${bytes} ${time}`),
  )
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      const outcome = outcomeOf(...lines)
      if (outcome.kind !== 'measured') return
      expect(outcome.bytesPerSecond).toBeGreaterThan(0)
      expect(Number.isFinite(outcome.bytesPerSecond)).toBe(true)
      expect(outcome.bytes).toBeLessThanOrEqual(most)
    }),
  )
})

test('lines come whole, however they are cut, and a flood ends', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'grapheme-ascii' })),
      fc.integer({ min: 1, max: 9 }),
      (texts, size) => {
        const bytes = Buffer.from(texts.map((text) => `${text}\n`).join(''))
        const lines: string[] = []
        const read = lineReader((line) => lines.push(line))
        for (let at = 0; at < bytes.length; at += size) read(bytes.subarray(at, at + size))
        expect(lines).toEqual(texts.flatMap((text) => text.split('\n')))
      },
    ),
  )
  let count = 0
  const read = lineReader(() => (count += 1))
  for (let times = 0; times < 1_000; times += 1) read(Buffer.from('y\n'.repeat(1_000)))
  expect(count).toBeLessThan(100_000)
})

test('nothing is measured backwards, or from nothing', () => {
  const mark = (bytes: number, at: number) => ({ bytes, at })
  expect(measuredBetween(mark(10, 5), mark(20, 5))).toEqual({ kind: 'unmeasured' })
  expect(measuredBetween(mark(10, 5), mark(20, 4))).toEqual({ kind: 'unmeasured' })
  expect(measuredBetween(null, mark(20, 4))).toEqual({ kind: 'unmeasured' })
  expect(measuredBetween(mark(10, 0), mark(30, 500))).toMatchObject({ bytesPerSecond: 40, bytes: 30 })
})

describe('bytes that move', () => {
  /** Each as [seconds, bytes, how many there were]. */
  function moved(...steps: readonly (readonly [number, number, number?])[]) {
    let now = 0
    const all = new MovedBytes({ clock: { now: () => now }, onBytes: () => undefined })
    for (const [at, bytes, sent = 1_000] of steps) {
      now = at * 1000
      all.add(bytes, sent)
    }
    const isEnough = all.enough.signal.aborted
    // Its time is over.
    all.enough.abort()
    return { outcome: all.outcome(), isEnough }
  }

  test('count from the first on', () =>
    expect(moved([2, 100], [3, 0], [4, 200], [5, 100])).toMatchObject({
      outcome: { bytes: 400, bytesPerSecond: 100 },
      isEnough: false,
    }))

  test.each<[string, readonly (readonly [number, number, number?])[]]>([
    [
      'more than there were',
      [
        [0, 100],
        [1, 200],
        [2, 300, 500],
      ],
    ],
    [
      'a computer that slept',
      [
        [0, 100],
        [1, 200],
        [61, 300],
      ],
    ],
    [
      'a clock that was set back',
      [
        [50, 100],
        [51, 200],
        [7, 300],
      ],
    ],
  ])('%s: nothing is measured, and nothing more is wanted', (_, steps) =>
    expect(moved(...steps)).toEqual({ outcome: { kind: 'unmeasured' }, isEnough: true }),
  )
})
