import fc from 'fast-check'
import { expect, test } from 'vitest'
import { serviceLine } from '#domain/rental-api/service-text.ts'

/** What text may hold that is more than a letter. */
const odd = [
  'a',
  ' ',
  '\n',
  '\u0000',
  '\u202e',
  '\u2028',
  '\u200d',
  '\ud83d',
  '\ude42',
  '🙂',
  '\u{e0041}',
  '…',
]

test.each([
  ['two\nlines\tand  more ', 'two lines and more'],
  ['pay\u202e001$\u2066now\u0007', 'pay�001$�now�'],
  ['line\u2028separated', 'line separated'],
  ['Données 数据 🙂', 'Données 数据 🙂'],
])('%j is shown as %j', (said, shown) => {
  expect(serviceLine(said, 200)).toBe(shown)
})

test('however long it is, it ends, and no character is cut in two', () => {
  expect(serviceLine('x'.repeat(5_000_000), 200)).toBe(`${'x'.repeat(199)}…`)
  expect(serviceLine('🙂'.repeat(200), 10)).toBe('🙂🙂🙂🙂�…')
})

test('one line of bounded length without anything unseen, and the same when it is cleaned twice', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...odd), maxLength: 300 }), (said) => {
      const shown = serviceLine(said, 100)
      expect(shown.length).toBeLessThanOrEqual(100)
      expect(shown).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
      expect(serviceLine(shown, 100)).toBe(shown)
    }),
  )
})
