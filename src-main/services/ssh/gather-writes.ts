import type { Socket } from 'node:net'

/**
 * Lets what is written in one turn go together at its end. ssh2 writes each packet in three pieces, and often several
 * packets at once: without Nagle's delay each piece would be a call to the system and a segment of its own.
 *
 * @param onWritten hears of each piece of bytes that the system has taken
 */
export function gatherWrites(socket: Socket, onWritten?: (piece: Uint8Array) => void): void {
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
    const [encoding, told] = typeof how === 'function' ? [undefined, how] : [how, done]
    if (onWritten === undefined || typeof piece === 'string') return write(piece, encoding, told)
    return write(piece, encoding, (error) => {
      onWritten(piece)
      told?.(error)
    })
  }
}
