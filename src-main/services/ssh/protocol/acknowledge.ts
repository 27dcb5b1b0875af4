import type { Client } from 'ssh2'
import { at, isHandler, isObject, type Handler } from './inside.ts'

/** SSH_MSG_IGNORE, which a host takes and does nothing about, with data of no length (RFC 4253 section 11.2). */
const ignore = Buffer.from([2, 0, 0, 0, 0])

/**
 * Says nothing to the host, and with that acknowledges at once what has come. OpenSSH's server leaves Nagle's delay on until a
 * session runs: a second answer in a row isn't sent before the first one is acknowledged, and the system here takes 40 ms
 * with that while there is nothing to say. Two of those were 80 of the 103 ms from a connection to a prompt near by.
 *
 * Nothing happens while keys are changed, or where the inside of ssh2 1.17 is not as expected. Nothing may be compressed from
 * the login on (`algorithms.ts`): a host that is about to do so takes what is said before its answer for broken.
 *
 * @param protocol ssh2's own; only after its first keys: strict key exchange forbids such messages before
 */
export function acknowledge(protocol: unknown): void {
  const writer = at(protocol, '_packetRW', 'write')
  const cipher = at(protocol, '_cipher')
  const [start, startOfKeys, allocate, finalize, encrypt] = [
    at(writer, 'allocStart'),
    at(writer, 'allocStartKEX'),
    at(writer, 'alloc'),
    at(writer, 'finalize'),
    at(cipher, 'encrypt'),
  ]
  if (!isObject(protocol) || !('_kexinit' in protocol) || protocol._kexinit !== undefined) return
  // They differ while keys are changed, also where the host's are there and its key is still being looked at.
  if (typeof start !== 'number' || start !== startOfKeys) return
  if (!isHandler(allocate) || !isHandler(finalize) || !isHandler(encrypt)) return
  const packet = allocate.call(writer, ignore.length)
  if (!(packet instanceof Uint8Array)) return
  packet.set(ignore, start)
  encrypt.call(cipher, finalize.call(writer, packet))
}

/** What OpenSSH's server says between a login and the answer about a channel: its other host keys, and a sign of life. */
const saidInBetween = ['GLOBAL_REQUEST', 'REQUEST_SUCCESS', 'REQUEST_FAILURE'] as const
/** On a connection, whatever a host says: from its first session on OpenSSH's server holds nothing back. */
const mostInBetween = 4

/**
 * Acknowledges what comes while a channel is waited for, at the beginning of a connection. To be called right after
 * `client.connect`.
 *
 * @returns whether the inside of ssh2 was as expected
 */
export function acknowledgeWhileOpening(client: Client): boolean {
  const protocol = at(client, '_protocol')
  const handlers = at(protocol, '_handlers')
  if (!isObject(handlers)) return false
  let left = mostInBetween
  for (const name of saidInBetween) {
    const take: unknown = Reflect.get(handlers, name)
    if (!isHandler(take)) return false
    const acknowledged: Handler = (...told) => {
      take(...told)
      if (left === 0 || !isOpeningChannel(client)) return
      left -= 1
      acknowledge(protocol)
    }
    Reflect.set(handlers, name, acknowledged)
  }
  return true
}

/** Whether a host hasn't said yet that it opens a channel. */
function isOpeningChannel(client: Client): boolean {
  const channels = at(client, '_chanMgr', '_channels')
  return isObject(channels) && Object.values(channels).some((channel) => typeof channel === 'function')
}
