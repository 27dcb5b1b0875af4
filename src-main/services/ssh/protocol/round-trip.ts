import type { Client } from 'ssh2'
import type { Clock } from '../../../domain/base/clock.ts'
import { at, isHandler } from './inside.ts'

/**
 * Asks the server for any answer (`keepalive@openssh.com`, as OpenSSH's own client does), and resolves when it
 * has come; `null` when this ssh2 cannot be asked to. ssh2 1.17 has the request inside, but tells nobody of its
 * answer: this file, like channel-window.ts, reaches there, and a test watches that it is as expected.
 */
export function askRoundTrip(client: Client): Promise<void> | null {
  const protocol = at(client, '_protocol')
  const ping = at(protocol, 'ping')
  const waiting = at(client, '_callbacks')
  if (!isHandler(ping) || !Array.isArray(waiting)) return null
  return new Promise((resolve) => {
    // Answers come in the order of the requests (RFC 4254 section 4); a refusal is an answer.
    waiting.push(() => resolve())
    Reflect.apply(ping, protocol, [])
  })
}

/** How long the way to the server and back takes, in milliseconds; `null` when this ssh2 cannot be asked to find out. */
export async function measureRoundTrip(client: Client, clock: Clock): Promise<number | null> {
  const askedAtMs = clock.now()
  const answered = askRoundTrip(client)
  if (answered === null) return null
  await answered
  return clock.now() - askedAtMs
}
