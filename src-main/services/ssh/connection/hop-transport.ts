import type { ClientChannel } from 'ssh2'
import type { Clock } from '../../../domain/base/clock.ts'
import type { SshAddress } from '../../../domain/ssh/ssh.ts'
import type { Connection } from './connection.ts'
import { within, orAborted } from '../deadline.ts'
import { SshFailure, wordsOfRefusal } from '../failure.ts'
import type { Transport, OpenTransport } from './transport.ts'

const deadlineMs = 15_000

/**
 * The way on from a machine that is logged in to: what it connects to is the transport of the next connection
 * (`direct-tcpip`, RFC 4254 section 7.2).
 *
 * @returns throws SshFailure `no-way-on` about this machine, `timeout` about the next, or the signal's reason
 */
export function transportFrom({ client }: Pick<Connection, 'client'>, clock: Clock): OpenTransport {
  return async (to, signal) => {
    signal.throwIfAborted()
    const opening = new Promise<ClientChannel>((resolve, reject) => {
      // ssh2 throws when the connection has just gone.
      client.forwardOut('127.0.0.1', 0, to.host, to.port, (error, channel) => {
        if (error) reject(refusalOf(error, to))
        else resolve(channel)
      })
    })
    try {
      const lateness = (): SshFailure => new SshFailure({ kind: 'timeout' })
      return transportOf(await orAborted(within(clock, deadlineMs, opening, lateness), signal))
    } catch (error) {
      void opening.then(
        (channel) => channel.close(),
        () => undefined, // it never opened
      )
      if (signal.aborted || error instanceof SshFailure) throw error
      throw new SshFailure({ kind: 'link-lost', detail: { code: 'closed' } }, { cause: error })
    }
  }
}

function transportOf(stream: ClientChannel): Transport {
  let bytesRead = 0
  const push = stream.push.bind(stream)
  stream.push = (piece: unknown, encoding?: BufferEncoding) => {
    if (Buffer.isBuffer(piece)) bytesRead += piece.length
    return push(piece, encoding)
  }
  // What goes wrong with it ends the connection that it is a part of.
  stream.on('error', () => undefined)
  return { stream, bytesRead: () => bytesRead }
}

/** The reason codes of RFC 4254 section 5.1: 1 is "administratively prohibited". */
function refusalOf(error: Error, to: SshAddress): SshFailure {
  const isForbidden = 'reason' in error && error.reason === 1
  return new SshFailure(
    { kind: 'no-way-on', to, detail: wordsOfRefusal(error), isForbidden },
    { cause: error },
  )
}
