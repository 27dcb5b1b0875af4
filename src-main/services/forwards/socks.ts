import type { Socket } from 'node:net'
import type { ForwardRefusal, ForwardTarget } from '../../domain/forwards/forward.ts'
import { parseHost } from '../../domain/ssh/network-address.ts'

/** Who connects and then says nothing is let go. */
const greetingTimeoutMs = 30_000

const version = 5
const replies = {
  granted: 0,
  failed: 1,
  forbidden: 2,
  refused: 5,
  noSuchCommand: 7,
  noSuchAddress: 8,
} as const

/**
 * Hears where a SOCKS 5 client wants to go (RFC 1928: CONNECT, without a login). What it has sent beyond that
 * stays in the socket, which is left paused. `null` when it wants something else, and was told so.
 *
 * The package @pondwader/socks5-server was tried for this: it mixes up the order of pieces that stand in the
 * socket's buffer together, and loses what a client sends before it is answered.
 */
export async function hearSocksRequest(socket: Socket): Promise<ForwardTarget | null> {
  const read = readerOf(socket)
  socket.setTimeout(greetingTimeoutMs, () => socket.destroy())
  try {
    const [greeting = 0, methodCount = 0] = await read(2)
    // SOCKS 4 and whatever else: it would not understand an answer.
    if (greeting !== version) return leave(socket)
    const methods = await read(methodCount)
    if (!methods.includes(0)) return leave(socket, Buffer.from([version, 0xff]))
    socket.write(Buffer.from([version, 0]))

    const [requestVersion = 0, command = 0, , addressType = 0] = await read(4)
    if (requestVersion !== version) return leave(socket)
    if (command !== 1) return leave(socket, replyOf(replies.noSuchCommand))
    const host = await readHost(read, addressType)
    const port = (await read(2)).readUInt16BE()
    if (host === null || port === 0) return leave(socket, replyOf(replies.noSuchAddress))
    return { host, port }
  } catch (error) {
    if (error instanceof SocketEnded) return leave(socket)
    throw error
  } finally {
    socket.setTimeout(0)
    socket.removeAllListeners('timeout')
  }
}

/** Says that the way is open; what follows is the client's and the other side's. */
export function grantSocksRequest(socket: Socket): void {
  socket.write(replyOf(replies.granted))
}

/** Says why there is no way, and ends. */
export function refuseSocksRequest(socket: Socket, refusal: ForwardRefusal): void {
  leave(socket, replyOf(replyTo(refusal)))
}

function replyTo(refusal: ForwardRefusal): number {
  switch (refusal) {
    case 'nothing-listens':
      return replies.refused
    case 'forbidden':
      return replies.forbidden
    case 'out-of-channels':
    case 'other':
      return replies.failed
  }
}

/** The address that it is reached from is nobody's business here: zeros, as OpenSSH says. */
function replyOf(code: number): Buffer {
  return Buffer.from([version, code, 0, 1, 0, 0, 0, 0, 0, 0])
}

function leave(socket: Socket, lastWord?: Buffer): null {
  socket.resume()
  if (lastWord) socket.end(lastWord)
  else socket.end()
  socket.destroySoon()
  return null
}

type Read = (bytes: number) => Promise<Buffer>

/** `null` for an address that is none; its bytes have been read all the same where their number is known. */
async function readHost(read: Read, addressType: number): Promise<string | null> {
  switch (addressType) {
    case 1:
      return (await read(4)).join('.')
    case 3: {
      const name = (await read((await read(1)).readUInt8())).toString('latin1')
      // A fully qualified name may end in a dot.
      return parseHost(name.replace(/\.$/, ''))
    }
    case 4:
      return (await read(16)).toString('hex').replace(/(.{4})(?=.)/g, '$1:')
    default:
      return null
  }
}

class SocketEnded extends Error {}

/** Reads exactly so many bytes of a paused socket, and leaves the rest where it is. */
function readerOf(socket: Socket): Read {
  return (bytes) =>
    new Promise((resolve, reject) => {
      if (bytes === 0) return resolve(Buffer.alloc(0))
      const stop = (): void => {
        socket.off('readable', tryToRead).off('end', onEnd).off('close', onEnd)
      }
      const onEnd = (): void => {
        stop()
        reject(new SocketEnded())
      }
      const tryToRead = (): void => {
        const piece: unknown = socket.read(bytes)
        // At its end a socket gives what is left, however little.
        if (!Buffer.isBuffer(piece) || piece.length < bytes) return
        stop()
        resolve(piece)
      }
      if (socket.destroyed) return onEnd()
      socket.on('readable', tryToRead).on('end', onEnd).on('close', onEnd)
      tryToRead()
    })
}
