import { connect, type OnReadOpts, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { SshAddress } from '../../../domain/ssh/ssh.ts'
import { gatherWrites } from '../gather-writes.ts'
import { releaseMemory } from '../release-memory.ts'
import { problemOfSocketError, SshFailure } from '../failure.ts'

const deadlineMs = 15_000

/** What a connection goes over. */
export interface Transport {
  readonly stream: Duplex
  /** Bytes that have arrived over it, of whatever kind. */
  readonly bytesRead: () => number
  /**
   * For one listener of its data that copies what it keeps: while that is so, each piece is its own only until the
   * listener returns. Absent where pieces are never lent.
   */
  readonly lendWhile?: (copiesAll: () => boolean) => void
}

/** @throws SshFailure, or the signal's reason */
export type OpenTransport = (address: SshAddress, signal: AbortSignal) => Promise<Transport>

/**
 * A TCP connection without Nagle's delay, which would hold back the grants of SSH's windows.
 *
 * @throws SshFailure, or the signal's reason
 */
export async function openSocket({ host, port }: SshAddress, signal: AbortSignal): Promise<Transport> {
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    const reads = lentReads(() => socket)
    const socket: Socket = connect({ host, port, noDelay: true, onread: reads.onread })
    const fail = (error: unknown): void => {
      socket.destroy()
      reject(error)
    }
    const onAbort = (): void => fail(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    socket.setTimeout(deadlineMs, () => fail(new SshFailure({ kind: 'timeout' })))
    socket.once('error', (error) => fail(new SshFailure(problemOfSocketError(error), { cause: error })))
    socket.once('connect', () => {
      signal.removeEventListener('abort', onAbort)
      socket.setTimeout(0)
      socket.removeAllListeners('error')
      // Until ssh2 listens itself, an early reset must not be an uncaught error.
      socket.on('error', () => undefined)
      // What ssh2 writes is what it has just encrypted, and has no other use.
      gatherWrites(socket, releaseMemory)
      resolve({ stream: socket, bytesRead: () => socket.bytesRead, lendWhile: reads.lendWhile })
    })
  })
}

/** What one call to the system may bring: more packets that are whole, which ssh2 then needs not put together. */
const readBytes = 256 * 1024
/**
 * For all sockets: what has been read is taken before anything else is read. On Windows, too, where libuv waits with
 * reads of no bytes.
 */
let readBuffer: Buffer | null = null

/**
 * Reads into one buffer instead of a new one each time. New ones are most of what a flood leaves to be collected: a
 * command's output came 1.3 times as fast without them (512 MiB on 2 cores).
 */
function lentReads(
  socket: () => Socket,
): Required<Pick<Transport, 'lendWhile'>> & { readonly onread: OnReadOpts } {
  const buffer = (readBuffer ??= Buffer.allocUnsafeSlow(readBytes))
  let isLent = (): boolean => false
  return {
    lendWhile: (copiesAll) => (isLent = copiesAll),
    onread: {
      buffer,
      callback: (length) => {
        const stream = socket()
        const piece = buffer.subarray(0, length)
        if (stream.readableFlowing !== true || stream.readableLength > 0 || !isLent())
          return stream.push(Buffer.from(piece))
        stream.emit('data', piece)
        return true
      },
    },
  }
}
