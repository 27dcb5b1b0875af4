import type { OpenedPicture } from '../../../domain/files/opened-file.ts'

/** What a picture's header says. */
export type PictureHeader = Pick<OpenedPicture, 'type' | 'width' | 'height'>

/** What kind of picture begins so, whatever its name; `null` for none that is shown. */
export function pictureTypeOf(head: Buffer): PictureHeader['type'] | null {
  if (head.subarray(0, 8).equals(pngSignature)) return 'image/png'
  if (head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff) return 'image/jpeg'
  return tagAt(head, 0) === 'RIFF' && tagAt(head, 8) === 'WEBP' ? 'image/webp' : null
}

/** Reads its kind and size without decoding any of it; `null` when the header makes no sense. */
export function readPictureHeader(bytes: Buffer): PictureHeader | null {
  const type = pictureTypeOf(bytes)
  if (type === null) return null
  const size = { 'image/png': pngSize, 'image/jpeg': jpegSize, 'image/webp': webpSize }[type](bytes)
  return size !== null && size.width > 0 && size.height > 0 ? { type, ...size } : null
}

type Size = Pick<PictureHeader, 'width' | 'height'>

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** The first chunk is IHDR, of 13 bytes (PNG, section 11.2.1). */
function pngSize(bytes: Buffer): Size | null {
  if (bytes.length < 33 || bytes.readUInt32BE(8) !== 13 || tagAt(bytes, 12) !== 'IHDR') return null
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

/** Markers before the frame's header, each with its length, but for those without (ITU-T T.81, table B.1). */
function jpegSize(bytes: Buffer): Size | null {
  let at = 2
  while (at + 9 < bytes.length) {
    if (bytes[at] !== 0xff) return null
    const marker = bytes.readUInt8(at + 1)
    if (marker === 0xff) at += 1
    else if (isAlone(marker)) at += 2
    else if (isFrame(marker)) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
    // The picture itself begins, without a size.
    else if (marker === 0xda || marker === 0xd9) return null
    else {
      const length = bytes.readUInt16BE(at + 2)
      if (length < 2) return null
      at += 2 + length
    }
  }
  return null
}

function isAlone(marker: number): boolean {
  return marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)
}

function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
}

/** Of the three kinds of first chunk (WebP's container specification; RFC 9649, and RFC 6386 section 9.1). */
function webpSize(bytes: Buffer): Size | null {
  if (bytes.length < 30) return null
  switch (tagAt(bytes, 12)) {
    case 'VP8 ':
      if (bytes.readUIntBE(23, 3) !== 0x9d012a) return null
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
    case 'VP8L': {
      if (bytes[20] !== 0x2f) return null
      const bits = bytes.readUInt32LE(21)
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    case 'VP8X':
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
    default:
      return null
  }
}

function tagAt(bytes: Buffer, at: number): string {
  return bytes.toString('latin1', at, at + 4)
}
