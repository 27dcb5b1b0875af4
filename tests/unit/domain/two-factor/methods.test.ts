import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { methodLabel, parsePhoneNumber } from '#domain/two-factor/methods.ts'

describe('a phone number as it is typed', () => {
  test.each([
    ['+12025550142', '+12025550142'],
    [' +1 (202) 555-0142 ', '+12025550142'],
    ['0047 22 22 55 55', '+4722225555'],
    ['+49\u201330.1234567', '+49301234567'],
  ])('%s', (typed, number) => expect(parsePhoneNumber(typed)).toBe(number))

  test.each(['', '202 555 0142', '+0123456789', '+1', '+1234567890123456', '+1202555014x', '++12025550142'])(
    '%s is none',
    (typed) => expect(parsePhoneNumber(typed)).toBeNull(),
  )

  test('whatever is typed, what comes out can be sent, and stays what it is when it is read again', () => {
    const pieces = fc.array(fc.constantFrom('+', '0', '1', '9', ' ', '-', '(', ')', 'a', '٣'), {
      maxLength: 20,
    })
    fc.assert(
      fc.property(pieces, (typed) => {
        const number = parsePhoneNumber(typed.join(''))
        if (number === null) return
        expect(number).toMatch(/^\+[1-9][0-9]{6,14}$/)
        expect(parsePhoneNumber(number)).toBe(number)
      }),
    )
  })
})

test('a label has at most 30 characters, as a person counts them', () => {
  expect(methodLabel.safeParse('🔑'.repeat(30)).success).toBe(true)
  expect(methodLabel.safeParse('a'.repeat(31)).success).toBe(false)
  expect(methodLabel.parse('  Phone ')).toBe('Phone')
})
