import type { Socket } from 'node:net'
import type { ClientChannel } from 'ssh2'
import type { ForwardTraffic } from '../../domain/forwards/forward.ts'
import { widenWindow, type WideWindow } from './wide-window.ts'

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
    socket.pipe(channel)
    channel.pipe(socket)
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
