import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pictureTypeOf, readPictureHeader } from '#services/files/open/picture-header.ts'

/** Pictures of 1 × 1 pixel, as usual programs write them. */
const samples = {
  png: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  jpeg: '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA=',
  lossy: 'UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA',
  lossless: 'UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==',
} as const
const bytesOf = (name: keyof typeof samples): Buffer => Buffer.from(samples[name], 'base64')

test.for([
  ['png', 'image/png'],
  ['jpeg', 'image/jpeg'],
  ['lossy', 'image/webp'],
  ['lossless', 'image/webp'],
] as const)('the header of a real picture is read (%s)', ([name, type]) => {
  expect(readPictureHeader(bytesOf(name))).toEqual({ type, width: 1, height: 1 })
})

test('the sizes that each kind can have are read as they are', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 0x3fff }), fc.integer({ min: 1, max: 0x3fff }), (width, height) => {
      const png = bytesOf('png')
      png.writeUInt32BE(width, 16)
      png.writeUInt32BE(height, 20)
      expect(readPictureHeader(png)).toMatchObject({ width, height })
      const jpeg = bytesOf('jpeg')
      const frame = jpeg.indexOf(Buffer.from([0xff, 0xc2]))
      jpeg.writeUInt16BE(height, frame + 5)
      jpeg.writeUInt16BE(width, frame + 7)
      expect(readPictureHeader(jpeg)).toMatchObject({ width, height })
      const lossy = bytesOf('lossy')
      lossy.writeUInt16LE(width, 26)
      lossy.writeUInt16LE(height, 28)
      expect(readPictureHeader(lossy)).toMatchObject({ width, height })
      const lossless = bytesOf('lossless')
      lossless.writeUInt32LE(((width - 1) | ((height - 1) << 14)) >>> 0, 21)
      expect(readPictureHeader(lossless)).toMatchObject({ width, height })
      const extended = Buffer.from(`RIFF....WEBPVP8X${'\0'.repeat(14)}`, 'latin1')
      extended.writeUIntLE(width - 1, 24, 3)
      extended.writeUIntLE(height - 1, 27, 3)
      expect(readPictureHeader(extended)).toMatchObject({ width, height })
    }),
  )
})

test('whatever bytes follow a picture’s first ones, an answer comes, and never one without a size', () => {
  const beginnings = Object.keys(samples).map((name) => bytesOf(name as keyof typeof samples).subarray(0, 16))
  fc.assert(
    fc.property(fc.constantFrom(...beginnings), fc.uint8Array({ maxLength: 200 }), (beginning, rest) => {
      const header = readPictureHeader(Buffer.concat([beginning, rest]))
      if (header !== null) expect(Math.min(header.width, header.height)).toBeGreaterThan(0)
    }),
    { numRuns: 2_000 },
  )
})

test('a JPEG of markers without an end is given up at its end', () => {
  const endless = Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.alloc(1_000_000, 0xff)])
  expect(readPictureHeader(endless)).toBeNull()
  const empty = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0, 0xff, 0xe0, 0, 0, 0, 0, 0, 0])
  expect(readPictureHeader(empty)).toBeNull()
})

test('what can act is no picture', () => {
  for (const text of ['<svg xmlns="http://www.w3.org/2000/svg"/>', '<!doctype html>', 'GIF89a', '%PDF-1.7'])
    expect(pictureTypeOf(Buffer.from(text))).toBeNull()
})
