import type { Client, ClientChannel } from 'ssh2'
import { at, isHandler } from './inside.ts'

/** A channel that is not closed, by ssh2's own words. After its EOF only data is over (RFC 4254 section 5.3). */
const openStates: readonly unknown[] = ['open', 'eof']

/**
 * Asks the server to pass a signal on (RFC 4254 section 6.9). ssh2's own `channel.signal` says nothing once there is
 * nothing more for the command to read. No server has to take it (OpenSSH does not where the user is root, or the command
 * forced), and none says whether it did.
 */
export function sendSignal(client: Client, channel: ClientChannel, signal: 'TERM' | 'KILL'): void {
  const id = at(channel, 'outgoing', 'id')
  const protocol = at(client, '_protocol')
  const send = at(protocol, 'signal')
  // A server disconnects a client that speaks of a channel that is closed.
  if (typeof id === 'number' && openStates.includes(at(channel, 'outgoing', 'state')) && isHandler(send))
    send.call(protocol, id, signal)
}
