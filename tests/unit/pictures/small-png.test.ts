import { crc32, deflateSync, inflateSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { smallPng } from '../../pictures/small-png.ts'

type Rgb = readonly [number, number, number]
const byte = fc.integer({ min: 0, max: 255 })
const pictures = fc
  .record({
    width: fc.integer({ min: 1, max: 12 }),
    height: fc.integer({ min: 1, max: 12 }),
    filters: fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 12, maxLength: 12 }),
    colors: fc.array(fc.tuple(byte, byte, byte), { minLength: 1, maxLength: 40 }),
    seed: byte,
  })
  .map(({ width, height, filters, colors, seed }) => ({
    filters,
    width,
    rows: Array.from({ length: height }, (_, row) =>
      Array.from({ length: width }, (_, column): Rgb => {
        const colour = colors[(row * 7 + column * 3 + seed) % colors.length]
        return colour ?? [0, 0, 0]
      }),
    ),
  }))

test('a picture of at most 256 colours stays as it is, whatever filters its rows have', () => {
  fc.assert(
    fc.property(pictures, ({ width, rows, filters }) => {
      const small = smallPng(encode(width, rows, filters))
      expect(decodeIndexed(small, width)).toEqual(rows)
    }),
  )
})

test('with more colours, a pixel takes one that is near', () => {
  const rows = Array.from({ length: 30 }, (_, row) =>
    Array.from({ length: 30 }, (_, column): Rgb => [row * 8, column * 8, 100]),
  )
  const drawn = decodeIndexed(smallPng(encode(30, rows, [])), 30)
  expect(new Set(drawn.flat().map(String)).size).toBe(256)
  expect(drawn[0]?.[0]).toEqual([0, 0, 100])
})

test('what is no such picture is refused', () => {
  expect(() => smallPng(Buffer.from('not a picture'))).toThrow('Not a PNG')
})

/** RGB of 8 bits, each row with the filter of its place: what browsers write. */
function encode(width: number, rows: readonly (readonly Rgb[])[], filters: readonly number[]): Buffer {
  const lines = rows.map((row) => row.flat())
  const data = lines.flatMap((line, index) => {
    const filter = filters[index] ?? 0
    const above = lines[index - 1]
    return [filter, ...line.map((value, at) => (value - guess(filter, line, above, at)) & 255)]
  })
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(rows.length, 4)
  header.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    part('IHDR', header),
    part('IDAT', deflateSync(Buffer.from(data))),
    part('IEND', Buffer.alloc(0)),
  ])
}

function guess(filter: number, line: readonly number[], above: readonly number[] = [], at: number): number {
  const [a, b, c] = [line[at - 3] ?? 0, above[at] ?? 0, above[at - 3] ?? 0]
  const near = [a, b, c].toSorted((one, other) => Math.abs(a + b - c - one) - Math.abs(a + b - c - other))
  return [0, a, b, Math.floor((a + b) / 2), near[0] ?? 0][filter] ?? 0
}

function part(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const numbers = Buffer.alloc(8)
  numbers.writeUInt32BE(data.length, 0)
  numbers.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([numbers.subarray(0, 4), body, numbers.subarray(4)])
}

function decodeIndexed(png: Buffer, width: number): Rgb[][] {
  const palette = content(png, 'PLTE')
  const data = inflateSync(content(png, 'IDAT'))
  return Array.from({ length: data.length / (width + 1) }, (_, row) =>
    Array.from({ length: width }, (_, column): Rgb => {
      const at = (data[row * (width + 1) + 1 + column] ?? 0) * 3
      return [palette[at] ?? 0, palette[at + 1] ?? 0, palette[at + 2] ?? 0]
    }),
  )
}

function content(png: Buffer, type: string): Buffer {
  const at = png.indexOf(type, 0, 'latin1')
  const data = png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4))
  expect(png.readUInt32BE(at + 4 + data.length)).toBe(crc32(png.subarray(at, at + 4 + data.length)))
  return data
}
