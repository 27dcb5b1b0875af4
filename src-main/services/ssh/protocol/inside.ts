import type { Client } from 'ssh2'

export type Handler = (protocol: unknown, ...told: readonly unknown[]) => unknown

/** What protocol-guard.ts reaches of ssh2 1.17. */
export interface Inside {
  readonly protocol: object
  /** By the names of RFC 4250 section 4.1.2, without `SSH_MSG_`. */
  readonly handlers: object
  /** `undefined` for an id that no channel has; a function while the host has not answered the wish for one. */
  readonly channel: (id: unknown) => unknown
  /** Requests for the whole connection that the host has not answered. */
  readonly waiting: () => number
}

/** `null` where the inside isn't as expected. */
export function insideOf(client: Client): Inside | null {
  const protocol = at(client, '_protocol')
  const handlers = at(protocol, '_handlers')
  const channels = at(client, '_chanMgr', '_channels')
  if (!isObject(protocol) || !isObject(handlers) || !isObject(channels)) return null
  if (!Array.isArray(at(client, '_callbacks'))) return null
  return {
    protocol,
    handlers,
    // By name, because ssh2's own look-up throws for the highest id.
    channel: (id) => at(client, '_chanMgr', '_channels', String(id)),
    waiting: () => lengthOf(at(client, '_callbacks')),
  }
}

/** What lies at the end of a path of own or inherited properties; `undefined` where one is missing. */
export function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, name) => (isObject(inner) ? Reflect.get(inner, name) : undefined),
    value,
  )
}

/** 0 for what is no array. */
export function lengthOf(value: unknown): number {
  return Array.isArray(value) ? value.length : 0
}

/** Whether it has properties that can be looked at; a function is none. */
export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** Whether it can be called, as all that is replaced inside of ssh2. */
export function isHandler(value: unknown): value is Handler {
  return typeof value === 'function'
}
