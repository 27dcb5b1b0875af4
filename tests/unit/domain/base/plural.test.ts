import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { counted, plural } from '#domain/base/plural.ts'

describe('counted', () => {
  test.each([
    [0, '0 offers'],
    [1, '1 offer'],
    [2, '2 offers'],
    [21, '21 offers'],
    [1024, '1,024 offers'],
    [1_000_000, '1,000,000 offers'],
  ])('%i', (count, text) => expect(counted(count, 'offer')).toBe(text))

  test('words whose plural is not made with an s', () => {
    expect(counted(1, 'entry', 'entries')).toBe('1 entry')
    expect(counted(0, 'entry', 'entries')).toBe('0 entries')
    expect(counted(1, 'set of backup codes', 'sets of backup codes')).toBe('1 set of backup codes')
  })

  test('whatever is counted, the number can be read back, and only 1 has the singular', () => {
    const word = fc.stringMatching(/^[a-z]{1,12}$/)
    fc.assert(
      fc.property(fc.nat({ max: Number.MAX_SAFE_INTEGER }), word, (count, one) => {
        const [number = '', noun] = counted(count, one).split(' ')
        expect(Number(number.replaceAll(',', ''))).toBe(count)
        expect(number).toMatch(/^\d{1,3}(,\d{3})*$/)
        expect(noun).toBe(count === 1 ? one : `${one}s`)
      }),
    )
  })
})

describe('plural', () => {
  test.each([
    [1, 'is'],
    [0, 'are'],
    [2, 'are'],
    [101, 'are'],
  ])('%i', (count, verb) => expect(plural(count, 'is', 'are')).toBe(verb))

  test('what is no number is not one thing', () => expect(plural(Number.NaN, 'GPU')).toBe('GPUs'))
})
