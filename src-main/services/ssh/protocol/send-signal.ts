import type { Client, ClientChannel } from 'ssh2'

/** A channel that is not closed, by ssh2's own words. After its EOF only data is over (RFC 4254 section 5.3). */
const openStates: readonly unknown[] = ['open', 'eof']

/**
 * Asks the server to pass a signal on (RFC 4254 section 6.9). ssh2's own `channel.signal` says nothing once there is
 * nothing more for the command to read. No server has to take it (OpenSSH does not where the user is root, or the command
 * forced), and none says whether it did.
 */
export function sendSignal(client: Client, channel: ClientChannel, signal: 'TERM' | 'KILL'): void {
  const outgoing: unknown = Reflect.get(channel, 'outgoing')
  const protocol: unknown = Reflect.get(client, '_protocol')
  // A server disconnects a client that speaks of a channel that is closed.
  if (isSide(outgoing) && openStates.includes(outgoing.state) && isProtocol(protocol))
    protocol.signal(outgoing.id, signal)
}

function isSide(value: unknown): value is { readonly id: number; readonly state: unknown } {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, 'id') === 'number'
}

function isProtocol(value: unknown): value is { readonly signal: (id: number, name: string) => void } {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, 'signal') === 'function'
}
