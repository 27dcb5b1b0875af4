import type { Socket } from 'node:net'
import type { Duplex, Readable } from 'node:stream'
import type { ClientChannel } from 'ssh2'
import type { ForwardTraffic } from '../../domain/forwards/forward.ts'
import { gatherWrites } from '../ssh/gather-writes.ts'
import { releaseMemory } from '../ssh/release-memory.ts'
import type { Grant } from './open-channel.ts'

interface Counts {
  readonly sent: number
  readonly received: number
}

/** The connections that stand through one forward: each a socket on this computer and a channel. */
export class Tunnels {
  /** With what each socket had carried before its tunnel began. */
  readonly #open = new Map<Socket, Counts>()
  #closed: Counts = { sent: 0, received: 0 }

  get traffic(): ForwardTraffic {
    let { sent, received } = this.#closed
    for (const [socket, before] of this.#open) {
      sent += socket.bytesRead - before.sent
      received += socket.bytesWritten - before.received
    }
    return { sentBytes: sent, receivedBytes: received, connections: this.#open.size }
  }

  /**
   * Joins both, with the back-pressure of streams each way and ends passed on one by one, until both ways have
   * ended or one side breaks off.
   */
  join(socket: Socket, channel: ClientChannel, window: WideWindow | null): void {
    // What it has read and nobody has taken yet is this tunnel's.
    const sent = socket.bytesRead - socket.readableLength
    this.#open.set(socket, { sent, received: socket.bytesWritten })
    gatherWrites(socket)
    pass(socket, channel)
    pass(channel, socket)
    if (window !== null) widenWindow(channel, window)
    socket.on('error', () => channel.close())
    socket.on('close', (hadError: boolean) => {
      this.#leave(socket)
      // What was sent before an orderly end may still wait for the channel's window.
      if (hadError) channel.close()
      else channel.end()
    })
    channel.on('error', () => socket.destroy())
    // The other side has closed: what came before has been written to the socket, and is sent yet.
    channel.on('close', () => socket.destroySoon())
    if (socket.destroyed) {
      this.#leave(socket)
      channel.close()
    }
  }

  /** Breaks all off. */
  close(): void {
    for (const socket of [...this.#open.keys()]) socket.destroy(new Error('the forward was stopped'))
  }

  #leave(socket: Socket): void {
    const before = this.#open.get(socket)
    if (before === undefined) return
    this.#open.delete(socket)
    this.#closed = {
      sent: this.#closed.sent + socket.bytesRead - before.sent,
      received: this.#closed.received + socket.bytesWritten - before.received,
    }
  }
}

/** As `pipe`; and the memory of each piece is given back as soon as it is written. */
function pass(from: Duplex, into: Duplex): void {
  from.on('data', (piece: Buffer) => {
    // Whatever ended it ends both.
    if (!into.writable) return
    if (!into.write(piece, () => releaseMemory(piece))) from.pause()
  })
  into.on('drain', () => from.resume())
  from.on('end', () => into.end())
  from.resume()
}

/** As ssh2 and OpenSSH open their channels. */
const first = 2 * 1024 * 1024
const largest = 16 * 1024 * 1024
/** As much as a machine sends in a millisecond (200 MB/s). */
const bytesPerMs = 200_000
/** Grants are given in pieces of this size, not for every packet. */
const grantPiece = 256 * 1024

export interface WideWindow {
  readonly grant: Grant
  /** How far the server is, as far as it is known by now. */
  readonly roundTripMs: () => number
}

/**
 * Lets a distant server have more and more under way for as long as what comes is taken at once: 2 MiB hold one that
 * is 50 ms away to 40 MB/s. Who reads slowly is sent no more than at first, and a server near by neither: OpenSSH's
 * takes three times as long with what it queues up for 16 MiB. To be called when the channel begins to be read.
 */
export function widenWindow(channel: Readable, { grant, roundTripMs }: WideWindow): void {
  const enough = (): number => Math.min(roundTripMs() * bytesPerMs, largest)
  let size = first
  let owed = 0
  channel.on('data', (piece: Buffer) => {
    owed += piece.length
    if (channel.readableLength === 0 && size < enough()) {
      size += piece.length
      owed += piece.length
    }
    if (owed < grantPiece) return
    grant(owed)
    owed = 0
  })
}
