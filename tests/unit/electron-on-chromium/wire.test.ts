import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeValue, encodeValue } from '../../electron-on-chromium/wire.ts'

const over = (value: unknown): unknown => decodeValue(encodeValue(value))

describe('values on the wire', () => {
  it('arrive as structured clone would deliver them', () => {
    const value = fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withNullPrototype: false,
      key: fc.oneof(fc.string(), fc.constantFrom('$', 'v')).filter((key) => key !== '__proto__'),
    })
    fc.assert(
      fc.property(value, (sent) => {
        expect(over(sent)).toEqual(structuredClone(sent))
      }),
    )
  })

  it.each([
    ['a text that JSON escapes', '"\\'.repeat(5_000)],
    ['other alphabets', '\ufeffé你\u{1f680}'.repeat(5_000)],
    ['half of a pair', `${'x'.repeat(5_000)}\ud800`],
  ])('keep long texts as they are: %s', (_name, text) => {
    expect(over(text)).toBe(text)
    expect(over([{ $: text }, new Uint8Array([1]), text])).toEqual([{ $: text }, new Uint8Array([1]), text])
  })

  it('make a text of JSON no longer than it is', () => {
    const text = JSON.stringify(Array.from({ length: 1_000 }, (_, id) => ({ id })))
    expect(encodeValue({ text }).byteLength).toBeLessThan(text.length + 100)
  })

  it('keep a date that is none', () => {
    expect(over(new Date(NaN))).toEqual(new Date(NaN))
  })

  it('keep every byte, wherever they are', () => {
    const piece = fc.uint8Array({ maxLength: 300 })
    fc.assert(
      fc.property(piece, piece, (a, b) => {
        expect(over({ a, list: [b, { a }] })).toEqual({ a, list: [b, { a }] })
      }),
    )
    expect(over(new Uint8Array([0, 1, 255]).buffer)).toEqual(new Uint8Array([0, 1, 255]).buffer)
  })

  it.each([
    ['of Node’s pool', Buffer.from('é')],
    ['its beginning', new Uint8Array(100).subarray(0, 99)],
    ['inside of a value', { deep: [new Uint8Array(9).subarray(1)] }],
  ])('are no part of a buffer, all of which Electron would send along: %s', (_name, value) => {
    expect(() => encodeValue(value)).toThrow('whole buffer')
  })

  it.each([() => 1, Symbol('x'), { deep: [() => 1] }, new Error('x'), new Float64Array(2)])(
    'are refused with DataCloneError when they cannot be carried: %s',
    (value) => {
      expect(() => encodeValue(value)).toThrow(expect.objectContaining({ name: 'DataCloneError' }))
    },
  )
})
