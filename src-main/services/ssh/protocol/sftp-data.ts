import type { SFTPWrapper } from 'ssh2'
import { releaseMemory } from '../release-memory.ts'
import { at, isHandler, isObject } from './inside.ts'

/** What this file reaches of ssh2 1.17's SFTP channel. */
interface Inside {
  /** By id, what waits for an answer. */
  readonly _requests: Record<number, Request | undefined>
  _writeReqid: number
  /** Of the answer that is being put together: how many of the bytes of its length have come, that, and how many since. */
  readonly _pktLenBytes: number
  readonly _pktLen: number
  readonly _pktPos: number
  readonly _maxInPktLen: number
  readonly _maxWriteLen: number
  /** What waits for the server's window, in order. */
  _buffer: Buffer[]
  _waitWindow: boolean
  _chunkcb: (() => void) | undefined
  readonly outgoing: {
    readonly id: number
    readonly packetSize: number
    window: number
    readonly state: string
  }
  readonly _protocol: { readonly channelData: (id: number, data: Buffer) => void }
}

interface Request {
  /** Where what is read is to go. */
  readonly buffer?: Buffer
  readonly cb: (error?: Error | null, data?: Buffer, length?: number) => void
}

/** Of draft-ietf-secsh-filexfer-02 section 3. */
const types = { write: 6, data: 103 } as const
/** Of an answer with data: its length, type, and id, and the data's length. */
const dataHeaderBytes = 4 + 1 + 4 + 4
const largestId = 2 ** 32 - 1

/**
 * Lets what files hold go straight from the packets of the channel to where it was asked for. ssh2 puts each answer
 * together in memory of its own first. Whatever else comes, and whatever is odd about an answer, is ssh2's to take.
 *
 * @param push ssh2's own; nothing more once the channel is broken
 * @returns what takes the channel's bytes in its place; `push` itself where the inside is not as expected
 */
export function takingDataDirectly(sftp: unknown, push: (bytes: Buffer) => void): (bytes: Buffer) => void {
  if (!isInside(sftp)) return push
  let filling: Filling | null = null
  return (bytes) => {
    let from = 0
    let isPassedOn = false
    while (from < bytes.length) {
      if (filling === null) {
        filling = fillingFrom(sftp, bytes, from)
        if (filling !== null) from += dataHeaderBytes
      }
      if (filling === null) {
        const to = from + restOfAnswer(sftp, bytes, from)
        push(bytes.subarray(from, to))
        isPassedOn = true
        from = to
        continue
      }
      const { id, request, into, length, at } = filling
      const to = Math.min(bytes.length, from + length - at)
      into.set(bytes.subarray(from, to), at)
      filling.at += to - from
      from = to
      if (filling.at < length) break
      filling = null
      Reflect.deleteProperty(sftp._requests, id)
      request.cb(undefined, into, length)
    }
    // ssh2 keeps parts of what it takes, as the handles of files.
    if (!isPassedOn) releaseMemory(bytes)
  }
}

interface Filling {
  readonly id: number
  readonly request: Request
  readonly into: Buffer
  readonly length: number
  /** So many bytes have come. */
  at: number
}

/** `null` unless an answer begins there that is data which somebody waits for, no more than they asked for, and whole. */
function fillingFrom(sftp: Inside, bytes: Buffer, from: number): Filling | null {
  if (sftp._pktLenBytes > 0 || bytes.length - from < dataHeaderBytes) return null
  const answerBytes = bytes.readUInt32BE(from)
  if (bytes[from + 4] !== types.data || answerBytes > sftp._maxInPktLen) return null
  const id = bytes.readUInt32BE(from + 5)
  const length = bytes.readUInt32BE(from + 9)
  const request = sftp._requests[id]
  const into = request?.buffer
  if (request === undefined || into === undefined || length > into.length) return null
  return length > 0 && answerBytes === dataHeaderBytes - 4 + length
    ? { id, request, into, length, at: 0 }
    : null
}

/** How many of these bytes belong to the answer that ssh2 puts together, or begins with them. */
function restOfAnswer(sftp: Inside, bytes: Buffer, from: number): number {
  const there = bytes.length - from
  const { _pktLenBytes: lengthBytes, _pktLen: length, _pktPos: taken } = sftp
  // Nothing is left of one that ssh2 has found to be wrong.
  if (lengthBytes === 4) return Math.min(there, Math.max(1, length - taken))
  if (lengthBytes > 0 || there < 4) return Math.min(there, 4 - lengthBytes)
  return Math.min(there, 4 + bytes.readUInt32BE(from))
}

/**
 * Writes to an open file, as ssh2's `write`, which first puts header and content together in memory of its own.
 *
 * @param content stays as it is until `done` is called
 */
export function writeDirectly(
  sftp: SFTPWrapper,
  { handle, offset, content }: { readonly handle: Buffer; readonly offset: number; readonly content: Buffer },
  done: (error?: Error | null) => void,
): void {
  const inside: unknown = sftp
  if (!isInside(inside) || content.length > inside._maxWriteLen) {
    sftp.write(handle, content, 0, content.length, offset, (error) => done(error))
    return
  }
  const id = (inside._writeReqid + 1) % (largestId + 1)
  inside._writeReqid = id
  inside._requests[id] = { cb: done }
  const header = headerOfWrite(id, handle, offset, content.length)
  const beside = Math.min(content.length, Math.max(0, inside.outgoing.packetSize - header.length))
  const first = Buffer.concat([header, content.subarray(0, beside)])
  if (sendOrKeep(inside, first)) releaseMemory(first)
  if (beside < content.length) sendOrKeep(inside, content.subarray(beside))
}

/** Of draft-ietf-secsh-filexfer-02 section 6.4. */
function headerOfWrite(id: number, handle: Buffer, offset: number, length: number): Buffer {
  const header = Buffer.allocUnsafe(4 + 1 + 4 + 4 + handle.length + 8 + 4)
  header.writeUInt32BE(header.length - 4 + length)
  header.writeUInt8(types.write, 4)
  header.writeUInt32BE(id, 5)
  header.writeUInt32BE(handle.length, 9)
  header.set(handle, 13)
  header.writeBigUInt64BE(BigInt(offset), 13 + handle.length)
  header.writeUInt32BE(length, 21 + handle.length)
  return header
}

/** What the server's window does not take waits, as all that ssh2 sends on the channel. @returns whether none does */
function sendOrKeep(sftp: Inside, bytes: Buffer): boolean {
  const rest = sent(sftp, bytes)
  if (rest.length > 0) sftp._buffer.push(rest)
  return rest.length === 0
}

/** @returns what the window did not take */
function sent(sftp: Inside, bytes: Buffer): Buffer {
  const { outgoing, _protocol: protocol } = sftp
  if (outgoing.state !== 'open') return bytes.subarray(bytes.length)
  let from = 0
  while (from < bytes.length && outgoing.window > 0) {
    const to = Math.min(bytes.length, from + Math.min(outgoing.window, outgoing.packetSize))
    outgoing.window -= to - from
    protocol.channelData(outgoing.id, bytes.subarray(from, to))
    from = to
  }
  if (outgoing.window === 0) {
    sftp._waitWindow = true
    sftp._chunkcb = () => sendKept(sftp)
  }
  return bytes.subarray(from)
}

/** For ssh2 to call when the server's window has opened. */
function sendKept(sftp: Inside): void {
  sftp._chunkcb = undefined
  const kept = sftp._buffer
  sftp._buffer = []
  for (const [index, bytes] of kept.entries()) {
    const rest = sent(sftp, bytes)
    if (rest.length === 0) continue
    sftp._buffer = [rest, ...kept.slice(index + 1)]
    return
  }
}

function isInside(value: unknown): value is Inside {
  const outgoing = at(value, 'outgoing')
  const numbers = ['_writeReqid', '_pktLenBytes', '_pktLen', '_pktPos', '_maxInPktLen', '_maxWriteLen']
  return (
    numbers.every((name) => typeof at(value, name) === 'number') &&
    isObject(at(value, '_requests')) &&
    Array.isArray(at(value, '_buffer')) &&
    isHandler(at(value, '_protocol', 'channelData')) &&
    ['id', 'packetSize', 'window'].every((name) => typeof at(outgoing, name) === 'number') &&
    // What is written would be dropped, or wait for ever.
    typeof at(outgoing, 'state') === 'string' &&
    typeof at(value, '_waitWindow') === 'boolean' &&
    isObject(value) &&
    '_chunkcb' in value
  )
}
