import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseSixDigits } from '#services/rental-api/two-factor.ts'

test.each([
  ['123456', '123456'],
  [' 123 456 ', '123456'],
  ['123-456', '123456'],
  ['12345', null],
  ['1234567', null],
  ['12345a', null],
  ['١٢٣٤٥٦', null],
])('what is typed as a code: %j', (typed, code) => expect(parseSixDigits(typed)).toBe(code))

test('whatever is typed, a code has six digits', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 12 }), (typed) => {
      const code = parseSixDigits(typed)
      if (code !== null) expect(code).toMatch(/^[0-9]{6}$/)
    }),
  )
})
