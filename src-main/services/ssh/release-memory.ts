/** Smaller ones may lie in memory that Node hands out in slices. */
const leastBytes = 16 * 1024
/** What may stand around them in memory of their own: a packet's header and padding. */
const mostAround = 512

/**
 * Gives the memory of a large buffer back at once, and not when it is found to be garbage. Bytes that only pass through are
 * counted as old memory by V8, which then marks all that main holds after every 13 MB of them: two fifths of the time of a
 * forward. Whoever still has the buffer finds it empty, so it must be the caller's alone. Nothing happens to one that lies
 * in memory with others.
 */
export function releaseMemory(bytes: Uint8Array): void {
  const { buffer } = bytes
  const isAlone = bytes.length >= leastBytes && buffer.byteLength - bytes.length <= mostAround
  if (isAlone && buffer instanceof ArrayBuffer) buffer.transfer(0)
}
