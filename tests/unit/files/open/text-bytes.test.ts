import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readText, versionOf } from '#services/files/open/text-bytes.ts'

test('text is read so that it gives the same bytes again, whatever its line ends and marks', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('\r\n', '\n', '\r', '\uFEFF'))),
      (parts) => {
        const bytes = Buffer.from(parts.join('').replaceAll('\0', ' '))
        const read = readText(bytes)
        expect(read.kind).toBe('text')
        if (read.kind === 'text') expect(Buffer.from(read.text).equals(bytes)).toBe(true)
      },
    ),
  )
})

test('any bytes are either text that says all of them, or refused', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (some) => {
      const read = readText(Buffer.from(some))
      if (read.kind === 'text') expect(Buffer.from(read.text).equals(some)).toBe(true)
      else expect(read.why).toBe(some.includes(0) ? 'binary' : 'not-utf8')
    }),
  )
})

test.for([
  ['Latin-1', Buffer.from('größe', 'latin1'), 'not-utf8'],
  ['UTF-16', Buffer.from('\uFEFFtext', 'utf16le'), 'binary'],
  ['half a character', Buffer.from('🚢').subarray(0, 3), 'not-utf8'],
  ['a surrogate', Buffer.from([0xed, 0xa0, 0x80]), 'not-utf8'],
  ['a longer way to write a slash', Buffer.from([0xc0, 0xaf]), 'not-utf8'],
] as const)('%s isn’t taken for UTF-8', ([, bytes, why]) => {
  expect(readText(bytes)).toEqual({ kind: 'refused', why })
})

test('a version stands for the content', () => {
  expect(versionOf(Buffer.from('a'))).toBe(versionOf(Buffer.from('a')))
  expect(versionOf(Buffer.from('a'))).not.toBe(versionOf(Buffer.from('b')))
  expect(versionOf(Buffer.from('a'), 5)).not.toBe(versionOf(Buffer.from('a'), 6))
})
