import type { Readable } from 'node:stream'
import type { Grant } from './open-channel.ts'

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
