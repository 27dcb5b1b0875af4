import type { Client, ClientChannel } from 'ssh2'
import type { Clock } from '../../domain/clock.ts'

/** For a command that was asked to end, and then for one that was made to. */
const leaveMs = 2_000

/**
 * Names the processes of one command in their environment, by which they can be found again. Servers take
 * variables of this kind from clients as they come (sshd_config(5), AcceptEnv).
 */
export function markOf(id: string): Readonly<Record<string, string>> {
  return { LC_SLIPWAY_RUN: id }
}

/**
 * Asks a command to end, then makes it, then leaves it. A server that forces a command of its own on every user
 * passes no signals on (RFC 4254 section 6.9 is optional), so its processes are looked for as well.
 *
 * @param closed resolves with the channel
 * @returns whether it has ended; else it may go on there
 */
export async function endCommand(
  {
    client,
    channel,
    id,
    clock,
  }: {
    readonly client: Client
    readonly channel: ClientChannel
    /** Given to {@link markOf}; letters, digits and dashes. */
    readonly id: string
    readonly clock: Clock
  },
  closed: Promise<unknown>,
): Promise<boolean> {
  const isClosed = closed.then(() => true)
  for (const signal of ['TERM', 'KILL'] as const) {
    channel.signal(signal)
    // The channel may close with the first of the processes, and the others go on until they are found.
    const isOver = Promise.all([isClosed, signalMarked(client, id, signal)]).then(() => true)
    if (await Promise.race([isOver, clock.sleep(leaveMs).then(() => false)])) return true
  }
  channel.close()
  channel.destroy()
  return false
}

/** Signals every process of the command, where the machine has Linux's /proc; resolves when that is done, or cannot be. */
function signalMarked(client: Client, id: string, signal: 'TERM' | 'KILL'): Promise<void> {
  // In words that every login shell takes for the same.
  const processes = `grep -lzxsF 'LC_SLIPWAY_RUN=${id}' /proc/[0-9]*/environ | cut -d/ -f3`
  return new Promise((resolve) => {
    try {
      client.exec(`${processes} | xargs -r kill -${signal}`, (error, channel) => {
        if (error) return resolve()
        channel.on('close', () => resolve())
        channel.resume()
        channel.stderr.resume()
        channel.end()
      })
    } catch {
      // The connection has just gone, and with it the way to the command.
      resolve()
    }
  })
}
