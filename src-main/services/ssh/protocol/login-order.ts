import type { Client } from 'ssh2'
import { at, isHandler, isObject, type Handler } from './inside.ts'

/** What a server may say before both sides have their keys (RFC 4253 section 7.1), or while its own is looked at. */
const saidBeforehand: ReadonlySet<string> = new Set(['DISCONNECT', 'DEBUG', 'EXT_INFO'])

/**
 * Hears nothing of logins and channels before the host's key is verified and both sides have their keys. ssh2 1.17
 * takes what comes encrypted while the verifier has not answered yet: a machine that stands in the way could say that
 * the login is done, and the connection would pass for open while its user is still asked about the key. To be called
 * right after `client.connect` and `loginEarly`.
 *
 * @param onBreach a server does not keep to the order; what it says is dropped
 * @returns whether the inside of ssh2 was as expected
 */
export function keepLoginOrder(client: Client, onBreach: () => void): boolean {
  const handlers = at(client, '_protocol', '_handlers')
  if (!isHandlers(handlers)) return false
  let hasKeys = false
  client.once('handshake', () => (hasKeys = true))
  for (const [name, handle] of Object.entries(handlers)) {
    if (handle === undefined || saidBeforehand.has(name)) continue
    handlers[name] = (...told) => (hasKeys ? handle(...told) : onBreach())
  }
  return true
}

/** A message that is not handled may be named all the same. */
function isHandlers(value: unknown): value is Record<string, Handler | undefined> {
  if (!isObject(value) || !('USERAUTH_SUCCESS' in value)) return false
  return Object.values(value).every((handler) => handler === undefined || isHandler(handler))
}
