import { crc32, deflateSync, inflateSync } from 'node:zlib'

/**
 * The same picture with a palette: a window has few colors, and less than half the bytes are left. Pixels whose
 * color is not among the 256 most frequent take the nearest of those.
 *
 * @param png 8 bits a channel, RGB or RGBA without interlacing, as browsers write it; what is transparent becomes opaque
 * @throws for any other kind
 */
export function smallPng(png: Buffer): Buffer {
  const { width, height, channels, pixels } = decode(png)
  const colors = Array.from({ length: width * height }, (_, index) => pixels.readUIntBE(index * channels, 3))
  const counts = new Map<number, number>()
  for (const colour of colors) counts.set(colour, (counts.get(colour) ?? 0) + 1)
  const palette = [...counts]
    .sort(([, one], [, other]) => other - one)
    .slice(0, 256)
    .map(([colour]) => colour)
  const places = new Map([...counts.keys()].map((colour) => [colour, nearest(palette, colour)]))

  const rows = Buffer.alloc(height * (width + 1))
  colors.forEach((colour, index) => {
    const row = Math.floor(index / width)
    rows[row * (width + 1) + 1 + (index % width)] = places.get(colour) ?? 0
  })
  const entries = Buffer.alloc(palette.length * 3)
  palette.forEach((colour, index) => entries.writeUIntBE(colour, index * 3, 3))
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 3, 0, 0, 0], 8)
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('PLTE', entries),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

function nearest(palette: readonly number[], colour: number): number {
  const distances = palette.map((one) => distance(one, colour))
  return distances.indexOf(Math.min(...distances))
}

function distance(one: number, other: number): number {
  return [16, 8, 0].reduce((sum, shift) => sum + (((one >> shift) & 255) - ((other >> shift) & 255)) ** 2, 0)
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}

interface Decoded {
  readonly width: number
  readonly height: number
  readonly channels: number
  readonly pixels: Buffer
}

/** PNG specification, third edition, sections 5.3 and 9. */
function decode(png: Buffer): Decoded {
  const data: Buffer[] = []
  let header = Buffer.alloc(0)
  for (let at = signature.length; at < png.length;) {
    const length = png.readUInt32BE(at)
    const type = png.toString('latin1', at + 4, at + 8)
    const content = png.subarray(at + 8, at + 8 + length)
    if (type === 'IHDR') header = Buffer.from(content)
    if (type === 'IDAT') data.push(content)
    at += length + 12
  }
  const [depth, kind, , , interlaced] = header.subarray(8)
  const channels = kind === 2 ? 3 : kind === 6 ? 4 : null
  if (depth !== 8 || interlaced !== 0 || channels === null) throw new Error('Not a PNG as browsers write it')
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  return { width, height, channels, pixels: unfilter(inflateSync(Buffer.concat(data)), height, channels) }
}

/** Takes each row's filter off: its bytes are differences from what is left, above, or both. */
function unfilter(filtered: Buffer, height: number, channels: number): Buffer {
  const stride = filtered.length / height - 1
  const pixels = Buffer.alloc(stride * height)
  for (let row = 0; row < height; row += 1) {
    const filter = filtered[row * (stride + 1)] ?? 0
    for (let column = 0; column < stride; column += 1) {
      const at = row * stride + column
      const left = column < channels ? 0 : (pixels[at - channels] ?? 0)
      const above = row === 0 ? 0 : (pixels[at - stride] ?? 0)
      const corner = column < channels || row === 0 ? 0 : (pixels[at - stride - channels] ?? 0)
      pixels[at] = (filtered[at + row + 1] ?? 0) + predicted(filter, left, above, corner)
    }
  }
  return pixels
}

function predicted(filter: number, left: number, above: number, corner: number): number {
  if (filter === 1) return left
  if (filter === 2) return above
  if (filter === 3) return (left + above) >> 1
  if (filter === 4) return paeth(left, above, corner)
  return 0
}

function paeth(left: number, above: number, corner: number): number {
  const guess = left + above - corner
  const byLeft = Math.abs(guess - left)
  const byAbove = Math.abs(guess - above)
  const byCorner = Math.abs(guess - corner)
  if (byLeft <= byAbove && byLeft <= byCorner) return left
  return byAbove <= byCorner ? above : corner
}
