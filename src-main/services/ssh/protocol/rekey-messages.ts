import type { Client } from 'ssh2'
import { at, isHandler, isObject } from './inside.ts'

/** IGNORE, UNIMPLEMENTED and DEBUG: nothing follows from them (RFC 4253 sections 11.2 to 11.4). */
const idle: ReadonlySet<unknown> = new Set([2, 3, 4])

/** From here on messages are about channels and requests of a connection that is logged in (RFC 4250 section 4.1.2). */
const firstOfConnection = 80

/**
 * Lets a server say in the middle of a later key exchange what it may say at any time (RFC 4253 section 7.1). Where
 * both sides know strict key exchange, ssh2 1.17 ends the connection then, though that is strict about the first
 * exchange only (OpenSSH's PROTOCOL, "strict key exchange"); and OpenSSH's server says such a thing for each piece that is
 * typed or pasted where nothing is echoed, as a password is. A server that goes on with its channels until it has new
 * keys breaks that section, and is heard all the same, as OpenSSH's client does (AsyncSSH 2.10): what it says comes under
 * the keys that the login was made with. To be called right after `client.connect`.
 *
 * @param onIdle hears of each such message, which ssh2 does not
 * @returns whether the inside of ssh2 was as expected
 */
export function allowIdleMessages(client: Client, onIdle: (payload: Buffer) => void): boolean {
  const protocol = at(client, '_protocol')
  if (!isObject(protocol) || !('_kex' in protocol)) return false
  let current: unknown = Reflect.get(protocol, '_kex')
  // Set as each exchange begins, when the decipher has been told to hand everything to it.
  Object.defineProperty(protocol, '_kex', {
    get: () => current,
    set: (next: unknown) => {
      if (current !== undefined) hearMore(protocol, onIdle)
      current = next
    },
  })
  return true
}

function hearMore(protocol: object, onIdle: (payload: Buffer) => void): void {
  const decipher = at(protocol, '_decipher')
  const take = at(decipher, '_onPayload')
  const takeAsEver = at(protocol, '_onPayload')
  if (!isObject(decipher) || !isHandler(take) || !isHandler(takeAsEver)) return
  Reflect.set(decipher, '_onPayload', (payload: Buffer) => {
    const type = payload[0]
    if (idle.has(type)) return onIdle(payload)
    const isOfConnection = type !== undefined && type >= firstOfConnection
    return isOfConnection && Reflect.get(protocol, '_authenticated') === true
      ? takeAsEver(payload)
      : take(payload)
  })
}
