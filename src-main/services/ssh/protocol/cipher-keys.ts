import { createSecretKey, randomFillSync } from 'node:crypto'
import type { Client } from 'ssh2'
import { at, isHandler, isObject } from './inside.ts'

/** Where ssh2 1.17 keeps the keys of AES-GCM, for each way one. */
const places = [
  { cipher: '_cipher', key: '_encKey' },
  { cipher: '_decipher', key: '_decipherKey' },
] as const

/**
 * Lets ssh2 hold its keys as key objects. It makes a cipher for each packet, and Node takes six times as long for
 * that when the key is a bare buffer (24.21: 11 µs, of 15 for a packet of 4 kB). To be called right after
 * `client.connect`; each key exchange brings new ciphers, which are looked after as well. An ssh2 with another
 * inside goes on as it is.
 *
 * @returns whether the inside was as expected
 */
export function keepKeyObjects(client: Client): boolean {
  const protocol = at(client, '_protocol')
  if (!isObject(protocol)) return false
  for (const { cipher, key } of places) {
    if (!(cipher in protocol)) return false
    let current: unknown = Reflect.get(protocol, cipher)
    Object.defineProperty(protocol, cipher, {
      get: () => current,
      set: (next: unknown) => {
        current = next
        const bytes = at(next, key)
        if (!isObject(next) || !Buffer.isBuffer(bytes)) return
        Reflect.set(next, key, createSecretKey(bytes))
        if (cipher === '_cipher') packInOnePlace(next)
      },
    })
  }
  return true
}

const paddings = Buffer.allocUnsafeSlow(8 * 1024)
let paddingsUsed = paddings.length

/** Bytes for one packet, drawn with those of hundreds more: Node takes 2 to 6 µs for each draw. */
function randomPadding(length: number): Buffer {
  if (paddingsUsed + length > paddings.length) {
    randomFillSync(paddings)
    paddingsUsed = 0
  }
  paddingsUsed += length
  return paddings.subarray(paddingsUsed - length, paddingsUsed)
}

/** Longer than any that is sent: channels' are up to 32 KiB. */
const place = Buffer.allocUnsafeSlow(40 * 1024)
/** Shorter ones Node takes from memory that it keeps. */
const leastPacked = 4 * 1024

/**
 * Has AES-GCM's packets put together in one place: what is sent is encrypted at once, into memory of its own. ssh2 takes
 * new memory for each packet, which is a third of what an upload leaves to be collected.
 */
function packInOnePlace(cipher: object): void {
  const allocate = at(cipher, 'allocPacket')
  const write = at(cipher, '_onWrite')
  if (!isHandler(allocate) || !isHandler(write)) return
  Reflect.set(cipher, 'allocPacket', (payloadBytes: number): unknown => {
    // RFC 5647 section 7.2: whole blocks of 16 without the length, of which 4 bytes at least are padding.
    const padding = 4 + ((16 - ((1 + payloadBytes + 4) % 16)) % 16)
    const packetBytes = 4 + 1 + payloadBytes + padding
    if (payloadBytes < leastPacked || packetBytes > place.length) return allocate.call(cipher, payloadBytes)
    const packet = place.subarray(0, packetBytes)
    packet.writeUInt32BE(packetBytes - 4)
    packet.writeUInt8(padding, 4)
    packet.set(randomPadding(padding), 5 + payloadBytes)
    return packet
  })
  // Its length goes out as it is.
  Reflect.set(cipher, '_onWrite', (bytes: Buffer) =>
    write.call(cipher, bytes.buffer === place.buffer ? Buffer.from(bytes) : bytes),
  )
}

/**
 * Whether ssh2 1.17 keeps nothing of what it's given to read, as it is now. Its AES deciphers don't; that of chacha20 keeps
 * pieces of it until a packet is whole.
 */
export function copiesWhatItReads(client: Client): boolean {
  return at(client, '_protocol', '_decipher', '_decipherInstance') !== undefined
}
