import { connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { SshAddress } from '../../../domain/ssh/ssh.ts'
import { problemOfSocketError, SshFailure } from '../failure.ts'

const deadlineMs = 15_000

/** What a connection goes over. */
export interface Transport {
  readonly stream: Duplex
  /** Bytes that have arrived over it, of whatever kind. */
  readonly bytesRead: () => number
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
    const socket = connect({ host, port, noDelay: true })
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
      gatherWrites(socket)
      resolve({ stream: socket, bytesRead: () => socket.bytesRead })
    })
  })
}

/**
 * ssh2 writes each packet in three pieces, and often several packets at once. Without Nagle's delay each piece would
 * be a call to the system and a segment of its own; so what is written in one turn goes together at its end.
 */
function gatherWrites(socket: Socket): void {
  const write = socket.write.bind(socket)
  let isGathering = false
  const gather = (): void => {
    if (isGathering) return
    isGathering = true
    socket.cork()
    process.nextTick(() => {
      isGathering = false
      socket.uncork()
    })
  }
  type Done = (error?: Error | null) => void
  socket.write = (piece: string | Uint8Array, how?: BufferEncoding | Done, done?: Done) => {
    gather()
    return typeof how === 'function' ? write(piece, undefined, how) : write(piece, how, done)
  }
}
