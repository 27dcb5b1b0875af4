import type { Client } from 'ssh2'
import { at } from './inside.ts'

/** Longer packets ssh2 1.17 takes for nonsense (RFC 4253 section 6.1); with what may belong to the length. */
const longestOfSsh2 = 35_000 - 20
/** And OpenSSH's client those that are longer than this (packet.c, PACKET_MAX_SIZE). */
const longestOfOpenSsh = 256 * 1024

/**
 * Whether ssh2 has just broken off because of a packet that is whole and too long for it, and not because the stream
 * makes no sense. To be asked in the listener of its error.
 */
export function wasPacketTooLong(client: Client, error: Error): boolean {
  if (!error.message.startsWith('Bad packet length')) return false
  const length = at(client, '_protocol', '_decipher', '_len')
  return typeof length === 'number' && length > longestOfSsh2 && length <= longestOfOpenSsh
}
