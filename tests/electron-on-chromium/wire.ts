// How values cross between main and the page's isolated world: both sides run these two functions. The page's
// side gets them as source text, so each is complete in itself: no imports, no names from outside.

/**
 * A value as bytes: the length of a JSON text, the text, and behind it the contents of all byte arrays and long texts
 * as they are. What JSON does not know is written as `{ $: kind, v: … }`.
 *
 * @throws TypeError for a part of a buffer: structured clone copies all of it
 * @throws DOMException DataCloneError for what structured clone refuses too, and for the kinds that no message
 * of Slipway has (other typed arrays, errors, streams)
 */
export function encodeValue(value: unknown): Uint8Array<ArrayBuffer> {
  const buffers: Uint8Array[] = []
  const pack = (part: unknown): unknown => {
    if (part === null || typeof part === 'boolean') return part
    if (typeof part === 'string') {
      // JSON would escape a text that is JSON itself, which made 16.9 MB of 12.5. UTF-8 has no half of a pair.
      if (part.length < 1024 || !part.isWellFormed()) return part
      const content = new TextEncoder().encode(part)
      buffers.push(content)
      return { $: 'text', v: content.byteLength }
    }
    if (part === undefined) return { $: 'undefined' }
    if (typeof part === 'bigint') return { $: 'bigint', v: String(part) }
    if (typeof part === 'number') {
      if (Object.is(part, -0)) return { $: 'number', v: '-0' }
      return Number.isFinite(part) ? part : { $: 'number', v: String(part) }
    }
    if (typeof part === 'function' || typeof part === 'symbol')
      throw new DOMException(`${String(part)} could not be cloned.`, 'DataCloneError')
    if (part instanceof Uint8Array) {
      // Whatever else lies in that memory would be copied, and readable by the other side.
      if (part.byteLength !== part.buffer.byteLength)
        throw new TypeError(
          `Electron would send the whole buffer of ${part.buffer.byteLength} bytes along with these ${part.byteLength}`,
        )
      buffers.push(part)
      return { $: 'bytes', v: part.byteLength }
    }
    if (part instanceof ArrayBuffer) {
      buffers.push(new Uint8Array(part))
      return { $: 'buffer', v: part.byteLength }
    }
    if (Array.isArray(part)) return part.map(pack)
    // As text: JSON has no NaN, which an invalid date holds.
    if (part instanceof Date) return { $: 'date', v: String(part.getTime()) }
    if (part instanceof Map) return { $: 'map', v: [...part].map(pack) }
    if (part instanceof Set) return { $: 'set', v: [...part].map(pack) }
    if (ArrayBuffer.isView(part) || part instanceof Error || part instanceof Promise)
      throw new DOMException(`${String(part)} is not carried by this double.`, 'DataCloneError')
    if (typeof part !== 'object') return part
    const entries = Object.entries(part).map(([key, member]) => [key, pack(member)])
    return '$' in part ? { $: 'object', v: entries } : Object.fromEntries(entries)
  }
  const text = new TextEncoder().encode(JSON.stringify(pack(value)))
  const length = buffers.reduce((sum, buffer) => sum + buffer.byteLength, 4 + text.byteLength)
  const bytes = new Uint8Array(length)
  new DataView(bytes.buffer).setUint32(0, text.byteLength)
  bytes.set(text, 4)
  let offset = 4 + text.byteLength
  for (const buffer of buffers) {
    bytes.set(buffer, offset)
    offset += buffer.byteLength
  }
  return bytes
}

/** The value that `encodeValue` was given. Byte arrays are copies. @throws SyntaxError for other bytes */
export function decodeValue(bytes: Uint8Array): unknown {
  const textLength = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0)
  const text = new TextDecoder().decode(bytes.subarray(4, 4 + textLength))
  let offset = 4 + textLength
  const take = (length: number): Uint8Array<ArrayBuffer> => {
    const taken = new Uint8Array(bytes.subarray(offset, offset + length))
    offset += length
    return taken
  }
  const unpackAll = (parts: unknown): unknown[] => (Array.isArray(parts) ? parts.map(unpack) : [])
  const unpackPairs = (parts: unknown): [unknown, unknown][] =>
    unpackAll(parts).map((pair) => (Array.isArray(pair) ? [pair[0], pair[1]] : [undefined, undefined]))
  const unpack = (part: unknown): unknown => {
    if (typeof part !== 'object' || part === null) return part
    if (Array.isArray(part)) return part.map(unpack)
    if (!('$' in part)) return Object.fromEntries(Object.entries(part).map(([k, v]) => [k, unpack(v)]))
    const v = 'v' in part ? part.v : undefined
    switch (part.$) {
      case 'undefined':
        return undefined
      case 'bigint':
        return BigInt(String(v))
      case 'number':
        return Number(v)
      case 'bytes':
        return take(Number(v))
      case 'buffer':
        return take(Number(v)).buffer
      case 'text': {
        offset += Number(v)
        return new TextDecoder('utf-8', { ignoreBOM: true }).decode(
          bytes.subarray(offset - Number(v), offset),
        )
      }
      case 'date':
        return new Date(Number(v))
      case 'map':
        return new Map(unpackPairs(v))
      case 'set':
        return new Set(unpackAll(v))
      case 'object':
        return Object.fromEntries(unpackPairs(v).map(([key, member]) => [String(key), member]))
      default:
        throw new SyntaxError(`Unknown kind of value: ${String(part.$)}`)
    }
  }
  return unpack(JSON.parse(text))
}
