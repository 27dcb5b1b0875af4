import type { Client } from 'ssh2'

/** IGNORE, UNIMPLEMENTED and DEBUG: nothing follows from them (RFC 4253 sections 11.2 to 11.4). */
const idle: ReadonlySet<unknown> = new Set([2, 3, 4])

type Take = (payload: Buffer) => unknown

/**
 * Lets a server say in the middle of a later key exchange what it may say at any time (RFC 4253 section 7.1). Where
 * both sides know strict key exchange, ssh2 1.17 ends the connection then, though that is strict about the first
 * exchange only (OpenSSH's PROTOCOL, "strict key exchange"); and OpenSSH's server says such a thing for each piece that is
 * typed or pasted where nothing is echoed, as a password is. To be called right after `client.connect`.
 *
 * @returns whether the inside of ssh2 was as expected
 */
export function allowIdleMessages(client: Client): boolean {
  const protocol: unknown = Reflect.get(client, '_protocol')
  if (typeof protocol !== 'object' || protocol === null || !('_kex' in protocol)) return false
  let current: unknown = Reflect.get(protocol, '_kex')
  // Set as each exchange begins, when the decipher has been told to hand everything to it.
  Object.defineProperty(protocol, '_kex', {
    get: () => current,
    set: (next: unknown) => {
      if (current !== undefined) passOver(Reflect.get(protocol, '_decipher'))
      current = next
    },
  })
  return true
}

function passOver(decipher: unknown): void {
  if (typeof decipher !== 'object' || decipher === null) return
  const take: unknown = Reflect.get(decipher, '_onPayload')
  if (!isTake(take)) return
  Reflect.set(decipher, '_onPayload', ((payload) =>
    idle.has(payload[0]) ? undefined : take(payload)) satisfies Take)
}

function isTake(value: unknown): value is Take {
  return typeof value === 'function'
}
