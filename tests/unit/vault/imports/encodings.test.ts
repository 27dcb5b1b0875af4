import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeBase64, encodeBase32 } from '#services/vault/imports/bytes.ts'
import { readCsv } from '#services/vault/imports/csv.ts'

test('base32 is as its RFC has it', () => {
  // RFC 4648 section 10.
  const vectors = ['', 'MY', 'MZXQ', 'MZXW6', 'MZXW6YQ', 'MZXW6YTB', 'MZXW6YTBOI']
  expect(vectors.map((_, length) => encodeBase32(Buffer.from('foobar'.slice(0, length))))).toEqual(vectors)
})

test('base64 is read with and without padding, and nothing else is', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (array) => {
      const text = Buffer.from(array).toString('base64')
      expect(decodeBase64(text)).toEqual(Buffer.from(array))
      expect(decodeBase64(text.replaceAll('=', ''))).toEqual(Buffer.from(array))
      expect(decodeBase64(`${text}*`)).toBeNull()
    }),
  )
  for (const text of ['A', 'AAA*', 'AA\nAA', '-_-_', 'AAAAA']) expect(decodeBase64(text)).toBeNull()
})

test('CSV is read as it was written', () => {
  const cell = fc.oneof(fc.string(), fc.constantFrom('', 'a"b', 'x,y', 'line\r\nline', '"', '\n'))
  const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1 })
  fc.assert(
    fc.property(table, (rows) => {
      const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`
      expect(readCsv(rows.map((row) => row.map(quoted).join(',')).join('\r\n'))).toEqual(rows)
    }),
  )
  expect(readCsv('a,b\r\n,\nlast')).toEqual([['a', 'b'], ['', ''], ['last']])
  expect(readCsv('"never closed,\na')).toEqual([['never closed,\na']])
})

test('a CSV text of anybody is read to its end', () => {
  const part = fc.constantFrom('"', '""', ',', '\n', '\r\n', 'a')
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const text = parts.join('')
      const rows = readCsv(text)
      expect(rows.length).toBeLessThanOrEqual(text.length)
      expect(rows.flat().join('').length).toBeLessThanOrEqual(text.length)
    }),
  )
})
