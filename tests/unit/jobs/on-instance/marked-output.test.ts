import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MarkedOutput } from '#services/jobs/on-instance/marked-output.ts'

test('what comes after the mark is given, byte by byte, however it comes in pieces', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 50 }),
      fc.uint8Array({ maxLength: 50 }),
      fc.array(fc.nat(120), { maxLength: 20 }),
      (noise, log, cuts) => {
        const all = Buffer.concat([noise, Buffer.from('the-mark\n'), log])
        const edges = [0, ...cuts.filter((cut) => cut < all.length).toSorted((a, b) => a - b), all.length]
        const output = new MarkedOutput('the-mark')
        const given = edges.slice(1).map((edge, index) => output.take(all.subarray(edges[index], edge)))
        expect(Buffer.concat(given)).toEqual(Buffer.from(log))
      },
    ),
  )
})

test('a log that says the mark again is given whole', () => {
  const output = new MarkedOutput('the-mark')
  expect(Buffer.from(output.take(Buffer.from('hi\nthe-mark\nthe-mark\n'))).toString()).toBe('the-mark\n')
  expect(Buffer.from(output.take(Buffer.from('the-mark\n'))).toString()).toBe('the-mark\n')
})

test('without a mark, nothing is given', () => {
  const output = new MarkedOutput('the-mark')
  expect(output.take(Buffer.alloc(100_000, 'the-mark'))).toHaveLength(0)
})
