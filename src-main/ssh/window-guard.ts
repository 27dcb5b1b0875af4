import type { Client } from 'ssh2'

/** OpenSSH, too, lets the other side exceed a window a little before it breaks off. */
const overrunAllowed = 32 * 1024

type Handler = (protocol: unknown, id: number, data: Buffer, ...more: readonly unknown[]) => void

/** What the other side may still send, where ssh2's own count is kept full: by what ssh2 counts with. */
const leftBySelf = new WeakMap<object, () => number>()

/** For channel-window.ts: from now on this count holds for the channel. */
export function countWindowBy(incoming: object, left: () => number): void {
  leftBySelf.set(incoming, left)
}

/**
 * Watches that no channel is sent more than its window (RFC 4254 section 5.2). ssh2 1.17 only looks whether the window
 * is exactly at zero, which one odd packet jumps over: what comes after that is held in memory without a limit, for
 * as long as nobody reads it. To be called right after `client.connect`.
 *
 * @param onOverrun a server does not keep to its window; the data is dropped
 * @returns whether the inside of ssh2 was as expected
 */
export function guardWindows(client: Client, onOverrun: () => void): boolean {
  const protocol: unknown = Reflect.get(client, '_protocol')
  const handlers: unknown =
    typeof protocol === 'object' && protocol !== null ? Reflect.get(protocol, '_handlers') : null
  if (typeof handlers !== 'object' || handlers === null) return false
  let isAsExpected = true
  for (const name of ['CHANNEL_DATA', 'CHANNEL_EXTENDED_DATA']) {
    const take: unknown = Reflect.get(handlers, name)
    if (!isHandler(take)) isAsExpected = false
    else
      Reflect.set(handlers, name, ((by, id, data, ...more) => {
        if (data.length > windowLeft(client, id) + overrunAllowed) onOverrun()
        else take(by, id, data, ...more)
      }) satisfies Handler)
  }
  return isAsExpected
}

/** Without a limit for a channel that is not there: ssh2 drops what comes for it. */
function windowLeft(client: Client, id: number): number {
  const channels: unknown = Reflect.get(client, '_chanMgr')
  if (!isChannels(channels)) return Number.POSITIVE_INFINITY
  const channel = channels.get(id)
  const incoming: unknown =
    typeof channel === 'object' && channel !== null ? Reflect.get(channel, 'incoming') : null
  if (typeof incoming !== 'object' || incoming === null) return Number.POSITIVE_INFINITY
  const own = leftBySelf.get(incoming)
  const left: unknown = own === undefined ? Reflect.get(incoming, 'window') : own()
  return typeof left === 'number' ? left : Number.POSITIVE_INFINITY
}

function isHandler(value: unknown): value is Handler {
  return typeof value === 'function'
}

function isChannels(value: unknown): value is { readonly get: (id: number) => unknown } {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, 'get') === 'function'
}
