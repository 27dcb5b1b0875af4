import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BoundedOutput } from '#services/runs/bounded-output.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

test('streams are kept apart, in the order in which they came', () => {
  const output = new BoundedOutput(1_000)
  output.add('out', bytes('one '))
  output.add('out', bytes('two'))
  output.add('error', bytes('oh'))
  output.add('out', bytes('three'))
  expect(output.newest(1_000)).toEqual({
    pieces: [
      { stream: 'out', text: 'one two' },
      { stream: 'error', text: 'oh' },
      { stream: 'out', text: 'three' },
    ],
    omitted: 0,
  })
})

test('characters that are cut in two are put together, also when the other stream comes between', () => {
  const output = new BoundedOutput(1_000)
  const euro = bytes('€')
  output.add('out', euro.subarray(0, 1))
  output.add('error', euro)
  output.add('out', euro.subarray(1))
  output.add('out', euro.subarray(0, 2))
  expect(output.text()).toBe('€€')
  output.end()
  expect(output.text()).toBe('€€\uFFFD')
})

test('however much comes, the newest is kept, and what is not is counted', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(40_000), { maxLength: 40 }), fc.nat(100_000), (lengths, most) => {
      const output = new BoundedOutput(most)
      let all = ''
      lengths.forEach((length, index) => {
        const text = String.fromCharCode(97 + (index % 26)).repeat(length)
        output.add(index % 3 === 0 ? 'error' : 'out', bytes(text))
        all += text
      })
      const { pieces, omitted } = output.newest(Number.POSITIVE_INFINITY)
      const kept = pieces.map(({ text }) => text).join('')
      expect(omitted + kept.length).toBe(all.length)
      expect(all.endsWith(kept)).toBe(true)
      expect(kept.length).toBeGreaterThanOrEqual(Math.min(all.length, 1))
      const shown = output.newest(10)
      expect(shown.omitted + shown.pieces.reduce((sum, { text }) => sum + text.length, 0)).toBe(all.length)
    }),
  )
})

test('security: streams that take turns by single characters make no more pieces than lines would', () => {
  const output = new BoundedOutput(1_000_000)
  const written = 25_000
  for (let at = 0; at < written; at += 1) output.add(at % 2 === 0 ? 'out' : 'error', bytes('x'))
  const kept = output.newest(Number.POSITIVE_INFINITY)
  expect(kept.pieces).toHaveLength(10_000)
  expect(kept.omitted).toBe(written - 10_000)
  expect(output.text()).toMatch(/^\[15000 characters before this were not kept\]\n/)
  const shown = output.newest(64 * 1024, 1_000)
  expect(shown).toEqual({ pieces: kept.pieces.slice(-1_000), omitted: written - 1_000 })
})
