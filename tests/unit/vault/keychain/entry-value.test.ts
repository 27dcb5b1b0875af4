import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { decodeEntry, encodeEntry, largestValueBytes } from '#services/vault/keychain/entry-value.ts'

describe('the value of an entry', () => {
  test('comes back as it was, and is one line of plain ASCII whatever is in it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (secret) => {
        const text = encodeEntry({ secret })
        expect(text).toMatch(/^v1\.[A-Za-z0-9_-]+$/)
        expect(decodeEntry(text ?? '', z.object({ secret: z.string() }))).toEqual({ value: { secret } })
      }),
    )
  })

  test('is refused from the first byte over the limit', () => {
    // 1797 bytes of JSON, two of them quotes, become 2396 of base64url; with `v1.` that is 2399.
    expect(encodeEntry('x'.repeat(1795))).toHaveLength(2399)
    expect(encodeEntry('x'.repeat(1796))).toBeNull()
    expect(largestValueBytes).toBeLessThan(2560)
  })

  test.each([
    ['a later form', 'v2.eyJzZWNyZXQiOiJ4In0'],
    ['no form at all', 'hunter2'],
    ['no JSON', 'v1.____'],
    ['another shape', `v1.${Buffer.from('{"other":1}').toString('base64url')}`],
    ['nothing', ''],
  ])('is not read when it is of %s', (_, text) => {
    expect(decodeEntry(text, z.object({ secret: z.string() }))).toBeNull()
  })
})
