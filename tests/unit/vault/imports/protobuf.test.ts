import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readProtobuf } from '#services/vault/imports/protobuf.ts'
import { protobuf } from '../../../support/vault/authenticator-exports.ts'

const int32 = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })
const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array))

describe('a message of Protocol Buffers', () => {
  test('is read as it was written', () => {
    const fields = fc.array(fc.tuple(fc.integer({ min: 1, max: 2 ** 28 }), fc.oneof(int32, bytes)))
    fc.assert(
      fc.property(fields, (written) => {
        expect(readProtobuf(protobuf(written))).toEqual(
          written.map(([number, value]) => ({
            number,
            kind: typeof value === 'number' ? 'varint' : 'bytes',
            value,
          })),
        )
      }),
    )
  })

  test('with fields of fixed length passes over them', () => {
    const message = Buffer.concat([
      Buffer.from([0x09, 1, 2, 3, 4, 5, 6, 7, 8]),
      Buffer.from([0x15, 1, 2, 3, 4]),
      protobuf([[3, 7]]),
    ])
    expect(readProtobuf(message)).toEqual([
      { number: 1, kind: 'fixed' },
      { number: 2, kind: 'fixed' },
      { number: 3, kind: 'varint', value: 7 },
    ])
  })

  test.each([
    ['that ends in a key', [0x80]],
    ['that ends in a number', [0x08, 0x80]],
    ['that ends before its bytes do', [0x0a, 0x05, 1, 2]],
    ['of bytes beyond all memory', [0x0a, 0xff, 0xff, 0xff, 0xff, 0x07]],
    ['of less than no bytes', [0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]],
    ['with a number that never ends', [0x08, ...Array<number>(20).fill(0xff)]],
    ['with a field of no number', [0x00, 0x00]],
    ['with a group', [0x0b, 0x0c]],
    ['of a wire type that is none', [0x0e]],
    ['with four bytes of eight', [0x09, 1, 2, 3, 4]],
  ])('%s is none', (_, message) => {
    expect(readProtobuf(Buffer.from(message))).toBeNull()
  })

  test('has at most 10,000 fields', () => {
    const fields = (count: number) => readProtobuf(Buffer.from(Array(count).fill([0x08, 0x00]).flat()))
    expect(fields(10_000)).toHaveLength(10_000)
    expect(fields(10_001)).toBeNull()
  })

  test('of anybody never throws, and gives no more than it has', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2000 }), (array) => {
        const fields = readProtobuf(Buffer.from(array)) ?? []
        const given = fields.reduce((sum, { kind, ...field }) => {
          return sum + (kind === 'bytes' && 'value' in field ? Buffer.from(field.value as Buffer).length : 0)
        }, 0)
        expect(given + fields.length).toBeLessThanOrEqual(array.length)
      }),
    )
  })
})
