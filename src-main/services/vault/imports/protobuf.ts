/** A field of a message of Protocol Buffers, by its wire type. */
export type ProtobufField =
  | { readonly number: number; readonly kind: 'varint'; readonly value: number }
  | { readonly number: number; readonly kind: 'bytes'; readonly value: Buffer }
  | { readonly number: number; readonly kind: 'fixed' }

/** More than any message that fits a QR code has. */
const mostFields = 10_000
/** 64 bits in groups of seven. */
const longestVarint = 10

/**
 * The fields of a message (protobuf.dev/programming-guides/encoding), in their order; `null` when the bytes are none, end
 * in the middle of a field, or are more than anything in a QR code can be. Varints are cut to 32 bits with a sign, as
 * those of `int32` and `enum` fields are.
 */
export function readProtobuf(bytes: Buffer): readonly ProtobufField[] | null {
  const fields: ProtobufField[] = []
  let at = 0
  /** `null`: it has no end. */
  const varint = (): number | null => {
    let value = 0
    for (let group = 0; group < longestVarint; group += 1) {
      const byte = bytes[at]
      if (byte === undefined) return null
      at += 1
      // What is shifted by 32 and more would come round again.
      if (group < 5) value |= (byte & 0x7f) << (7 * group)
      if (byte < 0x80) return value
    }
    return null
  }
  const skip = (length: number): Buffer | null => {
    if (length < 0 || length > bytes.length - at) return null
    at += length
    return bytes.subarray(at - length, at)
  }
  while (at < bytes.length) {
    const key = varint()
    if (key === null || fields.length === mostFields) return null
    const number = key >>> 3
    if (number === 0) return null
    switch (key & 7) {
      case 0: {
        const value = varint()
        if (value === null) return null
        fields.push({ number, kind: 'varint', value })
        break
      }
      case 2: {
        const length = varint()
        const value = length === null ? null : skip(length)
        if (value === null) return null
        fields.push({ number, kind: 'bytes', value })
        break
      }
      case 1:
      case 5:
        if (skip((key & 7) === 1 ? 8 : 4) === null) return null
        fields.push({ number, kind: 'fixed' })
        break
      default:
        // Groups were given up long ago, and 6 and 7 are nothing.
        return null
    }
  }
  return fields
}
